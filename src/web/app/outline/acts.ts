import { entriesOf } from "../../../core/editing/changes/things.ts";
import { type Clip, copy as copyParts, readClip } from "../../../core/editing/references/clipboard.ts";
import { readForeignParts, textAsBlock } from "../../../core/editing/references/foreign-parts.ts";
import { type Outlet, outletOfEvent, outletsOfBlock } from "../../../core/editing/references/outlets.ts";
import { isJsonObject, type JsonObject } from "../../../core/interpreter/flow.ts";
import { addItem } from "../editor/commands/blocks.ts";
import { blocksIn, idAfter, itemsIn } from "../editor/commands/command.ts";
import { duplicate, pasteClip } from "../editor/commands/copies.ts";
import { unlead } from "../editor/commands/edges.ts";
import { remove } from "../editor/commands/groups.ts";
import type { Done, Editor } from "../editor/index.ts";
import { shiftThing } from "../editor/shift-thing.ts";
import type { Row } from "./rows.ts";

/** The copied content, where the browser has no clipboard, as on plain http. */
let ownClipboard = "";

/** The rows that a command is about: the marked ones where the active one is among them, else that one. */
export type Chosen = readonly Row[];

export function removeRows(editor: Editor, rows: Chosen): Done {
  return editor.run(remove, {
    groupIds: idsOf(rows, "group"),
    blockIds: idsOf(rows, "block"),
    eventIds: idsOf(rows, "event"),
    noteIds: idsOf(rows, "note"),
    frameIds: idsOf(rows, "frame"),
    items: itemsOf(rows),
  });
}

export function duplicateRows(editor: Editor, rows: Chosen): Done {
  const [item] = itemsOf(rows);
  const groupIds = idsOf(rows, "group");
  // The contents of a copied group are copied with it.
  const blockIds = rows.flatMap(({ kind, id, groupId }) =>
    kind === "block" && !groupIds.includes(groupId ?? "") ? [id] : [],
  );
  if (item && groupIds.length + blockIds.length === 0) return duplicateItem(editor, item);
  return editor.run(duplicate, { groupIds, blockIds });
}

function duplicateItem(editor: Editor, { blockId, itemId }: { blockId: string; itemId: string }): Done {
  const draft = editor.copy.view();
  const block = editor.store.find.block(blockId)?.block;
  const before = block && idAfter(itemsIn(block), itemId);
  const clip = copyParts(draft, { items: [{ blockId, itemId }] });
  return editor.run(pasteClip, {
    clip,
    block: { blockId, ...(before !== undefined && { before }) },
    keepsOutsideEdges: true,
  });
}

/** Gives how many parts were copied. */
export async function copyRows(editor: Editor, rows: Chosen): Promise<number> {
  const groupIds = idsOf(rows, "group");
  const blockIds = rows.flatMap(({ kind, id, groupId }) =>
    kind === "block" && !groupIds.includes(groupId ?? "") ? [id] : [],
  );
  const clip = copyParts(editor.copy.view(), { groupIds, blockIds, items: itemsOf(rows) });
  ownClipboard = JSON.stringify(clip);
  // Where the browser refuses, copies stay within this tab.
  await navigator.clipboard?.writeText(ownClipboard).catch(() => {});
  return clip.groups.length + clip.blocks.length + clip.items.length;
}

/** Pastes a text that is parts of a flow; undefined where it is none. */
export function pasteText(editor: Editor, text: string, at: Row | undefined): Done | undefined {
  const clip = readClip(text) ?? readForeignParts(text) ?? (text === "" ? readClip(ownClipboard) : undefined);
  return clip && pasteParts(editor, clip, at);
}

/** Makes a block that says this. */
export function pasteAsText(editor: Editor, text: string, at: Row | undefined): Done | undefined {
  const clip = textAsBlock(text);
  return clip && pasteParts(editor, clip, at);
}

