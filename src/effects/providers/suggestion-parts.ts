import type { SuggestionEffect, SuggestionParts, SuggestionReport } from "../../core/interpreter/program/call.ts";

/** The parts in a suggestion's token, for the session that the token was made for. Absent: no token was made. */
export type SuggestionContext = {
  partsOfSuggestion?(chosen: Omit<SuggestionEffect, "kind">): Promise<SuggestionParts | undefined>;
};

/** The parts of a suggestion that a visitor has chosen. The token contains them, so the service is not asked again. */
export async function performSuggestion(
  { blockId, text, token }: SuggestionEffect,
  { partsOfSuggestion }: SuggestionContext,
): Promise<SuggestionReport> {
  return { kind: "suggestion", parts: (await partsOfSuggestion?.({ blockId, text, token })) ?? null };
}
