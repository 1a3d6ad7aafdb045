import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Glob } from "bun";
import { getFlowSchemas, listBlockTypes } from "../../../src/management/block-types/block-types.ts";
import { listCredentialTypes } from "../../../src/management/credentials/credential-types.routes.ts";
import type { FieldSchema } from "../../../src/web/app/forms/schema.ts";
import { widgetOf } from "../../../src/web/app/forms/widget-of.ts";

/** Every concept has one term on all screens. The list contains earlier terms, each with its replacement. */
const glossary = [
  [/\bcolors?\b/i, "colour"],
  [/\bitem \{/i, "option, or branch"],
  [/\bcomparison \{place\}:|\bcondition \{/i, "branch"],
  [/\bworkflow\b/i, "flow"],
] as const;

const folder = join(import.meta.dir, "../../../src/web/app/words/en");
const ofScreens = [...new Glob("*.json").scanSync(folder)].flatMap((name) =>
  textsIn(JSON.parse(readFileSync(join(folder, name), "utf8"))),
);
const schemas: readonly FieldSchema[] = [
  ...listBlockTypes().map(({ schema }) => schema),
  ...Object.values(getFlowSchemas()),
  ...listCredentialTypes().map(({ schema }) => schema),
];
const fields = schemas.flatMap(fieldsOf);
const ofFields = fields.flatMap(({ title, help }) => [title ?? "", help ?? ""]);

function textsIn(words: unknown): string[] {
  if (typeof words === "string") return [words];
  return typeof words === "object" && words !== null ? Object.values(words).flatMap(textsIn) : [];
}

function fieldsOf(schema: FieldSchema): FieldSchema[] {
  const inner = [...Object.values(schema.properties ?? {}), ...(schema.anyOf ?? []), schema.items ?? []].flat();
  return [schema, ...inner.flatMap(fieldsOf)];
}

test.each(glossary)("no screen and no form contains a text that matches %p instead of %p", (other) => {
  expect(ofScreens.length + ofFields.length).toBeGreaterThan(2_000);
  // Code between backticks is not checked.
  const plain = [...ofScreens, ...ofFields].map((text) => text.replaceAll(/`[^`]*`|\{\w+(, \w+)*\}(?! )/g, ""));
  expect(plain.filter((text) => other.test(text))).toEqual([]);
});

test("a field for credentials has one of the listed names", () => {
  const titles = fields.filter((field) => widgetOf(field) === "credentials").map(({ title }) => title ?? "");
  expect([...new Set(titles)].sort()).toEqual([
    "Address search",
    "Credentials",
    "Google account",
    "Mail server",
    "Proxy",
    "Stripe account",
  ]);
});
