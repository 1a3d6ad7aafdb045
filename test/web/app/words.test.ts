import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { Glob } from "bun";
import { events } from "../../../src/events.ts";
import shareWords from "../../../src/web/app/words/en/share.json";
import workspaceFile from "../../../src/web/app/words/en/workspace.json";
import { languageFor, languages } from "../../../src/web/app/words/index.ts";
import { currentWords, inLanguage, language, numberText, speak } from "../../../src/web/app/words/language.ts";
import { inLanguage as whileSpeaking } from "../../support/in-language.ts";
import { faultsOf } from "../../tools/words/check.ts";
import { builder, fileOf, readLanguage, type Words } from "../../tools/words/files.ts";
import { keyFiles } from "../../tools/words/keys.ts";

const english = builder.readEnglish();
const { workspace } = workspaceFile;

test("the types of texts match the English files (`npm run words`)", async () => {
  for (const { path, text } of keyFiles()) expect(await Bun.file(path).text()).toBe(text);
});

test("each English file contains the texts of one part", async () => {
  const files = [...new Glob("*.json").scanSync(builder.english)];
  const parts = files.map(async (name) => Object.keys(await Bun.file(join(builder.english, name)).json()).map(fileOf));

  expect(files.length).toBeGreaterThan(40);
  // `npm run words` names the files after their parts in the types.
  expect(await Promise.all(parts)).toEqual(files.map((name) => [name]));
});

describe.each(languages.filter((tag) => tag !== "en"))("the texts in %s", (tag) => {
  test("each text has only existing keys, values and plural forms", () => {
    const eventTitles = Object.fromEntries(Object.entries(events).map(([type, { title }]) => [type, title]));
    const byAnyKey = ["template.descriptions", "keyNames"];
    const words = readLanguage(builder, tag);
    const eventTypes = { ...eventTitles, ...workspace.eventTypes };
    const known = { ...english, workspace: { ...workspace, eventTypes } };
    expect(Object.keys(words).length).toBeGreaterThan(40);
    expect(faultsOf({ english: known, words, tag, byAnyKey })).toEqual([]);
  });
});

test("unknown keys, values and plural forms of a translation are reported", () => {
  const source = {
    ...{ send: "Send", greet: "Hello {name}", found: { one: "1 bot", other: "{count} bots" } },
    ...{ part: { title: "Bots", text: "Yours" }, size: "{count} kB" },
  };
  const faults = (words: Words, tag = "pl") => faultsOf({ english: source, words, tag });
  const forms = { one: "1 bot", few: "{count} boty", many: "{count} botów", other: "{count} bota" };

  expect(faults({})).toEqual([]);
  expect(faults({ send: "Wyślij", greet: "{name}!", found: forms, part: { text: "Twoje" } })).toEqual([]);
  expect(faults({ sent: "x" })).toEqual(["sent is no key of English"]);
  expect(faults({ part: "x" })).toEqual(["part is no key of English"]);
  expect(faults({ send: " " })).toEqual(['send: is empty: " "']);
  expect(faults({ send: { a: "x" } })).toEqual(["send.a is no key of English", 'send: no text: {"a":"x"}']);
  expect(faults({ greet: "{who} {name}" })).toEqual(['greet: names a value that English does not: "{who} {name}"']);
  expect(faults({ greet: "Cześć" })).toEqual(['greet: leaves out a value: "Cześć"']);
  expect(faults({ found: { one: "1 bot", other: "{count}" } })[0]).toStartWith("found: has other plural forms");
  expect(faults({ found: { one: "1 bot", two: "x", other: "{count}" } }, "en")[0]).toStartWith("found: has other");
  expect(faults({ found: { one: "1 bot", many: "{count} bots", other: "{count} bots" } }, "fr")).toEqual([
    'found: writes 1 in a form of several numbers: {"one":"1 bot","many":"{count} bots","other":"{count} bots"}',
  ]);
});

const counting = { one: "1 bot found", other: "{count, number} bots found" };

/** Returns the text in a language for each count, with or without plural forms of that language. */
function countedIn(tag: string, forms: object | undefined, counts: readonly number[]): unknown[] {
  const found = inLanguage(counting, forms, tag);
  return counts.map((count) => typeof found === "function" && found({ count }));
}

describe("a translated language", () => {
  test("a missing text of a language falls back to English", () => {
    speak("pl", { share: { title: "Boty" } });
    try {
      expect([currentWords(shareWords).title, currentWords(shareWords).change]).toEqual([
        "Boty",
        shareWords.share.change,
      ]);
    } finally {
      speak("en", {});
    }
    expect(currentWords(shareWords).title).toBe(shareWords.share.title);
  });

  test("a missing text uses English plural rules, so that 21 is a plural in Russian", () => {
    expect(countedIn("ru", undefined, [21])).toEqual(["21 bots found"]);
  });

  test("a Polish text has the plural categories of Polish", () => {
    const words = { one: "{count} bot", few: "{count} boty", many: "{count} botów", other: "{count} bota" };
    expect(countedIn("pl", words, [0, 1, 2, 5, 22, 1.5])).toEqual([
      "0 botów",
      "1 bot",
      "2 boty",
      "5 botów",
      "22 boty",
      "1.5 bota",
    ]);
  });

  test("a Russian text has the plural categories of Russian", () => {
    const words = { one: "{count} бот", few: "{count} бота", many: "{count} ботов", other: "{count} бота" };
    const said = countedIn("ru", words, [1, 3, 5, 21, 111]);
    expect(said).toEqual(["1 бот", "3 бота", "5 ботов", "21 бот", "111 ботов"]);
  });

  test("an Arabic text has the six plural categories of Arabic", () => {
    const words = { zero: "zero", one: "one", two: "two", few: "few", many: "many", other: "other" };
    expect(countedIn("ar", words, [0, 1, 2, 3, 11, 100])).toEqual(["zero", "one", "two", "few", "many", "other"]);
  });
});

test("the builder uses the first language of the browser that it supports", () => {
  expect(languageFor(["pl", "pt-PT", "de"])).toBe("pt-BR");
  expect(languageFor(["de-CH", "en"])).toBe("de");
  expect(languageFor(["DE"])).toBe("de");
  expect(languageFor(["fr-CA", "en"])).toBe("fr");
  expect(languageFor(["xx", ""])).toBe("en");
  expect(languageFor([])).toBe("en");
});

test("numbers are formatted for the selected language", async () => {
  expect(language.value).toBe("en");
  expect(await whileSpeaking("de", () => numberText(1234.5))).toBe("1.234,5");
});
