import { follow } from "../canvas-acts/keys.ts";
import { isBeside } from "../editor/selection.ts";
import { type Handlers, runCommand, runItem } from "../keys/keymap.ts";
import { isSilent } from "../keys/letter-keys.ts";
import type { Actions } from "./actions.ts";
import { type Row, thingOf } from "./rows.ts";

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

/**
 * Handles the keys of the outline, according to the tree grid pattern and the canvas keymap. Returns true if the key
 * was handled or must be ignored.
 */
export function onOutlineKey(event: KeyboardEvent, keys: Keys): boolean {
  if (event.target instanceof HTMLElement && event.target.matches("input, textarea, [contenteditable]")) return false;
  const { active } = keys;
  const { acts, context } = keys.actions;
  if (!active) return false;
  if (isSilent(event)) return true;
  const shift = (by: -1 | 1): void => {
    const thing = thingOf(active);
    if (!isBeside(thing)) void acts.shift(thing, by);
  };
  const handlers: Handlers<"outline"> = {
    ...{ enter: keys.open, rename: keys.open, escape: keys.unmark, all: keys.markAll },
    menu: () => keys.showMenu(active),
    up: () => shift(-1),
    down: () => shift(1),
    followOn: () => follow(acts, context, "on"),
    followBack: () => follow(acts, context, "back"),
    ...{ connect: acts.askLead, addItem: acts.addItem, duplicate: acts.duplicateChosen, remove: acts.removeChosen },
    nextComment: () => context.comment?.("next"),
    addBlock: keys.actions.addBlock,
  };
  return (
    runCommand(event, "outline", handlers) || runItem(event, "outline", keys.actions.menu) || move(event, keys, active)
  );
}

function move(event: KeyboardEvent, { rows, activeIndex, pageRows, go, toggle }: Keys, active: Row): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
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

function parentOf(rows: readonly Row[], { kind, groupId, blockId }: Row): Row | undefined {
  if (kind === "item" || kind === "way") return rows.find(({ key }) => key === `block:${blockId}`);
  return kind === "block" ? rows.find(({ key }) => key === `group:${groupId}`) : undefined;
}
