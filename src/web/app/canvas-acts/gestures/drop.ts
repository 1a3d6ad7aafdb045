import type { Card, Hit, Point, View } from "../../canvas/contract.ts";
import type { Acts } from "../acts.ts";
import type { Drop } from "../state.ts";

/**
 * Returns the effect of dropping a block at a point: into a group, between two blocks, into an edge, or onto the
 * background.
 */
export function dropAt(view: View, world: Point): Drop {
  const card = view.cardAt(world);
  if (card?.kind === "group") return { kind: "group", groupId: card.id, ...placeIn(card, world) };
  const hit: Hit = view.hitAt(world);
  if (hit.kind === "edge") return { kind: "edge", edge: hit.edge, at: world };
  return { kind: "ground", at: world };
}

/**
 * Returns the block before which a dropped object is inserted, and the position of the insertion line. Without a block,
 * the object is added at the end.
 */
export function placeIn({ box, rows }: Card, { y }: Point): { readonly before?: string; readonly line: Point } {
  const blocks = rows.filter(({ kind }) => kind === "block");
  const last = rows.at(-1);
  const end = last ? last.y + last.height : box.height - 8;
  for (const [index, { blockId, y: top }] of blocks.entries()) {
    const bottom = blocks[index + 1]?.y ?? end;
    if (y - box.y < (top + bottom) / 2) return { before: blockId, line: { x: box.x, y: box.y + top } };
  }
  return { line: { x: box.x, y: box.y + end } };
}

/** Moves dragged blocks to the position at which they were dropped. */
export function dropBlocks(acts: Acts, view: View, blockIds: readonly string[], drop: Drop): void {
  const [from, ...others] = new Set(blockIds.map((id) => view.scene.value.rowOf(id)?.card));
  if (!from) return;
  const isAll =
    others.length === 0 &&
    from.rows.filter(({ kind }) => kind === "block").every(({ blockId }) => blockIds.includes(blockId));
  switch (drop.kind) {
    case "group":
      if (others.length === 0 && areThere(from, blockIds, drop)) return;
      acts.moveBlocks(blockIds, drop.groupId, drop.before);
      return;
    case "edge":
      if (isAll) acts.insertGroup(from.id, drop.edge.port.outlet);
      else acts.takeOut(blockIds, cornerFor(drop.at), drop.edge.port.outlet);
      return;
    case "ground":
      // If all blocks of a group are selected, the whole group is moved.
      if (isAll) acts.moveTo([{ kind: "group", id: from.id, ...from.box }], cornerFor(drop.at));
      else acts.takeOut(blockIds, cornerFor(drop.at));
      return;
    default:
      drop satisfies never;
  }
}

/**
 * Whether the drop leaves the order of the card's blocks unchanged, as when a block is dropped before itself or before
 * the next block.
 */
function areThere({ id, rows }: Card, blockIds: readonly string[], to: Extract<Drop, { kind: "group" }>): boolean {
  if (id !== to.groupId) return false;
  const now = rows.flatMap((row) => (row.kind === "block" ? [row.blockId] : []));
  const at = to.before === undefined ? now.length : now.indexOf(to.before);
  const staying = (list: readonly string[]) => list.filter((one) => !blockIds.includes(one));
  const then = [...staying(now.slice(0, at)), ...blockIds, ...staying(now.slice(at))];
  return then.every((one, index) => one === now[index]);
}

/** Returns the corner of a card whose first row is under the pointer. */
export function cornerFor({ x, y }: Point): Point {
  return { x: Math.round(x - 40), y: Math.round(y - 56) };
}
