import { idOf } from "../../../core/editing/changes/things.ts";
import { type Clip, countOf, readClip } from "../../../core/editing/references/clipboard.ts";
import { mostPastedText, readForeignParts, textAsBlock } from "../../../core/editing/references/foreign-parts.ts";
import type { Point } from "../canvas/contract.ts";
import { sizes } from "../canvas/scene/geometry.ts";
import { around, type Size } from "../editor/commands/arrange.ts";
import { blocksIn, type FlowThing, idAfter, itemsIn } from "../editor/commands/command.ts";
import { duplicate, pasteClip } from "../editor/commands/copies.ts";
import { placeOfThing } from "../editor/place-of-thing.ts";
import { keepPicture } from "../pasting/picture.ts";
import commandWords from "../words/en/command.json";
import { currentWords } from "../words/language.ts";
import type { ActContext } from "./act-context.ts";
import type { Chosen } from "./chosen.ts";
import type { Placing } from "./placing.ts";
import type { Runner } from "./runner.ts";

export type Pasting = ReturnType<typeof createPasting>;

type Parts = {
  readonly chosen: Chosen;
  readonly runner: Runner;
  readonly placing: Placing;
  clipOfChosen(): Clip;
};

/**
 * Creates the actions that insert copies into a flow: duplicates beside the selection, and clipboard content from any
 * source.
 */
export function createPasting(
  { bot, view, state }: ActContext,
  { chosen, runner: { run, nothing, announced }, placing, clipOfChosen }: Parts,
) {
  const { editor } = bot;
  /**
   * Pastes a part of a flow from any source. For any other text, a dialog asks whether the bot should say the text.
   * Texts that are too long are refused.
   */
  function pasteText(text: string, at?: Point): void {
    const parts = readClip(text) ?? readForeignParts(text);
    const { refusals } = currentWords(commandWords);
    if (parts) pasteParts(parts, at);
    else if (text.length > mostPastedText) announced({ kind: "refused", sentence: refusals.tooLong });
    else state.asking.value = { kind: "text", text: text.trim(), ...(at && { at }) };
  }
  function pasteAsText(text: string, at?: Point): void {
    const clip = textAsBlock(text);
    if (clip) pasteParts(clip, at);
  }
  async function pastePicture(file: File): Promise<void> {
    const clip = await keepPicture(bot.bot.value.workspaceId, file);
    if (clip) pasteParts(clip);
  }
  function pasteParts(clip: Clip, at?: Point): void {
    const row = chosen.focused();
    const blockId = row?.kind === "item" ? row.blockId : row?.id;
    const placed = blockId === undefined ? undefined : editor.store.find.block(blockId);
    if (clip.items.length > 0 && clip.groups.length + clip.blocks.length === 0) {
      if (!placed || (clip.itemsOf !== undefined && placed.block["type"] !== clip.itemsOf)) return;
      if (row) pasteItems(clip, row);
      return;
    }
    const hasGroups = clip.groups.length + (clip.notes ?? []).length + (clip.frames ?? []).length > 0;
    const [groupId] = placed ? [placed.groupId] : chosen.idsOf("group");
    const isAlone = placed !== undefined || chosen.idsOf("group").length === 1;
    if (!hasGroups && at === undefined && groupId !== undefined && isAlone) {
      const group = editor.store.find.group(groupId);
      const before = group && placed ? idAfter(blocksIn(group), blockId) : undefined;
      const into = { groupId, ...(before !== undefined && { before }) };
      run(pasteClip, { clip, into, keepsOutsideEdges: true });
      return;
    }
    const before = new Set(view.scene.value.cards.keys());
    const corner = at ?? (isPastedInSight(clip.groups) ? undefined : placing.freeNear(placing.center(), areaOf(clip)));
    const done = run(pasteClip, { clip, keepsOutsideEdges: true, ...(corner && { at: corner }) });
    if (done.kind === "done") chooseNew(before);
  }
  /** Pastes items into a block: after the selected item, or at the end if the block is selected. */
  function pasteItems(clip: Clip, { kind, id, blockId = id }: FlowThing): void {
    const block = editor.store.find.block(blockId)?.block;
    const before = block && kind === "item" ? idAfter(itemsIn(block), id) : undefined;
    run(pasteClip, { clip, block: { blockId, ...(before !== undefined && { before }) }, keepsOutsideEdges: true });
  }
  /** Whether the copied groups are in this flow, so that the copies can be placed beside them. */
  function isPastedInSight(groups: readonly { readonly [key: string]: unknown }[]): boolean {
    return groups.length > 0 && groups.every((group) => view.scene.value.cards.has(idOf(group) ?? ""));
  }
  function chooseNew(before: ReadonlySet<string>): void {
    const made = [...view.scene.value.cards.keys()].filter((id) => !before.has(id));
    if (made.length === 0) return;
    editor.selection.act({ kind: "selectAll", things: view.thingsOf(made), keepsFocus: true });
  }

  function duplicateChosen(): void {
    const row = chosen.focused();
    if (row) {
      if (row.kind === "block") run(duplicate, { blockIds: chosen.blockIds() });
      else {
        pasteItems(clipOfChosen(), row);
      }
      return;
    }
    const clip = clipOfChosen();
    if (countOf(clip) === 0) return void nothing();
    const before = new Set(view.scene.value.cards.keys());
    const done =
      clip.groups.length === countOf(clip)
        ? run(duplicate, { groupIds: chosen.idsOf("group") })
        : run(pasteClip, { clip, keepsOutsideEdges: true });
    if (done.kind === "done") chooseNew(before);
  }

  return { pasteText, pasteAsText, pastePicture, duplicateChosen };
}

/** Returns the approximate size of the pasted parts. Without positions, the size is that of one card. */
function areaOf({ groups, notes = [], frames = [] }: Clip): Size {
  const placed = [...groups, ...notes, ...frames].map((part) => ({ ...placeOfThing(part), ...cardSize }));
  return placed.length === 0 ? cardSize : around(placed);
}

const cardSize: Size = { width: sizes.card, height: 160 };
