import type { Clip } from "../../../../editing/clipboard.ts";
import { disconnect, type Outlet } from "../../../../editing/outlets.ts";
import { paste } from "../../../../editing/paste.ts";
import type { Command } from "./command.ts";
import { bounds, countBlocks, groupsIn } from "./command.ts";

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
}> = {
  id: "paste",
  name: (words, { clip }) => words.acts.paste(clip.groups.length + clip.blocks.length + clip.items.length),
  make(draft, { clip, ...where }, { newId }) {
    const blocks =
      clip.blocks.length +
      clip.groups.reduce((count, group) => count + (Array.isArray(group["blocks"]) ? group["blocks"].length : 0), 0);
    if (countBlocks(draft) + blocks > bounds.blocks) return { refused: "tooManyBlocks" };
    if (groupsIn(draft).length + clip.groups.length + 1 > bounds.groups) return { refused: "tooManyGroups" };
    const pasted = paste(draft, clip, { newId, ...where });
    const [groupId, blockId, itemId] = [pasted.groupIds[0], pasted.blockIds[0], pasted.itemIds[0]];
    const { changes } = pasted;
    if (groupId !== undefined) return { changes, selects: { kind: "group", id: groupId } };
    if (blockId !== undefined) return { changes, selects: { kind: "block", id: blockId } };
    if (itemId !== undefined && where.block)
      return { changes, selects: { kind: "item", id: itemId, blockId: where.block.blockId } };
    return { changes };
  },
};
