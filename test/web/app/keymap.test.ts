import { afterEach, expect, test } from "bun:test";
import { Glob } from "bun";
import {
  isPressed,
  type KeyPress,
  keyLines,
  keymap,
  keysOf,
  type Place,
  runCommand,
  runItem,
} from "../../../src/web/app/keys/keymap.ts";
import { setLetterKeys } from "../../../src/web/app/keys/letter-keys.ts";
import canvasMenuWords from "../../../src/web/app/words/en/canvas-menu.json";
import keyWords from "../../../src/web/app/words/en/key.json";
import { currentWords } from "../../../src/web/app/words/language.ts";

type Shortcut = {
  readonly in: readonly Place[];
  readonly keys: readonly string[];
  readonly also?: readonly string[];
  readonly inMenus?: readonly Place[];
};

const shortcuts: readonly (readonly [command: string, shortcut: Shortcut])[] = Object.entries(keymap);

function press(key: string, more: Partial<KeyPress> = {}): KeyPress {
  const none = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, defaultPrevented: false };
  return { key, ...none, composedPath: () => [], ...more };
}

/** Splits keys: "Alt ↑ ↓" becomes "Alt ↑" and "Alt ↓". */
function each(keys: string): readonly string[] {
  const parts = keys.split(" ");
  const held = parts.filter((part) => ["Mod", "Alt", "Shift"].includes(part));
  return parts.filter((part) => !held.includes(part)).map((part) => [...held, part].join(" "));
}

afterEach(() => setLetterKeys(true));

test("no two shortcuts of one area have the same keys", () => {
  const used = shortcuts.flatMap(([, { in: places, inMenus = [], keys, also = [] }]) =>
    [...places, ...inMenus].flatMap((place) => [...keys, ...also].flatMap(each).map((one) => `${place}: ${one}`)),
  );
  expect(used.filter((one, at) => used.indexOf(one) !== at)).toEqual([]);
});

test("the list of all keys contains every shortcut once", () => {
  const lines = (["everywhere", "inFlow", "inComparison"] as const).flatMap((part) => [...keyLines(part)]);
  expect(lines.flatMap(([, keys]) => keys).sort()).toEqual(shortcuts.flatMap(([, { keys }]) => keys).sort());
  const names = lines.map(([line]) => String(line));
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  expect(Object.keys(currentWords(keyWords).list).filter((name) => !names.includes(name))).toEqual([]);
  // All other keys have the text of their menu item.
  const others = names.filter((name) => !Object.hasOwn(currentWords(keyWords).list, name));
  expect(others).toContain("chooseAfter");
  expect(others.filter((name) => !Object.hasOwn(currentWords(canvasMenuWords).menu, name))).toEqual([]);
});

test("every menu shortcut has an item in a menu", async () => {
  const root = `${import.meta.dir}/../../../src/web/app`;
  const paths = [...new Glob("**/*.{ts,tsx}").scanSync(root)].filter((path) => !path.startsWith("keys/"));
  const text = (await Promise.all(paths.map((path) => Bun.file(`${root}/${path}`).text()))).join("\n");
  const places = new Set(shortcuts.flatMap(([, shortcut]) => shortcut.in));
  const listening = [...places].filter((place) =>
    new RegExp(`runCommand\\(event, "${place}"|useCommands\\(\\s*"${place}"`).test(text),
  );
  // The browser has separate events for dialogs and the clipboard.
  expect([...places].filter((place) => !listening.includes(place))).toEqual(["dialog", "clipboard"]);
  const inMenus = shortcuts.flatMap(([command, { inMenus: menus }]) => (menus ? [command] : []));
  const absent = inMenus.filter((one) => !text.includes(`command: "${one}"`) && !text.includes(`keysOf("${one}")`));
  expect(absent).toEqual([]);
});

test("a key matches a shortcut only with the exact modifiers", () => {
  const ctrl = { ctrlKey: true };
  const shift = { shiftKey: true };
  expect(isPressed(press("Z", { ...ctrl, ...shift }), "Mod Shift Z")).toBe(true);
  expect(isPressed(press("z", ctrl), "Mod Shift Z")).toBe(false);
  expect(isPressed(press("z", { metaKey: true }), "Mod Z")).toBe(true);
  expect(isPressed(press("z"), "Mod Z")).toBe(false);
  expect(isPressed(press("z", { ...ctrl, altKey: true }), "Mod Z")).toBe(false);
  expect(isPressed(press("F3", shift), "F3")).toBe(false);
  // A French keyboard has the full stop above Shift, and with Caps Lock a letter arrives as a capital.
  expect(isPressed(press(".", { ...ctrl, ...shift }), "Mod .")).toBe(true);
  expect(isPressed(press("C"), "C")).toBe(true);
  expect(isPressed(press("ArrowLeft", { altKey: true }), "Alt ↑ ↓ ← →")).toBe(true);
  expect(isPressed(press("Shift", { altKey: true, ...shift }), "Alt Shift ↑ ↓ ← →")).toBe(false);
});

test("a handler that returns false leaves the key to other handlers", () => {
  const finding = { find: () => false, findNext: () => undefined, findBefore: () => true };
  expect(runCommand(press("f", { ctrlKey: true }), "finding", finding)).toBe(false);
  expect(runCommand(press("F3"), "finding", finding)).toBe(true);
  expect(runCommand(press("F4"), "finding", finding)).toBe(false);
});

test("single letters do nothing once single-letter shortcuts are disabled", () => {
  const steps: string[] = [];
  const handlers = { nextDifference: () => steps.push("next"), lastDifference: () => steps.push("last") };
  setLetterKeys(false);
  expect(runCommand(press("n"), "comparison", handlers)).toBe(false);
  expect(runItem(press("m"), "outline", () => [])).toBe(false);
  runCommand(press("ArrowUp", { altKey: true }), "comparison", handlers);
  setLetterKeys(true);
  runCommand(press("n"), "comparison", handlers);
  expect(steps).toEqual(["last", "next"]);
});

test("a menu shortcut activates its item, unless the item is disabled", async () => {
  const chosen: string[] = [];
  const items = (isDisabled: boolean) => () => [
    { label: "Remove", keys: keysOf("remove"), onPress: () => void chosen.push("remove") },
    { label: "Move to…", keys: keysOf("moveTo"), isDisabled, onPress: () => void chosen.push("move") },
  ];
  expect(runItem(press("m"), "outline", items(false))).toBe(true);
  expect(runItem(press("m"), "outline", items(true))).toBe(true);
  expect(runItem(press("Delete"), "outline", items(false))).toBe(false);
  await Promise.resolve();
  await Promise.resolve();
  expect(chosen).toEqual(["move"]);
});
