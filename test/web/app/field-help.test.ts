import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Glob } from "bun";
import { getFlowSchemas, listBlockTypes } from "../../../src/management/block-types/block-types.ts";
import { listCredentialTypes } from "../../../src/management/credentials/credential-types.routes.ts";
import type { FieldSchema } from "../../../src/web/app/forms/index.ts";
import { languages } from "../../../src/web/app/words/index.ts";
import { loadCatalogue } from "../../../src/web/app/words/load-catalogue.ts";

type Field = {
  readonly path: string;
  readonly schema: FieldSchema;
  /** The keys of all fields of the form. */
  readonly keys: ReadonlySet<string>;
  /** Whether the field, or a field that contains it, is only displayed. No form renders such a field as an input. */
  readonly isKept: boolean;
};

const forms: readonly (readonly [name: string, schema: FieldSchema])[] = [
  ...listBlockTypes().map(({ type, schema }) => [type, schema] as const),
  ...Object.entries(getFlowSchemas()),
  ...listCredentialTypes().map(({ type, schema }) => [`credentials ${type}`, schema] as const),
];
const fields = forms.flatMap(([name, schema]) => {
  const found = fieldsOf(schema, name);
  const keys = new Set(found.map(({ path }) => path.split(/[.[]/).at(-1) ?? ""));
  return found.map((field): Field => ({ ...field, keys }));
});
const helped = fields.flatMap((field) => {
  const { help } = field.schema;
  return help === undefined ? [] : [{ ...field, help }];
});
const drawn = fields.filter(({ isKept }) => !isKept);

function fieldsOf(schema: FieldSchema, path: string, isInKept = false): Omit<Field, "keys">[] {
  return [
    ...Object.entries(schema.properties ?? {}).flatMap(([key, field]) => {
      const isKept = isInKept || field.widget === "kept";
      return [
        { path: `${path}.${key}`, schema: field, isKept },
        ...fieldsOf(field, `${path}.${key}`, isKept || field.isCondition),
      ];
    }),
    ...(schema.items ? fieldsOf(schema.items, path, isInKept) : []),
    ...(schema.anyOf ?? []).flatMap((choice) => fieldsOf(choice, path, isInKept)),
  ];
}

/** Whether a hint only repeats words of the label. */
function isEcho(help: string, label: string): boolean {
  const known = new Set([...wordsOf(label), ...emptyWords]);
  return wordsOf(help).every((word) => known.has(word));
}

function wordsOf(text: string): readonly string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.map((word) => word.replace(/(?<=\p{L}{2})s$/u, ""));
}

const emptyWords = wordsOf(
  "a an the of to in on at by for from with is are be it its this that these those and or whether if here there your own you one use value field",
);

/** Returns the faults of a hint that a rule can detect. */
function faultsOf({ help, schema: { title = "" }, keys }: (typeof helped)[number]): readonly string[] {
  const codes = [...help.matchAll(/`([^`]*)`/g)].map(([, code = ""]) => code);
  return [
    ...(isEcho(help, title) ? [`says "${title}" again`] : []),
    ...(help.length > 90 ? [`has ${help.length} characters`] : []),
    ...(/^[\p{Lu}`].*\.$/u.test(help) && !/[.!?] \p{Lu}/u.test(help) ? [] : ["is not one sentence"]),
    ...(/\bwhether\b|\babsent\b|\bid of the variable\b|\bdefault\b/i.test(help) ? ["is prose of the API"] : []),
    ...codes.filter((code) => keys.has(code)).map((code) => `names the key ${code}`),
  ];
}

describe("the help of a field", () => {
  test("the help of a field is one short sentence without API names", () => {
    expect(helped.length).toBeGreaterThan(200);
    const faults = helped.flatMap((field) => faultsOf(field).map((fault) => `${field.path}: "${field.help}" ${fault}`));
    expect(faults).toEqual([]);
  });

  test("fewer than half of the fields have a help text", () => {
    expect(helped.length / drawn.length).toBeLessThan(0.5);
    const sizeOf = (texts: readonly (string | undefined)[]) => [...new Set(texts)].join("").length;
    const descriptions = sizeOf(drawn.map(({ schema }) => schema.description));
    expect(sizeOf(helped.map(({ help }) => help)) / descriptions).toBeLessThan(0.4);
  });

  test("each field with a help text is shown by a form", () => {
    expect(helped.filter(({ isKept }) => isKept).map(({ path }) => path)).toEqual([]);
  });
});

describe("a hint", () => {
  test.each([
    ["The address.", "Address"],
    ["Address of the card.", "Cards: address"],
    ["Whether several files may be given.", "Several files may be given"],
  ])("%j repeats the label %j", (help, label) => {
    expect(isEcho(help, label)).toBe(true);
  });

  test.each([
    ["In pixels.", "Height"],
    ["The address of the picture.", "Save address in"],
  ])("%j adds information to the label %j", (help, label) => {
    expect(isEcho(help, label)).toBe(false);
  });
});

test("no help text of the builder repeats its label", () => {
  const folder = join(import.meta.dir, "../../../src/web/app/words/en");
  const files = [...new Glob("*.json").scanSync(folder)];
  const found = files.flatMap((name) => helpsIn(JSON.parse(readFileSync(join(folder, name), "utf8"))));
  expect(found.length).toBeGreaterThan(25);
  expect(found.filter(({ help, label }) => isEcho(help, label))).toEqual([]);
});

/** Returns texts such as `closedHelp` and `closedHint`, each with its label `closed`. */
function helpsIn(words: object): { readonly help: string; readonly label: string }[] {
  return Object.entries(words).flatMap(([key, help]: [string, unknown]) => {
    if (typeof help === "object" && help !== null) return helpsIn(help);
    const [, name] = /^(.+)(?:Help|Hint)$/.exec(key) ?? [];
    const label: unknown = name === undefined ? undefined : Reflect.get(words, name);
    return typeof help === "string" && name !== undefined
      ? [{ help, label: typeof label === "string" ? label : name }]
      : [];
  });
}

test("no description is translated, because forms do not show descriptions", async () => {
  const said = new Set(
    [...forms.map(([, schema]) => schema), ...fields.map(({ schema }) => schema)].flatMap(({ title, help }) => [
      title,
      help,
    ]),
  );
  const others = [...listBlockTypes(), ...listCredentialTypes()].map(({ summary }) => summary);
  const descriptions = new Set(fields.flatMap(({ schema }) => schema.description ?? []));
  for (const text of [...said, ...others]) if (text !== undefined) descriptions.delete(text);
  for (const language of languages.slice(1)) {
    const { texts } = await loadCatalogue(language);
    expect(Object.keys(texts).filter((english) => descriptions.has(english))).toEqual([]);
  }
});
