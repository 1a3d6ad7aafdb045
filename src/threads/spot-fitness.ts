import type { FlowDocument } from "../interpreter/flow.ts";
import type { BlockTypes } from "../interpreter/program.ts";

/** A block cannot be interrupted, so its size is bounded; so are theme and settings together, and the inputs of the flow. */
export const blockCharacters = 16 * 1024;
export const themeCharacters = 64 * 1024;
const maxInputs = 200;

/**
 * Whether no step of this flow can take long by the size of what it meets: nothing ends a block before its own end. What a flow
 * holds for one block, for all of its blocks and beside them is bounded.
 */
export function isFitForTheSpot({ groups, variables, theme, settings }: FlowDocument, types: BlockTypes): boolean {
  const blocks = groups.flatMap((group) => group.blocks ?? []);
  return (
    blocks.filter(({ type }) => types.get(type)?.family === "input").length <= maxInputs &&
    blocks.every((block) => charactersOf(block) <= blockCharacters) &&
    charactersOf(variables) <= blockCharacters &&
    charactersOf([theme, settings]) <= themeCharacters
  );
}

function charactersOf(value: unknown): number {
  return JSON.stringify(value)?.length ?? 0;
}
