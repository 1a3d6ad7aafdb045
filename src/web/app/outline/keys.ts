import { type Handlers, runCommand, runItem } from "../keys/keymap.ts";
import { isSilent } from "../keys/letter-keys.ts";
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
  if (isSilent(event)) return true;
  const handlers: Handlers<"outline"> = {
    ...{ enter: keys.open, rename: keys.open, escape: keys.unmark, all: keys.markAll },
    menu: () => keys.showMenu(active),
    up: () => actions.shift(active, -1),
    down: () => actions.shift(active, 1),
    followOn: () => actions.follow("on"),
    followBack: () => actions.follow("back"),
    connect: () => actions.lead(active),
    addItem: () => actions.addItem(active),
    ...{ addBlock: actions.addBlock, duplicate: actions.duplicate, remove: actions.remove },
  };
  return (
    runCommand(event, "outline", handlers) ||
    runItem(event, "outline", () => actions.menuOf(active)) ||
    move(event, keys, active)
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
  if (kind === "item") return rows.find(({ key }) => key === `block:${blockId}`);
  return kind === "block" ? rows.find(({ key }) => key === `group:${groupId}`) : undefined;
}
