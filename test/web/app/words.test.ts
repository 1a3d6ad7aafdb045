import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { Glob } from "bun";
import { languageFor, languages, loadTranslation } from "../../../src/web/app/words/index.ts";
import { type Area, area, language, numberText, speak } from "../../../src/web/app/words/language.ts";
import {
  hasPlaces,
  isMessage,
  type Message,
  messageText,
  placesOf,
  type Values,
} from "../../../src/web/app/words/message.ts";
import { inLanguage } from "../../support/in-language.ts";
import { keysFile, readEnglish } from "../../tools/words/files.ts";
import { keysOf } from "../../tools/words/keys.ts";

const folder = join(import.meta.dir, "../../../src/web/app/words");

/** Every area of words, as the files of the folder declare them. */
async function readAreas(): Promise<readonly Area<object>[]> {
  const modules = [...new Glob("*.ts").scanSync(folder)].map((name): Promise<object> => import(join(folder, name)));
  const exported = (await Promise.all(modules)).flatMap((module): unknown[] => Object.values(module));
  return [...new Set(exported)].filter(isArea);
}

function isArea(value: unknown): value is Area<object> {
  return typeof value === "object" && value !== null && "key" in value && "english" in value;
}

type Path = readonly string[];

/** The messages of an object with their paths: "canvas", "wheels", "zoom". */
function wordsIn(value: object, path: Path): [path: Path, message: Message][] {
  return Object.entries(value).flatMap(([key, word]: [string, unknown]): [Path, Message][] => {
    const at = [...path, key];
    if (isMessage(word)) return [[at, word]];
    return typeof word === "object" && word !== null ? wordsIn(word, at) : [];
  });
}

/** The words of another language at a path. */
function at(translation: unknown, path: Path): unknown {
  return path.reduce<unknown>((found, key) => Reflect.get(Object(found), key), translation);
}

/** Lists of names that need no English: it is elsewhere, or the same as the key. */
const byAnyKey = ["template.told", "keyNames"];

/** The paths of all messages of a translation. */
function pathsIn(value: unknown, path: Path = []): string[] {
  if (isMessage(value)) return [path.join(".")];
  return Object.entries(Object(value)).flatMap(([key, inner]: [string, unknown]) => pathsIn(inner, [...path, key]));
}

/** All texts of a message: each of its forms. */
function formsOf(message: Message): string[] {
  if (typeof message === "string") return [message];
  const { by: _, ...forms } = message;
  return Object.values<Message>(forms).flatMap(formsOf);
}

/** The texts of the forms that plural categories choose, with the categories. */
function formsByCategory(
  message: Message,
  outer: readonly string[] = [],
): [categories: readonly string[], form: string][] {
  if (typeof message === "string") return [[outer, message]];
  const { by: _, ...forms } = message;
  return Object.entries<Message>(forms).flatMap(([key, form]) => formsByCategory(form, [...outer, key]));
}

/** The values by which a message chooses its forms. */
function choicesOf(message: Message): string[] {
  if (typeof message === "string") return [];
  const { by = "count", ...forms } = message;
  return [by, ...Object.values<Message>(forms).flatMap(choicesOf)];
}

const placesIn = (text: string) => placesOf(text).map(({ name }) => name);
/** The values that a message takes. */
const valuesOf = (message: Message) => [...formsOf(message).flatMap(placesIn), ...choicesOf(message)];

const texts = (await readAreas())
  .flatMap(({ key, english }) => wordsIn(english, [key]))
  .map(([path, message]) => ({ path, message }));

test("the types of words are those of the English files (`npm run words`)", async () => {
  expect(await Bun.file(keysFile).text()).toBe(keysOf(readEnglish()));
});

test("each area has a key of its own, and a file by its name", async () => {
  const areas = await readAreas();
  expect(areas.map(({ key }) => key).toSorted()).toEqual(Object.keys(readEnglish()).toSorted());
});

describe.each(languages.filter((tag) => tag !== "en"))("in %s", (tag) => {
  test("it has no word that English lacks", async () => {
    const { catalogue: _, ...areas }: Readonly<Record<string, unknown>> = await loadTranslation(tag);
    const known = texts.map(({ path }) => path.join("."));
    // A part with a word of the key `other` looks like a message.
    const isKnown = (path: string) =>
      known.some((word) => word === path || word.startsWith(`${path}.`)) ||
      byAnyKey.some((list) => path.startsWith(`${list}.`));
    expect(pathsIn(areas).filter((path) => !isKnown(path))).toEqual([]);
  });

  test("a form that holds for several numbers writes the number", async () => {
    const translation = await loadTranslation(tag);
    const rules = new Intl.PluralRules(tag);
    const selected = Array.from({ length: 200 }, (_, count) => rules.select(count));
    const isOfSeveral = (key: string) => selected.filter((category) => category === key).length > 1;
    const wrong = texts.flatMap(({ path }) => {
      const message = at(translation, path);
      const forms = isMessage(message) && typeof message !== "string" ? formsByCategory(message) : [];
      const fixed = forms.filter(([keys, form]) => /\b1\b/.test(form) && keys.every(isOfSeveral));
      return fixed.map(([, form]) => `${path.join(".")}: ${form}`);
    });
    expect(wrong).toEqual([]);
  });

  test("a text names only values that there are, and has the forms that the language's numbers need", async () => {
    const translation = await loadTranslation(tag);
    const wrong = texts.flatMap(({ path, message: english }) => {
      const message = at(translation, path);
      if (!isMessage(message) || !hasPlaces(english)) return [];
      const known = valuesOf(english);
      const strange = valuesOf(message).filter((name) => !known.includes(name));
      return strange.length > 0 || !hasCategories(message, tag)
        ? [`${path.join(".")}: ${JSON.stringify(message)}`]
        : [];
    });
    expect(wrong).toEqual([]);
  });
});

