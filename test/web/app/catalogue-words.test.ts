import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Glob } from "bun";
import { rules } from "../../../src/core/lint/rules.ts";
import { blockTypeSpoken, speakerOf } from "../../../src/web/app/forms/catalogue/spoken-catalogue.ts";
import type { BlockType } from "../../../src/web/app/forms/index.ts";
import { rowText } from "../../../src/web/app/forms/row.ts";
import { sentenceIn } from "../../../src/web/app/words/catalogue/sentence.ts";
import { languages } from "../../../src/web/app/words/index.ts";
import { loadCatalogue } from "../../../src/web/app/words/load-catalogue.ts";
import { blockTypes, noting, useOf } from "../../tools/words/catalogue.ts";

const translated = languages.filter((tag) => tag !== "en");

describe.each(translated)("the translation into %s", (language) => {
  test("every translation in the catalogue is used by a block type", async () => {
    const catalogue = await loadCatalogue(language);
    const { used } = useOf(catalogue);
    const { findings: _, ...rest } = catalogue;
    const all = Object.entries(rest).flatMap(([kind, record]) => Object.keys(record).map((key) => `${kind}: ${key}`));
    expect(all.filter((key) => !used.has(key))).toEqual([]);
  });

  test("backticks in translations are always paired", async () => {
    const { texts, findings } = await loadCatalogue(language);
    const sentences = [texts, findings].flatMap((record) => Object.entries(record).flat());
    expect(sentences.filter((sentence) => sentence.split("`").length % 2 === 0)).toEqual([]);
  });

  test("the code in a translation also occurs in the English sentence", async () => {
    const { texts } = await loadCatalogue(language);
    const codes = (text: string) => text.match(/`[a-zA-Z.]+`/g) ?? [];
    // Examples of a language or a country are adapted to the reader.
    const own = new Set(["`de`", "`DE`", "`BR`"]);
    const strange = Object.entries(texts).filter(([english, said]) =>
      codes(said).some((code) => !english.includes(code) && !own.has(code)),
    );
    expect(strange).toEqual([]);
  });
});

test("names and help texts without a translation are listed", () => {
  const { missing } = useOf({
    texts: { "Plays a sound.": "Spielt einen Ton." },
    choices: {},
    search: {},
    findings: {},
  });
  expect([...missing]).toEqual(
    expect.arrayContaining([
      "texts: Audio",
      "texts: Save answer in",
      "texts: In pixels.",
      "texts: The URL can contain variables.",
      "choices: Public",
      "search: sound",
    ]),
  );
  expect([...missing]).not.toContain("texts: Plays a sound.");
});

test("a block type without translations is shown in English", async () => {
  const speaker = speakerOf(await loadCatalogue("de"));
  const mood: BlockType = {
    type: "mood input",
    family: "input",
    callsOut: false,
    isOwn: false,
    summary: "Asks how the visitor feels.",
    schema: { properties: { shownAs: { title: "Shown as", anyOf: [{ const: "smiles" }, { const: "constructor" }] } } },
    editor: { name: "Mood", icon: "smile", words: ["feeling"], row: ["1 to {options.best}"], related: [] },
    examples: [],
  };
  expect(blockTypeSpoken(mood, speaker)).toEqual(mood);
});

test("a block's line needs a translation only if it contains a word", async () => {
  const { noted, missing } = noting(await loadCatalogue("de"));
  const editor = {
    name: "Count",
    icon: "hash",
    words: [],
    row: ["{options.unit} of {options.text}", "{options.best} s"],
    related: [],
  };
  const lines = {
    type: "count",
    family: "logic",
    callsOut: false,
    isOwn: false,
    summary: "Counts.",
    schema: {},
    editor,
    examples: [],
  } as const;
  blockTypeSpoken(lines, noted);
  expect([...missing].filter((text) => text.includes("{"))).toEqual(["texts: {options.unit} of {options.text}"]);
});

test("a block's name, search words and row text are translated", async () => {
  const speaker = speakerOf(await loadCatalogue("de"));
  const spoken = new Map(blockTypes.map((type) => [type.type, blockTypeSpoken(type, speaker)]));
  const say = (type: string, value: object) => {
    const known = spoken.get(type);
    const names = { variable: (id: string) => id, group: () => undefined, bot: () => undefined };
    return rowText(known?.editor.row ?? [], { schema: known?.schema ?? {}, value, names });
  };

  expect(spoken.get("rating input")?.editor).toMatchObject({ name: "Bewertung" });
  expect(spoken.get("rating input")?.editor.words).toEqual(expect.arrayContaining(["sterne", "stars", "Rating"]));
  expect(say("Set variable", { options: { variableId: "Heute", type: "Today" } })).toBe("Heute: Heute");
  expect(say("Return", {})).toBe("Dorthin, woher der letzte Sprung kam");
  const comparisons = [
    { variableId: "Alter", comparisonOperator: "Greater than", value: "17" },
    { variableId: "Name", comparisonOperator: "Is set" },
  ];
  expect(say("Condition", { items: [{ content: { logicalOperator: "OR", comparisons } }] })).toBe(
    "Alter > 17 oder Name hat einen Wert",
  );
});

/** Returns the sentences in the sources of the linter's rules, with 7 in place of each inserted value. */
function sentencesOfLinter(): readonly string[] {
  const folder = join(import.meta.dir, "../../../src");
  const paths = [...new Glob("core/lint/rules/*.ts").scanSync(folder), "core/theme/contrast.ts"];
  const texts = paths.flatMap((path) => {
    const source = readFileSync(join(folder, path), "utf8").replaceAll(
      /\babout:\s*("[^"]*"|`(?:\\.|\$\{[^`}]*(`(\\.|\$\{[^}]*\}|[^`\\])*`[^`}]*)*\}|[^`\\])*`)/g,
      "",
    );
    return [...source.matchAll(/"([A-Z][^"\n]*\.)"|`([^`\n]*\.)`/g)].map(
      ([, plain, template]) => plain ?? template ?? "",
    );
  });
  return texts
    .filter((text) => text.includes(" ") && !/^\$\{found\.message\}/.test(text))
    .map((text) =>
      text.replaceAll(/\$\{[^}]*\? "([^"]*)" : "[^"]*"\}/g, "$1").replaceAll(/\$\{[^}]*(\{[^}]*\}[^}]*)*\}/g, "7"),
    );
}

test("each finding of the linter is translated into each language", async () => {
  const sentences = [...sentencesOfLinter(), ...rules.map(({ advice }) => advice)];
  expect(sentences.length).toBeGreaterThan(60);
  for (const language of translated) {
    const { findings } = await loadCatalogue(language);
    expect(sentences.filter((sentence) => sentenceIn(findings, sentence) === sentence)).toEqual([]);
  }
  const { findings } = await loadCatalogue("de");
  expect(sentenceIn(findings, "This call is always blocked: port 25 cannot be called.")).toBe(
    "Dieser Aufruf wird immer abgelehnt: Port 25 kann nicht aufgerufen werden.",
  );
  expect(sentenceIn(findings, 'No variable is named "a.b (c)", so nothing is inserted in its place.')).toBe(
    "Keine Variable heißt „a.b (c)“: An ihrer Stelle steht nichts.",
  );
  expect(sentenceIn(findings, "A sentence of a later release.")).toBe("A sentence of a later release.");
});
