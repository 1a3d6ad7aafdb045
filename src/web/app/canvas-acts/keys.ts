import type { EdgeShape, Point, View } from "../canvas/contract.ts";
import { isLetterKey, letterKeys } from "../editor/letter-keys.ts";
import { announce } from "../ui/index.ts";
import { canvasActWords } from "../words/flow-canvas-acts.ts";
import type { ActContext } from "./act-context.ts";
import type { Acts } from "./acts.ts";
import { editOnCard } from "./edit-on-card.ts";
import { boxOf, stepBeside } from "./gestures/step-beside.ts";
import { chooseAll } from "./menu/choose-all.ts";
import { showMenu } from "./menu/show-menu.ts";

const step = 8;
const farStep = 64;

/** Keys of the actions on the canvas; moving about is the canvas's own. Returns whether a key was meant for it. */
export function createKeys(acts: Acts, context: ActContext): (event: KeyboardEvent) => boolean {
  const { view, state, act } = context;
  return (event) => {
    if (event.target instanceof HTMLElement && event.target.matches("input, textarea, select, [contenteditable]"))
      return false;
    // The requested action is loading, and takes the keys.
    if (state.asking.peek()) return true;
    if (event.key === "Escape") return backOut();
    if (stepBeside(acts, view, state, event)) return true;
    if (isMenuKey(event) && state.beside.peek().length > 0) return menuBeside();
    const isReadOnly = view.source.editor.readOnly.peek() !== undefined;
    if (isLetterKey(event)) {
      // Switched off, they do nothing at all, so that nothing else takes them either.
      if (!letterKeys.peek()) return true;
      return onLetter(event.key, isReadOnly);
    }
    const isCommand = event.ctrlKey || event.metaKey;
    if (isCommand && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "a") {
      chooseAll(acts, context);
      return true;
    }
    if (isReadOnly) return false;
    if (isCommand && !event.altKey && event.key.toLowerCase() === "d") {
      acts.duplicateChosen();
      return true;
    }
    if (isCommand) return false;
    const by = event.altKey ? arrowBy(event.key, event.shiftKey ? farStep : step) : undefined;
    if (by) {
      // A row has its place in its card.
      const row = acts.chosen.focused();
      if (row && by.y !== 0) void acts.shift(row, by.y < 0 ? -1 : 1);
      else acts.move(by);
      return true;
    }
    return onNamed(event.key);
  };

  function onLetter(key: string, isReadOnly: boolean): boolean {
    switch (key) {
      case "]":
        follow(acts, context, "on");
        return true;
      case "[":
        follow(acts, context, "back");
        return true;
      case "p":
      case "P": {
        const at = view.source.editor.selection.peek();
        if (at) act("play", at);
        else acts.nothing();
        return true;
      }
      case "c":
      case "C":
        if (!isReadOnly) askLead();
        return true;
      case "a":
      case "A":
        if (!isReadOnly) state.asking.value = { kind: "block", place: acts.placeForBlock() };
        return true;
      case "i":
      case "I":
        if (!isReadOnly) acts.addItem();
        return true;
      default:
        return false;
    }
  }

  function onNamed(key: string): boolean {
    switch (key) {
      case "Delete":
      case "Backspace":
        acts.removeChosen();
        return true;
      case "F2":
        rename(acts, context);
        return true;
      case "Enter": {
        const beside = state.beside.peek().at(-1);
        // A card without rows has nothing to go into but its title.
        const [id = ""] = acts.chosen.focused() ? [] : acts.chosen.idsOf("group");
        if (!beside && view.scene.peek().cards.get(id)?.rows.length !== 0) return false;
        rename(acts, context);
        return true;
      }
      default:
        return false;
    }
  }

  function menuBeside(): boolean {
    const beside = state.beside.peek().at(-1);
    const box = beside && boxOf(acts, beside);
    if (!box) return false;
    const world = { x: box.x + 24, y: box.y + 24 };
    void showMenu(acts, context, { hit: beside, at: view.toScreen(world), world });
    return true;
  }

  function backOut(): boolean {
    const isBusy = state.connecting.peek() !== undefined || state.beside.peek().length > 0;
    state.connecting.value = undefined;
    state.beside.value = [];
    return isBusy;
  }

  function askLead(): void {
    const ports = acts.chosen.edge() ? [] : acts.chosen.portsOf();
    const edge = acts.chosen.edge();
    const [port] = ports;
    if (edge) state.asking.value = { kind: "lead", from: edge.port.outlet };
    else if (ports.length > 1) state.asking.value = { kind: "port", ports };
    else if (port) state.asking.value = { kind: "lead", from: port.outlet };
    else acts.nothing();
  }
}

/** Along the line that leads on, or back along the one that leads here. */
export function follow(acts: Acts, { view, state }: ActContext, way: "on" | "back"): void {
  const edges = edgesOn(acts, view, way);
  const [edge] = edges;
  if (edges.length > 1) state.asking.value = { kind: "edge", edges, way };
  else if (edge) goAlong(view, edge, way);
  else announce(canvasActWords.peek().follow.none, "assertive");
}

/** Renames the selection: a note, a frame, a group or a text in its place, anything else in its form. */
export function rename(acts: Acts, context: ActContext): void {
  const { state, open } = context;
  const beside = state.beside.peek().at(-1);
  if (beside) {
    acts.write(beside);
    return;
  }
  const row = acts.chosen.focused();
  if (row?.kind === "block" && !row.part && editOnCard(context, { id: "", blockId: row.id })) return;
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
  const edges = view.scene.peek().edgesOf(cardId);
  if (way === "back") return edges.filter(({ toCardId }) => toCardId === cardId);
  const keys = new Set(row ? acts.chosen.portsOf().map(({ key }) => key) : []);
  return edges.filter(
    ({ port, toCardId }) =>
      port.cardId === cardId && toCardId !== undefined && (row === undefined || keys.size === 0 || keys.has(port.key)),
  );
}

/** Chooses the card at an end of a line, and shows it. */
export function goAlong(view: View, edge: EdgeShape, way: "on" | "back"): void {
  const id = way === "on" ? edge.toCardId : edge.port.cardId;
  const card = view.scene.peek().cards.get(id ?? "");
  if (!card) return;
  view.chosenEdge.value = undefined;
  view.chosen.value = new Set([card.id]);
  view.source.editor.selection.value = { kind: card.kind, id: card.id };
  view.camera.reveal(card.id);
}

function isMenuKey({ key, shiftKey }: KeyboardEvent): boolean {
  return key === "ContextMenu" || (key === "F10" && shiftKey);
}

function arrowBy(key: string, by: number): Point | undefined {
  switch (key) {
    case "ArrowLeft":
      return { x: -by, y: 0 };
    case "ArrowRight":
      return { x: by, y: 0 };
    case "ArrowUp":
      return { x: 0, y: -by };
    case "ArrowDown":
      return { x: 0, y: by };
    default:
      return undefined;
  }
}