/**
 * Whether forms by number have exactly the categories of the language; those that only millions and fractions have may
 * be absent.
 */
function hasCategories(message: Message, tag: string): boolean {
  if (typeof message === "string") return true;
  const { by: _, ...forms } = message;
  if (!Object.values<Message>(forms).every((form) => hasCategories(form, tag))) return false;
  const own = Object.keys(forms).filter((key) => !key.startsWith("=") && key !== "other");
  const rules = new Intl.PluralRules(tag);
  const common = new Set(Array.from({ length: 200 }, (_, count): string => rules.select(count)));
  const known = new Set<string>(rules.resolvedOptions().pluralCategories);
  return (
    own.length === 0 || (own.every((key) => known.has(key)) && common.difference(new Set([...own, "other"])).size === 0)
  );
}

type Sample = {
  readonly title: string;
  readonly open: string;
  readonly nested: { found(values: { count: number }): string };
  named(values: { name: string; count: number }): string;
};
const sample = area<"sample", Sample>("sample", {
  title: "Bots",
  open: "Open",
  nested: { found: { one: "1 bot found", other: "{count, number} bots found" } },
  named: "{name} has {count, number} bots",
});
const saidOf = (count: number) => sample.value.nested.found({ count });

/** Runs `use` while the builder speaks a language of these words. */
function speaking<Result>(tag: string, words: object, use: () => Result): Result {
  speak(tag, { sample: words });
  try {
    return use();
  } finally {
    speak("en", {});
  }
}

const found = () => [0, 1, 2, 5, 22, 1.5].map(saidOf);

describe("a small language", () => {
  test("is English if it has no words", () => {
    const said = speaking("pl", { title: "Boty" }, () => [
      sample.value.title,
      sample.value.open,
      sample.value.named({ name: "Ada", count: 3 }),
    ]);
    expect(said).toEqual(["Boty", "Open", "Ada has 3 bots"]);
    expect([sample.value.title, sample.value.open]).toEqual(["Bots", "Open"]);
  });

  test("counts as English does if it has no words: 21 is one in Russian", () => {
    expect(speaking("ru", {}, () => saidOf(21))).toBe("21 bots found");
  });

  test("has the plural categories of Polish", () => {
    const words = { one: "{count} bot", few: "{count} boty", many: "{count} botów", other: "{count} bota" };
    expect(speaking("pl", { nested: { found: words } }, found)).toEqual([
      "0 botów",
      "1 bot",
      "2 boty",
      "5 botów",
      "22 boty",
      "1.5 bota",
    ]);
  });

  test("has the plural categories of Russian, whose 21 is one", () => {
    const words = { one: "{count} бот", few: "{count} бота", many: "{count} ботов", other: "{count} бота" };
    const said = speaking("ru", { nested: { found: words } }, () => [1, 3, 5, 21, 111].map(saidOf));
    expect(said).toEqual(["1 бот", "3 бота", "5 ботов", "21 бот", "111 ботов"]);
  });

  test("has the six plural categories of Arabic", () => {
    const words = { zero: "zero", one: "one", two: "two", few: "few", many: "many", other: "other" };
    const said = speaking("ar", { nested: { found: words } }, () => [0, 1, 2, 3, 11, 100].map(saidOf));
    expect(said).toEqual(["zero", "one", "two", "few", "many", "other"]);
  });
});

describe("a message", () => {
  const said = (message: Message, values: Values, tag = "en") => messageText(message, values, tag);

  test("has its values in any order, as they are, and leaves a place without a value as it is", () => {
    expect(said("{b} and {a} and {b}", { a: "$& {b}", b: 1234 })).toBe("1234 and $& {b} and 1234");
    expect(said("{{a}} {a} {c}", { a: "x" })).toBe("{{a}} x {c}");
  });

  test("writes numbers as the language does, and begins a value with a capital", () => {
    const values = { count: 12345.5, parts: "eine Gruppe" };
    const texts = ["en", "de"].map((tag) => said("{count, number}: {parts, capital}", values, tag));
    expect(texts).toEqual(["12,345.5: Eine Gruppe", "12.345,5: Eine Gruppe"]);
  });

  test("chooses the form of exactly this value before the one of its category", () => {
    const forms = { by: "n", "=1": "exactly", one: "one", "=": "nothing", other: "other" };
    expect([1, 2, "", undefined, "1"].map((n) => said(forms, { n }))).toEqual([
      "exactly",
      "other",
      "nothing",
      "nothing",
      "exactly",
    ]);
  });

  test("has forms within forms: each by a value of its own", () => {
    const blocks = (groups: string) => ({
      by: "blocks",
      one: `${groups}, 1 block`,
      other: `${groups}, {blocks} blocks`,
    });
    const forms = { by: "groups", one: blocks("1 group"), other: blocks("{groups} groups") };
    expect(said(forms, { groups: 2, blocks: 1 })).toBe("2 groups, 1 block");
    expect(said(forms, { groups: 1, blocks: 3 })).toBe("1 group, 3 blocks");
  });
});

test("the language of a browser is the first of its tags that the builder speaks", () => {
  expect(languageFor(["pl", "pt-PT", "de"])).toBe("pt-BR");
  expect(languageFor(["de-CH", "en"])).toBe("de");
  expect(languageFor(["DE"])).toBe("de");
  expect(languageFor(["fr-CA", "en"])).toBe("fr");
  expect(languageFor(["xx", ""])).toBe("en");
  expect(languageFor([])).toBe("en");
});

test("numbers follow the language", async () => {
  expect(language.value).toBe("en");
  expect(await inLanguage("de", () => numberText(1234.5))).toBe("1.234,5");
});
