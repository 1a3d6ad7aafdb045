import type { FlowThing } from "../../editor/commands/command.ts";
import { runCommand } from "../../keys/keymap.ts";
import type { Card, CardRow, Hit } from "../contract.ts";
import { fitChosen } from "../place/fit.ts";
import { isRowOf, selectionOfRow } from "../row-selection.ts";
import { cardsAfter, type Direction, directions, nextCard } from "../scene/hit.ts";
import { cardOf, type OpenView } from "../view.ts";
import type { Choosing } from "./choosing.ts";

export type KeyHandlers = {
  readonly choosing: Choosing;
  open(): void;
  menu(hit: Hit): void;
  /** Called when Space is pressed. While Space is held, a drag moves the view. */
  pan(): void;
};

/** Handles the keys of the canvas. Returns whether the key was handled. */
export function onCanvasKey(event: KeyboardEvent, view: OpenView, { choosing, open, menu, pan }: KeyHandlers): boolean {
  const { camera } = view;
  return runCommand(event, "view", {
    arrows: ({ key, shiftKey }) => step(view, choosing, directions[key] ?? "down", shiftKey),
    enter: () => enter(view, choosing, open),
    escape: () => leave(view, choosing),
    first: () => toFirst(view, choosing),
    menu: () => showMenu(view, menu),
    all: () => choosing.selectAll(view.thingsOf(view.scene.value.cards.keys())),
    allAfter() {
      const at = cardOf(view.selection.focus.value, view.source.editor.store);
      if (at !== undefined) choosing.selectAll(view.thingsOf(cardsAfter(view.scene.value, at)));
    },
    pan,
    zoomIn: () => camera.zoomTo(camera.zoom * 1.25),
    zoomOut: () => camera.zoomTo(camera.zoom / 1.25),
    fullSize: () => camera.zoomTo(1),
    fit: () => camera.fit(),
    fitChosen: () => fitChosen(view),
  });
}

/** Moves the focus to the next card, or to the next row within a card. With `isMore`, extends the selection instead. */
function step(view: OpenView, choosing: Choosing, direction: Direction, isMore: boolean): boolean {
  const { store } = view.source.editor;
  const now = view.selection.focus.value;
  const cards = view.scene.value.cards;
  const card = cards.get(cardOf(now, store) ?? "");
  if (!card) return toFirst(view, choosing);
  const isInside = now?.kind === "block" || now?.kind === "item";
  if (isInside && (direction === "up" || direction === "down")) {
    const by = direction === "down" ? 1 : -1;
    const row = isMore ? blockBeside(card, now.blockId ?? now.id, by) : rowBeside(card, now, by);
    if (row && isMore) choosing.extendTo({ kind: "block", id: row.blockId });
    else if (row) selectRow(view, choosing, row);
    if (row && isMore) revealRow(view, row);
    return true;
  }
  const next = nextCard(cards.values(), card, direction);
  if (!next) return true;
  if (isMore) choosing.extendTo({ kind: next.kind, id: next.id });
  else choosing.choose(next.id);
  view.camera.reveal(next.id);
  return true;
}

function toFirst(view: OpenView, choosing: Choosing): boolean {
  const cards = [...view.scene.value.cards.values()];
  const first = cards.find(({ kind }) => kind === "event") ?? cards[0];
  if (!first) return true;
  choosing.choose(first.id);
  view.camera.reveal(first.id);
  return true;
}

/**
 * Moves the focus from a card to its first row, or opens the form of the focused object. Without a focus, selects the
 * first card.
 */
function enter(view: OpenView, choosing: Choosing, open: () => void): boolean {
  const now = view.selection.focus.value;
  if (!now) return toFirst(view, choosing);
  const card = view.scene.value.cards.get(now.id);
  const first = now.kind === "group" ? card?.rows.find(selectionOfRow) : undefined;
  if (first) selectRow(view, choosing, first);
  else open();
  return true;
}

/**
 * Moves the focus one level up: from an outlet to its item or block, from an item to its block, from a block to its
 * card. From a card, clears the selection.
 */
function leave(view: OpenView, choosing: Choosing): boolean {
  const { store } = view.source.editor;
  const now = view.selection.focus.value;
  // If several blocks are selected, only the focused block stays selected.
  if (now?.kind === "block" && view.selection.blocks.value.length > 1) choosing.select(now);
  else if (now?.part !== undefined) {
    const { part: _, ...whole } = now;
    choosing.select(whole);
  } else if (now?.kind === "item" && now.blockId !== undefined) choosing.select({ kind: "block", id: now.blockId });
  else if (now?.kind === "block") {
    const groupId = store.find.block(now.id)?.groupId;
    if (groupId !== undefined) choosing.choose(groupId);
  } else if (view.selection.now.value.kind !== "nothing") choosing.clear();
  else return false;
  return true;
}

function showMenu(view: OpenView, menu: KeyHandlers["menu"]): boolean {
  const { store } = view.source.editor;
  const now = view.selection.focus.value;
  const id = cardOf(now, store);
  const card = view.scene.value.cards.get(id ?? "");
  if (!now || !card) menu({ kind: "ground" });
  else if (now.kind === "block") menu({ kind: "row", id: card.id, blockId: now.id });
  else if (now.kind === "item") menu({ kind: "item", id: card.id, blockId: now.blockId ?? "", itemId: now.id });
  else menu({ kind: "card", id: card.id, of: card.kind });
  return true;
}

function selectRow(view: OpenView, choosing: Choosing, row: CardRow): void {
  choosing.select(selectionOfRow(row));
  revealRow(view, row);
}

function revealRow(view: OpenView, { blockId, y: top, height }: CardRow): void {
  const place = view.scene.value.rowOf(blockId);
  if (!place) return;
  const { x, y, width } = place.card.box;
  view.camera.reveal({ x, y: y + top, width, height });
}

function blockBeside({ rows }: Card, blockId: string, by: 1 | -1): CardRow | undefined {
  const blocks = rows.filter(({ kind }) => kind === "block");
  const index = blocks.findIndex((row) => row.blockId === blockId);
  return index < 0 ? undefined : blocks[index + by];
}

function rowBeside(card: Card, at: FlowThing, by: 1 | -1): CardRow | undefined {
  const rows = card.rows.filter(selectionOfRow);
  return rows[rows.findIndex((row) => isRowOf(row, at)) + by];
}
