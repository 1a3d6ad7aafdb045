import type { Clip } from "../../../../editing/clipboard.ts";
import { disconnect, type Outlet } from "../../../../editing/outlets.ts";
import { paste } from "../../../../editing/paste.ts";
import type { Point } from "./arrange.ts";
import { type Command, refusalOfMore } from "./command.ts";
import { pointOf } from "./places.ts";

export const unlead: Command<{ readonly from: Outlet }> = {
  id: "edge.disconnect",
  name: (words) => words.acts.disconnect,
  make: (draft, { from }) => ({ changes: disconnect(draft, from) }),
};

/** Pastes into a group where one is named, else as groups; items into a block. */
export const pasteClip: Command<{
  readonly clip: Clip;
  readonly into?: { readonly groupId: string; readonly before?: string };
  readonly block?: { readonly blockId: string; readonly before?: string };
  readonly keepsOutsideEdges?: boolean;
  /** Where the upper left corner of what is pasted lies. */
  readonly at?: Point;
}> = {
  id: "paste",
  name: (words, { clip }) => words.acts.paste(sizeOf(clip)),
  make(draft, { clip, at, ...where }, { newId }) {
    // Loose blocks that go into no group get one of their own.
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

/** How many parts a clip has. */
export function sizeOf({ groups, blocks, items, notes = [], frames = [] }: Clip): number {
  return groups.length + blocks.length + items.length + notes.length + frames.length;
}

/** Loose blocks, which lie nowhere, get their group at the place itself. */
function offsetTo({ groups, notes = [], frames = [] }: Clip, at: Point): Point {
  const places = [...groups, ...notes, ...frames].map(pointOf);
  if (places.length === 0) return at;
  return { x: at.x - Math.min(...places.map(({ x }) => x)), y: at.y - Math.min(...places.map(({ y }) => y)) };
}
