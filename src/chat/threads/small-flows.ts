import type { FlowDocument } from "../../core/interpreter/flow.ts";
import type { BlockTypes } from "../../core/interpreter/program/program.ts";

const flowCharacters = 512 * 1024;
export const blockCharacters = 16 * 1024;
export const themeCharacters = 64 * 1024;
const maxInputs = 200;

/**
 * Whether a flow is small enough to run inline. A block cannot be interrupted, so each must be small, and so must variables, theme,
 * settings and the number of inputs. Compiling the largest of these flows takes about five milliseconds.
 */
export function isSmallFlow(flow: string, types: BlockTypes): boolean {
  if (flow.length > flowCharacters) return false;
  const { groups, variables, theme, settings }: FlowDocument = JSON.parse(flow);
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
