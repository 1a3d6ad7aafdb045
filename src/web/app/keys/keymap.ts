import type { MenuItem } from "../ui/index.ts";
import type { WordsOf } from "../words/index.ts";
import { isSilent } from "./letter-keys.ts";

/**
 * The scope of a shortcut. For "dialog" and "clipboard", the browser fires its own events. "page", "bot", "flow",
 * "finding" and "comparison" listen everywhere; the remaining scopes listen only while they have the focus. "view" is
 * any canvas, "canvas" a canvas with actions, "row" a row of a card, and "entry" a list entry in a form.
 */
export type Place =
  | ("dialog" | "clipboard")
  | ("page" | "bot" | "flow" | "finding" | "comparison")
  | ("view" | "canvas" | "row" | "outline" | "entry");

type MenuWords = WordsOf<"canvasMenu">["menu"];

/**
 * The key of a label in the list of shortcuts. The label is one of the list's own texts or a text of the canvas menu.
 */
export type KeyLine =
  | keyof WordsOf<"key">["list"]
  | { [Name in keyof MenuWords]: MenuWords[Name] extends string ? Name : never }[keyof MenuWords];

type Shortcut = {
  readonly in: readonly Place[];
  /** The displayed keys: modifiers followed by one key or several alternatives. Menus show the first combination. */
  readonly keys: readonly string[];
  /** Additional keys for the command, which are not displayed. */
  readonly also?: readonly string[];
  /** The label of the command in the list of shortcuts. Several commands may share a label. */
  readonly line: KeyLine;
  /** The scopes in which the shortcut selects the menu item of this command. No handler is required in these scopes. */
  readonly inMenus?: readonly Place[];
};

/** Every shortcut of the builder by command, in the order of the list of shortcuts. */
export const keymap = {
  palette: { in: ["page"], keys: ["Mod K"], line: "palette" },
  help: { in: ["page"], keys: ["?"], line: "help" },
  escape: { in: ["dialog", "view", "canvas", "outline"], keys: ["Esc"], line: "escape" },
  arrows: { in: ["view"], keys: ["↑", "↓", "←", "→"], also: ["Shift ↑ ↓ ← →"], line: "arrows" },
  first: { in: ["view"], keys: ["Home"], line: "first" },
  move: { in: ["canvas"], keys: ["Alt ↑ ↓ ← →"], line: "move" },
  moveFar: { in: ["canvas"], keys: ["Alt Shift ↑ ↓ ← →"], line: "moveFar" },
  up: { in: ["row", "outline", "entry"], keys: ["Alt ↑"], also: ["Alt Shift ↑"], line: "shift" },
  down: { in: ["row", "outline", "entry"], keys: ["Alt ↓"], also: ["Alt Shift ↓"], line: "shift" },
  enter: { in: ["view", "canvas", "outline"], keys: ["Enter"], also: ["Shift Enter"], line: "enter" },
  followOn: { in: ["canvas", "outline"], keys: ["]"], line: "follow" },
  followBack: { in: ["canvas", "outline"], keys: ["["], line: "follow" },
  connect: { in: ["canvas", "outline"], keys: ["C"], line: "connect" },
  addBlock: { in: ["canvas", "outline"], keys: ["A"], line: "add" },
  addItem: { in: ["canvas", "outline"], keys: ["I"], line: "addItem" },
  moveTo: { in: [], keys: ["M"], line: "moveTo", inMenus: ["outline"] },
  comment: { in: ["canvas"], keys: ["M"], line: "comment" },
  nextComment: { in: ["canvas", "outline"], keys: ["N"], line: "nextComment" },
  remove: { in: ["canvas", "outline"], keys: ["Del"], also: ["Backspace"], line: "remove" },
  rename: { in: ["canvas", "outline"], keys: ["F2"], line: "rename" },
  play: { in: ["canvas"], keys: ["P"], line: "play", inMenus: ["outline"] },
  undo: { in: ["bot"], keys: ["Mod Z"], line: "undo" },
  redo: { in: ["bot"], keys: ["Mod Shift Z"], also: ["Mod Y"], line: "redo" },
  copy: { in: ["clipboard"], keys: ["Mod C"], line: "copy" },
  cut: { in: ["clipboard"], keys: ["Mod X"], line: "copy" },
  paste: { in: ["clipboard"], keys: ["Mod V"], line: "copy" },
  duplicate: { in: ["canvas", "outline"], keys: ["Mod D"], line: "duplicate" },
  all: { in: ["view", "canvas", "outline"], keys: ["Mod A"], line: "all" },
  allAfter: { in: ["view"], keys: ["Mod Shift A"], line: "chooseAfter" },
  find: { in: ["flow", "finding"], keys: ["Mod F"], line: "find" },
  findNext: { in: ["finding"], keys: ["F3"], also: ["Mod G"], line: "findNext" },
  findBefore: { in: ["finding"], keys: ["Shift F3"], also: ["Mod Shift G"], line: "findNext" },
  switchView: { in: ["flow"], keys: ["Mod ."], line: "outline" },
  pan: { in: ["view"], keys: ["Space"], line: "pan" },
  zoomIn: { in: ["view"], keys: ["+"], also: ["="], line: "zoom" },
  zoomOut: { in: ["view"], keys: ["-"], line: "zoom" },
  fullSize: { in: ["view"], keys: ["0"], line: "fit" },
  fit: { in: ["view"], keys: ["1"], line: "fit" },
  fitChosen: { in: ["view"], keys: ["2"], line: "fit" },
  menu: { in: ["view", "canvas", "outline"], keys: ["Shift F10"], also: ["ContextMenu"], line: "menu" },
  nextDifference: { in: ["comparison"], keys: ["N", "Alt ↓"], line: "difference" },
  lastDifference: { in: ["comparison"], keys: ["P", "Alt ↑"], line: "difference" },
} as const satisfies Readonly<Record<string, Shortcut>>;

