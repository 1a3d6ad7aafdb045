import type { FlowDocument } from "../interpreter/flow.ts";
import { isInputType } from "../interpreter/flow.ts";
import { limits } from "../limits.ts";

/**
 * Whether no step of this flow can take long by the size of what it meets: nothing ends a block before its own end. What a flow
 * holds for one block, for all of its blocks and beside them is bounded.
 */
export function isFitForTheSpot({ groups, variables, theme, settings }: FlowDocument): boolean {
  const blocks = groups.flatMap((group) => group.blocks ?? []);
  return (
    blocks.filter(({ type }) => isInputType(type)).length <= limits.spotInputs &&
    blocks.every((block) => charactersOf(block) <= limits.spotBlockCharacters) &&
    charactersOf(variables) <= limits.spotBlockCharacters &&
    charactersOf([theme, settings]) <= limits.spotThemeCharacters
  );
}

function charactersOf(value: unknown): number {
  return JSON.stringify(value)?.length ?? 0;
}
