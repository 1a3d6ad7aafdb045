import { type BlockInsight, isQuestion } from "../../insight/rates.ts";
import type { WordsOf } from "../../words/index.ts";

/** Returns the displayed name of a block. */
export type Names = (block: BlockInsight) => string;

type Flow = {
  readonly groups: readonly { readonly title?: unknown; readonly blocks?: unknown }[];
  readonly variables: readonly { readonly id?: unknown; readonly name?: unknown }[];
};

/**
 * Returns a function that names questions by the variable that they set in the draft and by their group. If a group
 * contains several questions, a question without a variable is named by the preceding text of the bot, or by its
 * position.
 */
export function namesOf(flow: Flow | undefined, shown: readonly BlockInsight[], words: WordsOf<"insight">): Names {
  const { variables, sayings } = knownIn(flow);
  const siblings = Map.groupBy(shown.filter(isQuestion), ({ groupId }) => groupId);
  const ownName = ({ blockId, groupId }: BlockInsight): string | undefined => {
    const variable = variables.get(blockId);
    const asked = siblings.get(groupId) ?? [];
    if (variable !== undefined || asked.length < 2) return variable;
    const place = asked.findIndex((one) => one.blockId === blockId);
    return place === -1 ? undefined : (sayings.get(blockId) ?? `${words.question} ${place + 1}`);
  };
  return (block) => {
    const { blockId, groupTitle } = block;
    if (groupTitle === null) return variables.get(blockId) ?? `${words.gone} · ${blockId.slice(-4)}`;
    const own = ownName(block);
    const group = groupTitle.trim();
    if (own === undefined || own === group) return group === "" ? words.question : group;
    return group === "" ? own : `${group} · ${own}`;
  };
}

/** Returns the variable that each block sets, and the bot's text directly before each block. */
function knownIn(flow: Flow | undefined) {
  const names = new Map(flow?.variables.map(({ id, name }) => [id, name]));
  const [variables, sayings] = [new Map<string, string>(), new Map<string, string>()];
  for (const { blocks } of flow?.groups ?? []) {
    let said = "";
    for (const block of Array.isArray(blocks) ? blocks : []) {
      const { id, options, content } = Object(block);
      const name = names.get(Object(options).variableId);
      if (typeof id === "string" && typeof name === "string") variables.set(id, name);
      if (typeof id === "string" && said !== "") sayings.set(id, said);
      said = textIn(Object(content).richText, " ").trim();
    }
  }
  return { variables, sayings };
}

function textIn(nodes: unknown, between = ""): string {
  if (!Array.isArray(nodes)) return "";
  return nodes.map((node) => String(Object(node).text ?? "") + textIn(Object(node).children)).join(between);
}
