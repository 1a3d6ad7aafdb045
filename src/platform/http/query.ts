import { Kind, OptionalKind, type TObject, type TSchema } from "@sinclair/typebox";
import { cleanText } from "../../core/documents/incoming-json.ts";
import { invalidInput } from "./requests/invalid-input.ts";

const wholeOrDecimal = /^-?\d{1,15}(\.\d{1,15})?$/;
const booleans = new Map([
  ["true", true],
  ["1", true],
  ["false", false],
  ["0", false],
]);

/**
 * Parses the query into an object for the schema. Numbers and booleans (`true`, `false`, `1`, `0`) are parsed, an empty
 * value is treated as absent, and keys that the schema does not define are ignored. A record of the schema is read from
 * parameters such as `variables.email=ada` or `variables[email]=ada` (OpenAPI's `deepObject`). A repeated key is
 * rejected, because the intended value is ambiguous.
 */
export function readQuery(search: string, schema: TObject): Record<string, unknown> {
  const query: Record<string, unknown> = {};
  if (search === "") return query;
  const given = new URLSearchParams(search);
  for (const [name, property] of Object.entries(schema.properties)) {
    if (property[Kind] === "Record") {
      const entries = [...new Set(given.keys())].flatMap((key) => {
        const part = partOf(key);
        const text = part?.record === name ? textOf(given, key) : undefined;
        return part && text !== undefined ? [[cleanText(part.entry), text] as const] : [];
      });
      const record = Object.fromEntries(entries);
      if (Object.keys(record).length < entries.length) throw twice(name);
      if (entries.length > 0) query[name] = record;
      continue;
    }
    const text = textOf(given, name);
    if (text !== undefined) query[name] = fromText(text, property);
  }
  return query;
}

/** Returns the query of an address as text. */
export function searchOf(url: string): string {
  const start = url.indexOf("?");
  return start === -1 ? "" : url.slice(start + 1);
}

function textOf(given: URLSearchParams, name: string): string | undefined {
  const texts = given.getAll(name).filter((text) => text !== "");
  if (texts.length > 1) throw twice(name);
  const [text] = texts;
  return text === undefined ? undefined : cleanText(text);
}

function twice(path: string): Error {
  return invalidInput([{ path, message: "must be given only once" }]);
}

/** Parses the name of a record's entry: `record.entry` or `record[entry]`. Returns undefined for any other name. */
export function partOf(name: string): { readonly record: string; readonly entry: string } | undefined {
  const [, record, dotted, bracketed] = /^([^.[]+)(?:\.(.*)|\[(.*)\])$/s.exec(name) ?? [];
  const entry = dotted ?? bracketed;
  return record === undefined || entry === undefined ? undefined : { record, entry };
}

/** Whether the schema marks its value as optional. */
export function isOptional(schema: TSchema): boolean {
  return schema[OptionalKind] === "Optional";
}

function fromText(text: string, schema: TSchema): unknown {
  const kind = schema[Kind];
  if (kind === "Integer" || kind === "Number") return wholeOrDecimal.test(text) ? Number(text) : text;
  if (kind === "Boolean") return booleans.get(text) ?? text;
  return text;
}
