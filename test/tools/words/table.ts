import Papa from "papaparse";
import { isMessage, type Message, placesOf } from "../../../src/core/words/message.ts";
import type { Words } from "./files.ts";

/** A text with its path of keys, such as `["result", "count", "one"]`. */
type Row = { readonly path: readonly string[]; readonly english: string };

const columns = ["key", "English", "translation"] as const;
const separator = " > ";

/**
 * Returns the texts that a language requires. A text with a count has one form per plural category of the language, and
 * the exact numbers of the English text.
 */
export function rowsOf(english: Words, tag: string): readonly Row[] {
  const categories = pluralCategories(tag);
  const rows = (words: string | Words, path: readonly string[]): Row[] => {
    if (isMessage(words)) return formsFor(words, path, categories);
    return Object.entries(words).flatMap(([key, own]) => rows(own, [...path, key]));
  };
  return Object.entries(english).flatMap(([area, words]) => rows(words, [area]));
}

/** Returns the plural categories of small integers. No sentence of this product counts millions or fractions. */
function pluralCategories(tag: string): readonly string[] {
  const rules = new Intl.PluralRules(tag);
  const common = new Set(Array.from({ length: 200 }, (_, count) => rules.select(count)));
  return (["zero", "one", "two", "few", "many", "other"] as const).filter((key) => key === "other" || common.has(key));
}

function formsFor(message: Message, path: readonly string[], categories: readonly string[]): Row[] {
  if (typeof message === "string") return [{ path, english: message }];
  const { by: _, ...forms } = message;
  const keys = Object.keys(forms);
  const counts = keys.some((key) => key !== "other" && !key.startsWith("="));
  const needed = [...keys.filter((key) => key.startsWith("=")), ...(counts ? categories : ["other"])];
  return needed.flatMap((key) => {
    const form: Message = forms[key as "other"] ?? message.other;
    return formsFor(form, [...path, key], categories);
  });
}

/**
 * Returns the text of a language at a path, or undefined if there is none. A single text can replace all forms if they
 * are equal in the language. Of several forms at the path, the form `other` is returned.
 */
export function textAt(words: unknown, path: readonly string[]): string | undefined {
  const found = path.reduce<unknown>((at, key) => {
    if (typeof at === "string") return at;
    return Reflect.get(Object(at), key) ?? (isForms(at) && !hasCategories(at) ? at.other : undefined);
  }, words);
  return isForms(found) ? textAt(found.other, []) : typeof found === "string" ? found : undefined;
}

function isForms(value: unknown): value is Exclude<Message, string> {
  return typeof value !== "string" && isMessage(value);
}

function hasCategories(forms: object): boolean {
  return Object.keys(forms).some((key) => /^(zero|one|two|few|many)$/.test(key));
}

/** Creates the table for a translator, with the key, the English text, and the existing translation. */
export function tableOf(rows: readonly Row[], words: unknown): string {
  const data = rows.map(({ path, english }) => [path.join(separator), english, textAt(words, path) ?? ""]);
  return `${Papa.unparse({ fields: [...columns], data }, { newline: "\n" })}\n`;
}

export type Taken = { readonly words: Words; readonly problems: readonly string[] };

/**
 * Returns the texts of a language, updated with the texts of a table. A text with an unknown key, or with a parameter
 * other than `count` that the English text lacks, is reported as a problem and skipped. An empty text keeps the
 * existing translation.
 */
export function takeTable(text: string, rows: readonly Row[], words: Words): Taken {
  const byKey = new Map(rows.map((row) => [row.path.join(separator), row]));
  const { data } = Papa.parse<Readonly<Record<string, string>>>(text.replace(/^\uFEFF/, ""), {
    header: true,
    skipEmptyLines: true,
  });
  const problems: string[] = [];
  let taken = words;
  for (const { key = "", translation = "" } of data) {
    const row = byKey.get(key);
    const known = new Set(row ? placesOf(row.english).map(({ name }) => name) : []);
    const strange = placesOf(translation).filter(({ name }) => !known.has(name) && name !== "count");
    if (row === undefined) problems.push(`${key}: there is no such text.`);
    else if (strange.length > 0) problems.push(`${key}: the English text has no {${strange[0]?.name}}.`);
    else if (translation !== "") taken = withText(taken, row.path, translation);
  }
  return { words: taken, problems };
}

function withText(words: Words, [key = "", ...rest]: readonly string[], text: string): Words {
  const at = words[key];
  const inner = typeof at === "object" ? at : {};
  return { ...words, [key]: rest.length === 0 ? text : withText(inner, rest, text) };
}
