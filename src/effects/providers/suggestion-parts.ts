import type { SuggestionEffect, SuggestionParts, SuggestionReport } from "../../core/interpreter/program/call.ts";

/**
 * `partsOfSuggestion` returns the parts in a suggestion's token, or undefined if the token is not valid for the
 * session. Absent if no tokens are issued.
 */
export type SuggestionContext = {
  partsOfSuggestion?(chosen: Omit<SuggestionEffect, "kind">): Promise<SuggestionParts | undefined>;
};

/**
 * Returns the parts of the suggestion that a visitor chose, or null if the token is not valid. The token contains the
 * parts, so the service is not called again.
 */
export async function performSuggestion(
  { blockId, text, token }: SuggestionEffect,
  { partsOfSuggestion }: SuggestionContext,
): Promise<SuggestionReport> {
  return { kind: "suggestion", parts: (await partsOfSuggestion?.({ blockId, text, token })) ?? null };
}
