import type { BlockInsight } from "../../insight/rates.ts";
import type { WordsOf } from "../../words/index.ts";

/** The name of a block on the screen. */
export type Names = (block: BlockInsight) => string;

type Flow = {
  readonly groups: readonly { readonly title?: unknown; readonly blocks?: unknown }[];
  readonly variables: readonly { readonly id?: unknown; readonly name?: unknown }[];
};

/**
 * Names a question by the variable that it fills and its group, as far as the draft has it; else by its group in the
 * shown version. Questions that no flow has differ by the end of their ids.
 */
export function namesOf(flow: Flow | undefined, words: WordsOf<"insight">): Names {
  const variables = new Map(flow?.variables.map(({ id, name }) => [id, name]));
  const known = new Map<string, string>();
  for (const { blocks } of flow?.groups ?? []) {
    for (const block of Array.isArray(blocks) ? blocks : []) {
      const { id, options } = Object(block);
      const name = variables.get(Object(options).variableId);
      if (typeof id === "string" && typeof name === "string") known.set(id, name);
    }
  }
  return ({ blockId, groupTitle }) => {
    const variable = known.get(blockId);
    if (groupTitle === null) return variable ?? `${words.gone} · ${blockId.slice(-4)}`;
    const group = groupTitle.trim();
    if (variable === undefined || variable === group) return group === "" ? words.question : group;
    return group === "" ? variable : `${group} · ${variable}`;
  };
}
