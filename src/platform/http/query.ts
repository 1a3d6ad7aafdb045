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
 * The query as an object for the schema: numbers and booleans (`true`, `false`, `1`, `0`) are read from their texts, an
 * empty value is an absent one, keys that the schema does not name are ignored. What the schema has as a
 * record is an object of the keys that begin with its name and a point: `variables.email=ada`. A key given twice is refused, since it is
 * unclear which one was meant.
 */
export function readQuery(search: string, schema: TObject): Record<string, unknown> {
  const query: Record<string, unknown> = {};
  if (search === "") return query;
  const given = new URLSearchParams(search);
  for (const [name, property] of Object.entries(schema.properties)) {
    if (property[Kind] === "Record") {
      const entries = [...new Set(given.keys())]
        .filter((key) => key.startsWith(`${name}.`))
        .map((key) => [cleanText(key.slice(name.length + 1)), textOf(given, key)] as const)
        .filter(([, text]) => text !== undefined);
      if (entries.length > 0) query[name] = Object.fromEntries(entries);
      continue;
    }
    const text = textOf(given, name);
    if (text !== undefined) query[name] = fromText(text, property);
  }
  return query;
}

function textOf(given: URLSearchParams, name: string): string | undefined {
  const texts = given.getAll(name).filter((text) => text !== "");
  if (texts.length > 1) throw invalidInput([{ path: name, message: "must be given once" }]);
  const [text] = texts;
  return text === undefined ? undefined : cleanText(text);
}

/** Whether the schema's value may be left out. */
export function isOptional(schema: TSchema): boolean {
  return schema[OptionalKind] === "Optional";
}

function fromText(text: string, schema: TSchema): unknown {
  const kind = schema[Kind];
  if (kind === "Integer" || kind === "Number") return wholeOrDecimal.test(text) ? Number(text) : text;
  if (kind === "Boolean") return booleans.get(text) ?? text;
  return text;
}
