import { copy, readClip } from "../../../editing/clipboard.ts";
import { idOf } from "../../../editing/things.ts";
import type { Point } from "../canvas/contract.ts";
import { duplicate } from "../editor/commands/blocks.ts";
import { blocksIn, idAfter } from "../editor/commands/command.ts";
import { pasteClip, sizeOf } from "../editor/commands/edges.ts";
import { announce } from "../ui/index.ts";
import { commandWords } from "../words/flow-commands.ts";
import { language } from "../words/language.ts";
import type { Chosen } from "./chosen.ts";
import type { Making } from "./making.ts";
import type { Placing } from "./placing.ts";
import type { Runner } from "./runner.ts";

/** What is copied where the browser gives no clipboard, as on plain http. */
let ownClipboard = "";

/** Copies of what is chosen: on the clipboard, from it, and right beside. */
export function createCopying(
  { bot: { editor }, view, state }: Making,
  chosen: Chosen,
  { run, nothing }: Runner,
  { center }: Placing,
) {
  const draft = () => editor.copy.view();
  const clipOfChosen = () => {
    const row = chosen.focused();
    if (row?.kind === "block") return copy(draft(), { blockIds: [row.id] });
    if (row?.kind === "item") return copy(draft(), { items: [{ blockId: row.blockId ?? "", itemId: row.id }] });
    return copy(draft(), {
      groupIds: chosen.idsOf("group"),
      noteIds: chosen.besideIds("note"),
      frameIds: chosen.besideIds("frame"),
    });
  };
  /** The text of what is chosen, for a clipboard. */
  function copyChosen(): string | undefined {
    const clip = clipOfChosen();
    const count = sizeOf(clip);
    if (count === 0) {
      nothing();
      return undefined;
    }
    ownClipboard = JSON.stringify(clip);
    announce(commandWords[language.peek()].announce.copied(count));
    return ownClipboard;
  }
  function pasteText(text: string, at?: Point): boolean {
    const clip = readClip(text) ?? (text === "" ? readClip(ownClipboard) : undefined);
    if (!clip) return false;
    const row = chosen.focused();
    const blockId = row?.kind === "item" ? row.blockId : row?.id;
    const placed = blockId === undefined ? undefined : editor.store.find.block(blockId);
    if (clip.items.length > 0 && clip.groups.length + clip.blocks.length === 0) {
      if (!placed || (clip.itemsOf !== undefined && placed.block["type"] !== clip.itemsOf)) return false;
      run(pasteClip, { clip, block: { blockId: blockId ?? "" }, keepsOutsideEdges: true });
      return true;
    }
    const hasGroups = clip.groups.length + (clip.notes ?? []).length + (clip.frames ?? []).length > 0;
    const [groupId] = placed ? [placed.groupId] : chosen.idsOf("group");
    const isAlone = placed !== undefined || chosen.idsOf("group").length === 1;
    if (!hasGroups && at === undefined && groupId !== undefined && isAlone) {
      const group = editor.store.find.group(groupId);
      const before = group && placed ? idAfter(blocksIn(group), blockId) : undefined;
      const into = { groupId, ...(before !== undefined && { before }) };
      run(pasteClip, { clip, into, keepsOutsideEdges: true });
      return true;
    }
    const before = new Set(view.scene.peek().cards.keys());
    const corner = at ?? (isPastedInSight(clip.groups) ? undefined : center());
    const done = run(pasteClip, { clip, keepsOutsideEdges: true, ...(corner && { at: corner }) });
    if (done.kind === "done") chooseNew(before);
    return true;
  }
  /** Whether what was copied lies in view, so that copies may lie beside it. */
  function isPastedInSight(groups: readonly { readonly [key: string]: unknown }[]): boolean {
    return groups.length > 0 && groups.every((group) => view.scene.peek().cards.has(idOf(group) ?? ""));
  }
  function chooseNew(before: ReadonlySet<string>): void {
    const made = [...view.scene.peek().cards.keys()].filter((id) => !before.has(id));
    if (made.length === 0) return;
    view.chosen.value = new Set(made);
    state.beside.value = [];
  }

  function duplicateChosen(): void {
    const row = chosen.focused();
    if (row) {
      if (row.kind === "block") run(duplicate, { blockIds: [row.id] });
      else {
        const clip = clipOfChosen();
        run(pasteClip, { clip, block: { blockId: row.blockId ?? "" }, keepsOutsideEdges: true });
      }
      return;
    }
    const clip = clipOfChosen();
    if (sizeOf(clip) === 0) return void nothing();
    const before = new Set(view.scene.peek().cards.keys());
    const done =
      clip.groups.length === sizeOf(clip)
        ? run(duplicate, { groupIds: chosen.idsOf("group") })
        : run(pasteClip, { clip, keepsOutsideEdges: true });
    if (done.kind === "done") chooseNew(before);
  }

  return { copyChosen, pasteText, duplicateChosen };
}
