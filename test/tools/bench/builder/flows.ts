/**
 * The numbers of groups and of blocks per group, with space for pasted groups: a flow has at most 10,000 blocks and
 * 2,000 groups.
 */
export const shapes = [
  { groups: 400, blocks: 5 },
  { groups: 1_880, blocks: 1 },
  { groups: 1_880, blocks: 5 },
] as const;

export type Shape = { readonly groups: number; readonly blocks: number };

export function nameOf({ groups, blocks }: Shape): string {
  return `${groups.toLocaleString("en")} × ${blocks}`;
}

export function wordsOf(group: number, block: number): string {
  return `What is said in ${group}, ${block}`;
}

/** The group that contains the only block with code. */
export const groupWithCode = 9;
const codeBlock = { type: "Code", options: { content: Array(20).fill("console.log(1 + 1);").join("\n") } };

/** The group with an input that a preview reaches. */
const groupWithInput = 1;

function blockOf(group: number, block: number) {
  if (block === 0 && group === groupWithCode) return codeBlock;
  if (block === 0 && group === groupWithInput) return { type: "text input" };
  return { type: "text", content: { richText: [{ type: "p", children: [{ text: wordsOf(group, block) }] }] } };
}

/** The start event is far from the groups, so that a selection box can be drawn around some groups. */
export const startsAt = { x: -200, y: -600 };

export function placeOf(group: number): { readonly x: number; readonly y: number } {
  return { x: 300 * (group % 50), y: 300 * Math.floor(group / 50) };
}

/** Returns groups in rows of fifty. Each group leads to the next group. */
export function flowOf({ groups, blocks }: Shape) {
  const list = Array.from({ length: groups }, (_, group) => ({
    id: `g${group}`,
    title: `Group ${group}`,
    graphCoordinates: placeOf(group),
    blocks: Array.from({ length: blocks }, (__, block) => ({
      id: `b${group}-${block}`,
      ...blockOf(group, block),
      ...(block === blocks - 1 && group < groups - 1 && { outgoingEdgeId: `e${group + 1}` }),
    })),
  }));
  const edges = list.map(({ id }, group) => ({
    id: `e${group}`,
    from: group === 0 ? { eventId: "start" } : { blockId: `b${group - 1}-${blocks - 1}` },
    to: { groupId: id },
  }));
  const events = [{ id: "start", type: "start", outgoingEdgeId: "e0", graphCoordinates: startsAt }];
  return { version: "6.1", groups: list, edges, events, variables: [] };
}
