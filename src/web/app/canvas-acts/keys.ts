import type { EdgeShape, Point, View } from "../canvas/contract.ts";
import { isBeside, thingsOf } from "../editor/selection.ts";
import { type Handlers, type KeyPress, runCommand, runItem } from "../keys/keymap.ts";
import { isSilent } from "../keys/letter-keys.ts";
import { announce } from "../ui/index.ts";
import canvasActWords from "../words/en/canvas-act.json";
import { currentWords } from "../words/language.ts";
import type { ActContext } from "./act-context.ts";
import type { Acts } from "./acts.ts";
import { editOnCard, meantBy } from "./edit-on-card.ts";
import { boxOf, stepBeside } from "./gestures/step-beside.ts";
import { chooseAll } from "./menu/choose-all.ts";
import { showMenu } from "./menu/show-menu.ts";

const steps = { move: 8, moveFar: 64 } as const;

/**
 * Returns the key handler for the canvas actions. The canvas itself handles the keys for navigation. The handler
 * returns whether it handled the key.
 */
export function createKeys(acts: Acts, context: ActContext): (event: KeyboardEvent) => boolean {
  const { view, state, act } = context;
  const { selection } = view;
  const handlers: Handlers<"canvas"> = {
    escape: backOut,
    menu: menuBeside,
    followOn: () => follow(acts, context, "on"),
    followBack: () => follow(acts, context, "back"),
    play() {
      const at = selection.focus.value;
      if (at) act?.("play", at);
      else acts.nothing();
    },
    comment: () => context.comment?.("add"),
    nextComment: () => context.comment?.("next"),
    all: () => chooseAll(acts, context),
    connect: editing(acts.askLead),
    addBlock: editing(() => (state.asking.value = { kind: "block", place: acts.placeForBlock() })),
    addItem: editing(acts.addItem),
    duplicate: editing(acts.duplicateChosen),
    remove: editing(acts.removeChosen),
    rename: editing(() => rename(acts, context)),
    enter: editing(enterTitle),
    move: editing((event) => acts.move(arrowBy(event.key, steps.move))),
    moveFar: editing((event) => acts.move(arrowBy(event.key, steps.moveFar))),
  };
  return (event) => {
    if (event.target instanceof HTMLElement && event.target.matches("input, textarea, select, [contenteditable]"))
      return false;
    // While a dialog or a text editor is loading, keys must not act on a block. Escape cancels the loading.
    if (state.editing.value || state.asking.value) {
      if (event.key !== "Escape") return true;
      state.editing.value = undefined;
      state.asking.value = undefined;
      return true;
    }
    if (isSilent(event) || stepBeside(acts, view, event)) return true;
    const row = acts.chosen.focused();
    const shiftRow = (by: -1 | 1) => editing(() => row && void acts.shift(row, by));
    if (row && runCommand(event, "row", { up: shiftRow(-1), down: shiftRow(1) })) return true;
    return (
      runCommand(event, "canvas", handlers) ||
      runItem(event, "canvas", async () => {
        const { menuOfChosen, menuOfGround } = await import("./menu/menu.ts");
        return [...menuOfChosen(acts, context), ...menuOfGround(acts, context)];
      })
    );
  };

  /** Wraps an action that is not available in a read-only flow. */
  function editing(run: (event: KeyPress) => unknown): (event: KeyPress) => boolean {
    return (event) => view.source.editor.readOnly.value === undefined && run(event) !== false;
  }

  /**
   * Edits the selected note or frame, or the title of a card without rows. Returns false for any other selection, so
   * that Enter keeps its usual effect.
   */
  function enterTitle(): boolean {
    const [id = ""] = acts.chosen.focused() ? [] : acts.chosen.idsOf("group");
    if (!selection.beside.value.at(-1) && view.scene.value.cards.get(id)?.rows.length !== 0) return false;
    rename(acts, context);
    return true;
  }

  function menuBeside(): boolean {
    const beside = selection.beside.value.at(-1);
    const box = beside && boxOf(acts, beside);
    if (!box) return false;
    const world = { x: box.x + 24, y: box.y + 24 };
    void showMenu(acts, context, { hit: beside, at: view.toScreen(world), world });
    return true;
  }

  function backOut(): boolean {
    const hasBeside = selection.beside.value.length > 0;
    const isBusy = hasBeside || state.connecting.value !== undefined;
    state.connecting.value = undefined;
    if (hasBeside)
      selection.act({ kind: "selectAll", things: thingsOf(selection.now.value).filter((one) => !isBeside(one)) });
    return isBusy;
  }
}

/**
 * Selects the target of the outgoing edge, or the source of the incoming edge. If there are several edges, a dialog
 * asks for one of them.
 */
export function follow(acts: Acts, { view, state }: ActContext, way: "on" | "back"): void {
  const edges = edgesOn(acts, view, way);
  const [edge] = edges;
  if (edges.length > 1) state.asking.value = { kind: "edge", edges, way };
  else if (edge) goAlong(view, edge, way);
  else announce(currentWords(canvasActWords).follow.none, "assertive");
}

/**
 * Renames the selection. Notes, frames, groups and texts are edited on the canvas. For a block or an item without an
 * editable text, the title of its group is edited. Other objects, such as exits, are edited in the form.
 */
export function rename(acts: Acts, context: ActContext): void {
  const { view, open } = context;
  const beside = view.selection.beside.value.at(-1);
  if (beside) {
    acts.write(beside);
    return;
  }
  const row = acts.chosen.focused();
  if (row && editOnCard(context, meantBy(row))) return;
  if (row?.part !== undefined) {
    open({ hasFocus: true });
    return;
  }
  const id = acts.chosen.groupOfRow(row) ?? acts.chosen.idsOf("group")[0];
  if (id === undefined) open({ hasFocus: true });
  else editOnCard(context, { id });
}

function edgesOn(acts: Acts, view: View, way: "on" | "back"): readonly EdgeShape[] {
  const chosen = acts.chosen.edge();
  if (chosen) return [chosen];
  const row = acts.chosen.focused();
  const cardId = acts.chosen.groupOfRow(row) ?? acts.chosen.cardIds()[0] ?? "";
  const edges = view.scene.value.edgesOf(cardId);
  if (way === "back") return edges.filter(({ toCardId }) => toCardId === cardId);
  const keys = new Set(row ? acts.chosen.portsOf().map(({ key }) => key) : []);
  return edges.filter(
    ({ port, toCardId }) =>
      port.cardId === cardId && toCardId !== undefined && (row === undefined || keys.size === 0 || keys.has(port.key)),
  );
}

/** Selects the card at one end of an edge, and shows the card. */
export function goAlong(view: View, edge: EdgeShape, way: "on" | "back"): void {
  const id = way === "on" ? edge.toCardId : edge.port.cardId;
  const card = view.scene.value.cards.get(id ?? "");
  if (!card) return;
  view.selection.select({ kind: card.kind, id: card.id });
  view.camera.reveal(card.id);
}

function arrowBy(key: string, by: number): Point {
  const across = key === "ArrowLeft" ? -by : key === "ArrowRight" ? by : 0;
  return { x: across, y: across !== 0 ? 0 : key === "ArrowUp" ? -by : by };
}
