import type { SuggestionEffect, SuggestionParts, SuggestionReport } from "../../core/interpreter/program/call.ts";

/** The parts in a suggestion's token, for the session that it was made for. Absent: none was made. */
export type SuggestionContext = {
  partsOfSuggestion?(chosen: Omit<SuggestionEffect, "kind">): Promise<SuggestionParts | undefined>;
};

/** The parts of a suggestion that a visitor has chosen: they are in its token, so no service is asked again. */
export async function performSuggestion(
  { blockId, text, token }: SuggestionEffect,
  { partsOfSuggestion }: SuggestionContext,
): Promise<SuggestionReport> {
  return { kind: "suggestion", parts: (await partsOfSuggestion?.({ blockId, text, token })) ?? null };
}
