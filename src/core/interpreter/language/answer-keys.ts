import { type FlowBlock, textAt } from "../flow.ts";

type Group = { readonly title: string; readonly blocks: readonly FlowBlock[] };

type Known = {
  readonly inputIds: ReadonlySet<string>;
  readonly variables: { readonly byId: ReadonlyMap<string, { readonly name: string }> };
};

type Keyed = { readonly id: string; readonly key: string; readonly isVariable: boolean };

/**
 * Returns the name of each input's answer, by block id. The answer has the name of its variable or, without a variable,
 * the title of the group. Titles are numbered from the group's second input on. A title that equals the name of a
 * variable or an earlier title gets the suffix ` (2)`, ` (3)` and so on. Names of variables never change, because
 * blocks that write the same variable share its name.
 */
export function answerKeysOf(groups: readonly Group[], { inputIds, variables }: Known): Map<string, string> {
  const plain = new Map<string, Keyed>();
  for (const { title, blocks } of groups) {
    let position = 0;
    for (const { id, options } of blocks) {
      if (!inputIds.has(id)) continue;
      const name = variables.byId.get(textAt(options, "variableId") ?? "")?.name;
      const key = name ?? (position === 0 ? title : `${title} (${position})`);
      position++;
      // If two blocks have the same id, the first block is used.
      if (!plain.has(id)) plain.set(id, { id, key, isVariable: name !== undefined });
    }
  }
  const owners = new Map<string, string>();
  for (const { id, key, isVariable } of plain.values()) if (isVariable) owners.set(key, id);
  for (const { id, key } of plain.values()) if (!owners.has(key)) owners.set(key, id);
  const keys = new Map<string, string>();
  for (const { id, key, isVariable } of plain.values()) {
    let own = key;
    for (let number = 2; !isVariable && (owners.get(own) ?? id) !== id; number++) own = `${key} (${number})`;
    owners.set(own, id);
    keys.set(id, own);
  }
  return keys;
}
