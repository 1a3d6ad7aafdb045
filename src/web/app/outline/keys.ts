import { isLetterKey, letterKeys } from "../editor/letter-keys.ts";
import type { Actions } from "./actions.tsx";
import type { Row } from "./rows.ts";

type Keys = {
  readonly rows: readonly Row[];
  readonly active: Row | undefined;
  readonly activeIndex: number;
  readonly pageRows: number;
  readonly go: (row: Row | undefined, options?: { readonly isExtending?: boolean }) => void;
  readonly toggle: (row: Row) => void;
  readonly open: () => void;
  readonly markAll: () => void;
  readonly unmark: () => void;
  readonly showMenu: (row: Row) => void;
  readonly actions: Actions;
};

/** Keys of the outline, by its pattern (tree grid) and as the canvas has them. Tells whether one was meant for it. */
export function onOutlineKey(event: KeyboardEvent, keys: Keys): boolean {
  if (event.target instanceof HTMLElement && event.target.matches("input, textarea, [contenteditable]")) return false;
  const { active, actions } = keys;
  if (!active) return false;
  const isCommand = event.ctrlKey || event.metaKey;
  if (isCommand) return onCommandKey(event.key.toLowerCase(), keys);
  if (event.altKey) {
    if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return false;
    actions.shift(active, event.key === "ArrowUp" ? -1 : 1);
    return true;
  }
  if (event.shiftKey && event.key === "F10") {
    keys.showMenu(active);
    return true;
  }
  // Switched off, single letters do nothing at all, so that nothing else takes them either.
  if (isLetterKey(event)) return !letterKeys.peek() || onLetter(event.key.toLowerCase(), keys, active);
  return move(event, keys, active) || act(event.key, keys, active);
}

function onCommandKey(key: string, { actions, markAll }: Keys): boolean {
  switch (key) {
    case "d":
      actions.duplicate();
      return true;
    case "a":
      markAll();
      return true;
    default:
      // Copy, cut and paste come as events of their own.
      return false;
  }
}

function move(event: KeyboardEvent, { rows, activeIndex, pageRows, go, toggle }: Keys, active: Row): boolean {
  const options = { isExtending: event.shiftKey };
  const to = (index: number): true => {
    go(rows[Math.max(0, Math.min(rows.length - 1, index))], options);
    return true;
  };
  switch (event.key) {
    case "ArrowDown":
      return to(activeIndex + 1);
    case "ArrowUp":
      return to(activeIndex - 1);
    case "PageDown":
      return to(activeIndex + pageRows);
    case "PageUp":
      return to(activeIndex - pageRows);
    case "Home":
      return to(0);
    case "End":
      return to(rows.length - 1);
    case "ArrowRight":
      if (active.isOpen === false) toggle(active);
      else if (active.isOpen === true) return to(activeIndex + 1);
      return true;
    case "ArrowLeft":
      if (active.isOpen === true) toggle(active);
      else go(parentOf(rows, active));
      return true;
    default:
      return false;
  }
}

function act(key: string, { open, unmark, showMenu, actions }: Keys, active: Row): boolean {
  switch (key) {
    case "Enter":
      open();
      return true;
    case "F2":
      open();
      return true;
    case "Escape":
      unmark();
      return true;
    case "Delete":
    case "Backspace":
      actions.remove();
      return true;
    case "ContextMenu":
      showMenu(active);
      return true;
    default:
      return false;
  }
}

function onLetter(key: string, { actions }: Keys, active: Row): boolean {
  switch (key) {
    case "a":
      actions.addBlock();
      return true;
    case "c":
      actions.lead(active);
      return true;
    case "i":
      actions.addItem(active);
      return true;
    case "m":
      actions.moveTo();
      return true;
    case "]":
      actions.follow("on");
      return true;
    case "[":
      actions.follow("back");
      return true;
    default:
      return false;
  }
}

function parentOf(rows: readonly Row[], { kind, groupId, blockId }: Row): Row | undefined {
  if (kind === "item") return rows.find(({ key }) => key === `block:${blockId}`);
  return kind === "block" ? rows.find(({ key }) => key === `group:${groupId}`) : undefined;
}
