import type { SuggestionEffect, SuggestionReport } from "../../core/interpreter/program/call.ts";
import type { EffectContext } from "../effect-context.ts";

/** The parts of a suggestion that a visitor has chosen: they are in its token, so no service is asked again. */
export async function performSuggestion(
  { blockId, text, token }: SuggestionEffect,
  { partsOfSuggestion }: Pick<EffectContext, "partsOfSuggestion">,
): Promise<SuggestionReport> {
  return { kind: "suggestion", parts: (await partsOfSuggestion?.({ blockId, text, token })) ?? null };
}
