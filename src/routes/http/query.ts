import { Kind, OptionalKind, type TObject, type TSchema } from "@sinclair/typebox";
import { invalidInput } from "../../services/invalid-input.ts";
import { cleanText } from "./body.ts";

const wholeOrDecimal = /^-?\d{1,15}(\.\d{1,15})?$/;
const booleans = new Map([
  ["true", true],
  ["1", true],
  ["false", false],
  ["0", false],
]);

/**
 * The query as an object for the schema: numbers and booleans (`true`, `false`, `1`, `0`) are read from their texts, an
 * empty value is an absent one, keys that the schema does not name are ignored. A key given twice is refused, since
 * nobody can know which one was meant.
 */
export function readQuery(search: string, schema: TObject): Record<string, unknown> {
  const query: Record<string, unknown> = {};
  if (search === "") return query;
  const given = new URLSearchParams(search);
  for (const [name, property] of Object.entries(schema.properties)) {
    const texts = given.getAll(name).filter((text) => text !== "");
    if (texts.length > 1) throw invalidInput([{ path: name, message: "must be given once" }]);
    const [text] = texts;
    if (text !== undefined) query[name] = fromText(cleanText(text), property);
  }
  return query;
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
