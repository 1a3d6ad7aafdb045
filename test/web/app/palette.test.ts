import { expect, test } from "bun:test";
import { search } from "../../../src/core/editing/references/search.ts";
import { eachOnce, entriesOfMenu, matching, type PaletteEntry } from "../../../src/web/app/palette/entries.ts";
import { screenOf, sectionAt } from "../../../src/web/app/screens/flow/find/places.ts";
import { wordsOf } from "../../../src/web/app/screens/flow/find/words-of.ts";
import { sections as themeSections } from "../../../src/web/app/screens/theme/sections.ts";
import { keysText } from "../../../src/web/app/ui/keys.ts";
import paletteWords from "../../../src/web/app/words/en/palette.json";
import shellWords from "../../../src/web/app/words/en/shell.json";
import { currentWords } from "../../../src/web/app/words/language.ts";
import { asDraft } from "../../core/editing/commands.ts";

// The bundler usually defines this constant.
Object.assign(globalThis, { hasGallery: false });
const { placesOf } = await import("../../../src/web/app/shell/palette/places.ts");

const nothing = () => {};
const act = (label: string, more: Partial<PaletteEntry> = {}): PaletteEntry => ({
  section: "acts",
  label,
  onPress: nothing,
  ...more,
});
const labels = (entries: readonly PaletteEntry[]) => entries.map(({ label }) => label);

test("keys have Mac symbols on a Mac and names on other computers", () => {
  expect(["Mod Shift Z", "Alt ↑", "Del", "F2", "Mod ."].map((keys) => keysText(keys, false))).toEqual([
    ...["Ctrl Shift Z", "Alt ↑", "Del", "F2", "Ctrl ."],
  ]);
  expect(["Mod Shift Z", "Alt ↑", "Del", "F2", "Mod ."].map((keys) => keysText(keys, true))).toEqual([
    ...["⇧⌘Z", "⌥↑", "⌫", "F2", "⌘."],
  ]);
});

test("all available actions are offered before anything is typed", () => {
  const menu = entriesOfMenu(
    [
      ...Array.from({ length: 20 }, (_, index) => ({ label: `Act ${index}`, onPress: nothing })),
      { kind: "line" },
      { label: "Not now", isDisabled: true, onPress: nothing },
    ],
    "chosen",
  );
  const entries = eachOnce([...menu, act("Act 3"), act("Undo"), act("Welcome", { section: "groups" })]);
  expect(labels(matching(entries, ""))).toEqual([...Array.from({ length: 20 }, (_, index) => `Act ${index}`), "Undo"]);
  expect(labels(matching(entries, "wel"))).toEqual(["Welcome"]);
});

test("a typed name without an entry can be searched for in the texts", () => {
  const typed: string[] = [];
  const find = act("Find", {
    onNothing: (text) => ({ label: `Find “${text}” in the texts`, onPress: () => void typed.push(text) }),
  });
  expect(labels(matching([find, act("Undo")], "und"))).toEqual(["Undo"]);
  const [only, ...others] = matching([find, act("Undo")], " xyz ");
  only?.onPress();
  expect([only?.label, others, typed]).toEqual(["Find “xyz” in the texts", [], ["xyz"]]);
});

test("screens of the bot, workspace and account are found by name", () => {
  const around = {
    words: currentWords(shellWords),
    palette: currentWords(paletteWords),
    workspaces: [],
    workspaceId: "w",
    botId: "b",
  };
  const bots = [{ id: "b", name: "Bot" }];
  const found = placesOf({ ...around, bots, live: 3, isAdministrator: true });
  for (const name of ["Theme", "Versions", "Credentials", "Files", "Guests", "Sign-ins", "Health", "Security"]) {
    expect(labels(matching(found, name))).toContain(name);
  }
  expect(labels(found)).toContain("Compare the draft with the live version");
  expect(labels(found)).toContain("New bot from a template");
  expect(labels(placesOf({ ...around, bots: [], live: undefined, isAdministrator: false }))).not.toContain("Health");
  expect(labels(matching(found, "nobody’s bot"))).toEqual(["Search bots for “nobody’s bot”"]);
});

test("texts of theme and settings are found in their fields", () => {
  const draft = asDraft({
    groups: [],
    edges: [],
    variables: [],
    theme: {
      general: { background: { type: "Color" } },
      chat: { endMessage: "Good day" },
      customCss: ".day { color: red }",
    },
    settings: { general: { systemMessages: { botClosed: "Back in a day" } }, metadata: { title: "A day" } },
  });
  const schemas = { properties: { general: { properties: { background: { properties: { type: color } } } } } };
  const known = {
    types: undefined,
    schemas: { theme: schemas, settings: {}, event: {}, variable: {}, group: {}, edge: {} },
  };
  const { hits } = search(draft, { text: "day" }, { isWord: wordsOf(known) });
  expect(hits.map(({ target, text: { path } }) => screenOf("b", target, path))).toEqual([
    "/bots/b/theme?part=page",
    "/bots/b/theme?part=code",
    "/bots/b/settings?part=messages",
    "/bots/b/settings?part=metadata",
  ]);
  expect(search(draft, { text: "Color", isCaseSensitive: true }, { isWord: wordsOf(known) }).count).toBe(0);
  // Before the schemas are loaded, keywords are unknown.
  const early = wordsOf({ types: undefined, schemas: undefined });
  expect(search(draft, { text: "day" }, { isWord: early }).count).toBe(0);
  expect(sectionAt(themeSections, ["chat", "buttons", "color"])).toBe("buttons");
});

const color = { anyOf: [{ const: "Color" }, { const: "Image" }] };
