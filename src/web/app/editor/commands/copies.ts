import { idOf } from "../../../../core/editing/changes/things.ts";
import { type Clip, copy, countOf } from "../../../../core/editing/references/clipboard.ts";
import { paste } from "../../../../core/editing/references/paste.ts";
import { placeOfThing } from "../place-of-thing.ts";
import type { Point } from "./arrange.ts";
import { blocksIn, type Command, findBlock, idAfter, refusalOfMore } from "./command.ts";

/**
 * Copies groups and blocks. The blocks are inserted after the last given block, the groups at an offset. An edge of
 * a copy has the same target as its original; if the target is copied too, the edge leads to the copy.
 */
export const duplicate: Command<{ readonly groupIds?: readonly string[]; readonly blockIds?: readonly string[] }> = {
  name: (words, { groupIds = [], blockIds = [] }) => words.acts.duplicate({ count: groupIds.length + blockIds.length }),
  make(draft, { groupIds = [], blockIds = [] }, { newId }) {
    const last = blockIds.at(-1);
    const found = last === undefined ? undefined : findBlock(draft, last);
    if (last !== undefined && !found) return { refused: "gone" };
    const before = found && idAfter(blocksIn(found.group), last);
    const clip = copy(draft, { groupIds, blockIds });
    const refused = refusalOfMore(draft, clip);
    if (refused) return { refused };
    const into = found ? { into: { groupId: idOf(found.group) ?? "", ...(before !== undefined && { before }) } } : {};
    const pasted = paste(draft, clip, { newId, keepsOutsideEdges: true, ...into });
    const [groupId, blockId] = [pasted.groupIds[0], pasted.blockIds[0]];
    const selected =
      blockId !== undefined && found
        ? ({ kind: "block", id: blockId } as const)
        : groupId !== undefined
          ? ({ kind: "group", id: groupId } as const)
          : undefined;
    return { changes: pasted.changes, ...(selected && { selects: selected }) };
  },
};

/**
 * Pastes a copied part of a flow. Groups, notes and frames are added to the canvas. Blocks without a group are pasted
 * into the given group or into a new one, and items without a block into the given block.
 */
export const pasteClip: Command<{
  readonly clip: Clip;
  readonly into?: { readonly groupId: string; readonly before?: string };
  readonly block?: { readonly blockId: string; readonly before?: string };
  readonly keepsOutsideEdges?: boolean;
  /** The upper left corner of the pasted objects. */
  readonly at?: Point;
}> = {
  name: (words, { clip }) => words.acts.paste({ count: countOf(clip) }),
  make(draft, { clip, at, ...where }, { newId }) {
    // Blocks that are not pasted into a group get a new group.
    const isLoose = clip.blocks.length > 0 && !where.into;
    const refused = refusalOfMore(draft, isLoose ? { ...clip, groups: [...clip.groups, {}] } : clip);
    if (refused) return { refused };
    const offset = at ? { offset: offsetTo(clip, at) } : {};
    const pasted = paste(draft, clip, { newId, ...where, ...offset });
    const [groupId, blockId, itemId] = [pasted.groupIds[0], pasted.blockIds[0], pasted.itemIds[0]];
    const { changes } = pasted;
    if (groupId !== undefined) return { changes, selects: { kind: "group", id: groupId } };
    if (blockId !== undefined) return { changes, selects: { kind: "block", id: blockId } };
    if (itemId !== undefined && where.block)
      return { changes, selects: { kind: "item", id: itemId, blockId: where.block.blockId } };
    const [noteId, frameId] = [pasted.noteIds[0], pasted.frameIds[0]];
    if (noteId !== undefined) return { changes, made: { kind: "note", id: noteId } };
    return { changes, ...(frameId !== undefined && { made: { kind: "frame", id: frameId } as const }) };
  },
};

/**
 * Returns the offset that moves the copied objects to a point. Blocks without a group have no position, so their new
 * group is placed at the point itself.
 */
function offsetTo({ groups, notes = [], frames = [] }: Clip, at: Point): Point {
  const places = [...groups, ...notes, ...frames].map(placeOfThing);
  if (places.length === 0) return at;
  return { x: at.x - Math.min(...places.map(({ x }) => x)), y: at.y - Math.min(...places.map(({ y }) => y)) };
}