const shortcuts: ReadonlyMap<string, Shortcut> = new Map(Object.entries(keymap));

export type Command = keyof typeof keymap;

type CommandIn<P extends Place> = {
  [C in Command]: P extends (typeof keymap)[C]["in"][number] ? C : never;
}[Command];

export type KeyPress = Pick<
  KeyboardEvent,
  "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey" | "defaultPrevented" | "composedPath"
>;

/** The handlers of a scope by command. A handler returns false to leave the key to other handlers. */
export type Handlers<P extends Place> = { readonly [C in CommandIn<P>]: (event: KeyPress) => unknown };

/**
 * Returns the first key combination of a command for menus and tooltips, or undefined if the command has no shortcut.
 */
export function keysOf(command: string): string | undefined {
  return shortcuts.get(command)?.keys[0];
}

/** Returns the labels of a part of the list of shortcuts, with the keys of their commands. */
export function keyLines(part: "everywhere" | "inFlow" | "inComparison"): ReadonlyMap<KeyLine, readonly string[]> {
  const of = [...shortcuts.values()].filter(({ in: [place] }) => partOf(place) === part);
  const lines = Map.groupBy(of, ({ line }) => line);
  return new Map([...lines].map(([line, commands]) => [line, commands.flatMap(({ keys }) => keys)]));
}

function partOf(place: Place | undefined): Parameters<typeof keyLines>[0] {
  if (place === "page" || place === "dialog") return "everywhere";
  return place === "comparison" ? "inComparison" : "inFlow";
}

/** Runs the command of a pressed key. Returns whether the key was handled. */
export function runCommand<P extends Place>(event: KeyPress, place: P, handlers: Handlers<P>): boolean {
  if (isSilent(event)) return false;
  const isMeant = (name: string): name is CommandIn<P> => {
    const shortcut = shortcuts.get(name);
    return shortcut?.in.includes(place) === true && isShortcut(event, shortcut);
  };
  const command = shortcuts.keys().find(isMeant);
  return command !== undefined && handlers[command](event) !== false;
}

/**
 * Selects a menu item by its shortcut. Returns whether the key is the shortcut of a menu item in this scope. `items`
 * may load the items asynchronously.
 */
export function runItem(
  event: KeyPress,
  place: Place,
  items: () => readonly MenuItem[] | Promise<readonly MenuItem[]>,
): boolean {
  const shortcut = shortcuts.values().find((one) => one.inMenus?.includes(place) && isShortcut(event, one));
  if (!shortcut || isSilent(event)) return false;
  void Promise.resolve(items()).then((all) => {
    const item = all.find((one) => "keys" in one && one.keys === shortcut.keys[0]);
    if (item && "onPress" in item && !item.isDisabled) item.onPress();
  });
  return true;
}

/** Whether a key zooms or fits the view of a canvas. */
export function isViewKey(event: KeyPress): boolean {
  return shortcuts.values().some((one) => (one.line === "zoom" || one.line === "fit") && isShortcut(event, one));
}

function isShortcut(event: KeyPress, { keys, also = [] }: Shortcut): boolean {
  return [...keys, ...also].some((one) => isPressed(event, one));
}

const modifiers: readonly string[] = ["Mod", "Alt", "Shift"];

/** The browser's names of keys that differ from the names in the keymap. */
const browserNames: Readonly<Record<string, string>> = {
  ...{ "↑": "ArrowUp", "↓": "ArrowDown", "←": "ArrowLeft", "→": "ArrowRight" },
  ...{ Del: "Delete", Esc: "Escape", Space: " " },
};

/**
 * Whether the given keys are pressed. Shift is checked only for named keys and for letters with Ctrl or ⌘, because
 * other characters require Shift on some keyboards.
 */
export function isPressed(event: KeyPress, keys: string): boolean {
  const parts = keys.split(" ");
  const key = event.key.toLowerCase();
  const isCommand = event.ctrlKey || event.metaKey;
  const isAnyShift = key.length === 1 && key !== " " && !(isCommand && /[a-z]/.test(key));
  return (
    parts.includes("Mod") === isCommand &&
    parts.includes("Alt") === event.altKey &&
    (isAnyShift || parts.includes("Shift") === event.shiftKey) &&
    parts.some((part) => !modifiers.includes(part) && (browserNames[part] ?? part).toLowerCase() === key)
  );
}
