import { blocks as servedBlocks } from "../blocks/index.ts";
import { type FlowBlock, type FlowDocument, textAt } from "../interpreter/flow.ts";

type Flow = Pick<FlowDocument, "groups" | "variables"> & {
  readonly edges: readonly { readonly id: string; readonly from?: unknown; readonly to?: unknown }[];
};

/**
 * Returns sample answers to the questions that may precede a block. Each answer has the name of the question's
 * variable, or the title of its group if there is no variable. Questions are found by following edges and groups
 * backwards.
 */
export function sampleAnswers(flow: Flow, blockId: string): Record<string, string> {
  const names = new Map(flow.variables.map(({ id, name }) => [id, name]));
  const samples = new Map<string, string>();
  for (const { block, group } of questionsBefore(flow, blockId)) {
    const name = names.get(textAt(block.options, "variableId") ?? "") ?? group.title ?? "";
    if (name !== "") samples.set(name, sampleOf(block));
  }
  return Object.fromEntries(samples);
}

type Group = Flow["groups"][number];
type Question = { readonly block: FlowBlock; readonly group: Group };

function questionsBefore({ groups, edges }: Flow, blockId: string): Question[] {
  const groupOf = new Map(groups.flatMap((group) => (group.blocks ?? []).map(({ id }) => [id, group] as const)));
  const arriving = new Map<string, string[]>();
  for (const edge of edges) {
    const [to, from] = [textAt(edge, "to", "groupId"), textAt(edge, "from", "blockId")];
    if (to !== undefined && from !== undefined) arriving.set(to, [...(arriving.get(to) ?? []), from]);
  }
  /** The number of blocks at the start of each group that can run before the given block. */
  const passed = new Map<Group, number>();
  const open: { readonly blockId: string; readonly isPassed: boolean }[] = [{ blockId, isPassed: false }];
  for (let next = open.pop(); next; next = open.pop()) {
    const group = groupOf.get(next.blockId);
    if (!group) continue;
    const last = next.blockId;
    const count = (group.blocks ?? []).findIndex(({ id }) => id === last) + (next.isPassed ? 1 : 0);
    const before = passed.get(group);
    passed.set(group, Math.max(count, before ?? 0));
    if (before !== undefined) continue;
    for (const from of arriving.get(group.id) ?? []) open.push({ blockId: from, isPassed: true });
  }
  return groups.flatMap((group) =>
    (group.blocks ?? [])
      .slice(0, passed.get(group) ?? 0)
      .filter(({ type }) => servedBlocks.get(type)?.family === "input")
      .map((block) => ({ block, group })),
  );
}

/**
 * Returns the content of the input's first item. Falls back to an answer in the examples of the block type, and then to
 * a placeholder.
 */
function sampleOf(block: FlowBlock): string {
  const items = Array.isArray(block.items) ? block.items : [];
  const shown = textAt(items[0], "content");
  if (shown !== undefined && shown !== "") return shown;
  const examples = servedBlocks.get(block.type)?.examples ?? [];
  const answers = examples.map(({ expect }) => expect.answer).filter((answer) => typeof answer === "string");
  return answers[0] ?? "An answer";
}