/** Pastes parts of a flow at a row. */
export function pasteParts(editor: Editor, clip: Clip, at: Row | undefined): Done | undefined {
  const { store } = editor;
  const groupId = at?.kind === "group" ? at.id : at?.groupId;
  const group = groupId === undefined ? undefined : store.find.group(groupId);
  const blockId = at?.kind === "block" ? at.id : at?.blockId;
  const block = blockId === undefined ? undefined : store.find.block(blockId)?.block;
  if (clip.items.length > 0 && clip.groups.length + clip.blocks.length === 0) {
    if (blockId === undefined || !block || (clip.itemsOf !== undefined && block["type"] !== clip.itemsOf))
      return undefined;
    const before = at?.kind === "item" ? idAfter(itemsIn(block), at.id) : undefined;
    return editor.run(pasteClip, {
      clip,
      block: { blockId, ...(before !== undefined && { before }) },
      keepsOutsideEdges: true,
    });
  }
  const before = group && at?.kind !== "group" ? idAfter(blocksIn(group), blockId) : undefined;
  const into =
    groupId !== undefined && clip.groups.length === 0
      ? { into: { groupId, ...(before !== undefined && { before }) } }
      : {};
  return editor.run(pasteClip, { clip, ...into, keepsOutsideEdges: true });
}

/** One place up or down among those that lie in the same one. */
export function shiftRow(editor: Editor, row: Row, by: -1 | 1): Done | undefined {
  return shiftThing(editor, row, by);
}

export function addItemAt(editor: Editor, row: Row): Done | undefined {
  const blockId = row.kind === "item" ? row.blockId : row.kind === "block" ? row.id : undefined;
  const block = blockId === undefined ? undefined : editor.store.find.block(blockId)?.block;
  if (blockId === undefined || !block) return undefined;
  const before = row.kind === "item" ? idAfter(itemsIn(block), row.id) : undefined;
  return editor.run(addItem, { blockId, ...(before !== undefined && { before }) });
}

/** The places from which a row may lead on: of a group the end of its last block. */
export function outletsOf(editor: Editor, row: Row): readonly Outlet[] {
  const { find } = editor.store;
  switch (row.kind) {
    case "event": {
      const event = find.event(row.id);
      const outlet = event && outletOfEvent(event);
      return outlet ? [outlet] : [];
    }
    case "group": {
      const last: JsonObject | undefined = entriesOf(find.group(row.id)?.["blocks"]).filter(isJsonObject).at(-1);
      return last ? outletsOfBlock(last).filter(({ kind }) => kind === "own") : [];
    }
    case "note":
    case "frame":
      return [];
    case "block": {
      const block = find.block(row.id)?.block;
      return block ? outletsOfBlock(block).filter(({ kind }) => kind === "own") : [];
    }
    case "item": {
      const block = find.block(row.blockId ?? "")?.block;
      return block ? outletsOfBlock(block).filter(({ itemId, kind }) => itemId === row.id && kind !== "own") : [];
    }
  }
}

export function disconnectRow(editor: Editor, row: Row): Done | undefined {
  const outlet = outletsOf(editor, row).find(({ edgeId }) => edgeId !== undefined);
  return outlet && editor.run(unlead, { from: outlet });
}

/** The group of a new block, and the block that it comes before. */
export function placeAfter(
  editor: Editor,
  row: Row | undefined,
): { readonly groupId: string; readonly before?: string } | undefined {
  const groupId = row?.kind === "group" ? row.id : row?.groupId;
  const group = groupId === undefined ? undefined : editor.store.find.group(groupId);
  if (groupId === undefined || !group) return undefined;
  if (row?.kind === "group") return { groupId };
  const before = idAfter(blocksIn(group), row?.kind === "item" ? row.blockId : row?.id);
  return { groupId, ...(before !== undefined && { before }) };
}

function idsOf(rows: Chosen, kind: Row["kind"]): string[] {
  return rows.flatMap((row) => (row.kind === kind ? [row.id] : []));
}

function itemsOf(rows: Chosen): { readonly blockId: string; readonly itemId: string }[] {
  return rows.flatMap(({ kind, id, blockId }) =>
    kind === "item" && blockId !== undefined ? [{ blockId, itemId: id }] : [],
  );
}
