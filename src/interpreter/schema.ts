import { Kind, type Static, type TSchema, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { isJsonObject } from "./flow.ts";

/**
 * Reads what a schema knows out of a stored value: unknown keys, unknown words, nulls and values of another type count as
 * absent. Undefined when what remains does not fit (a required key is missing).
 */
export function readKnown<T extends TSchema>(schema: T, stored: unknown): Static<T> | undefined {
  const known = pick(schema, stored);
  return Value.Check(schema, known) ? known : undefined;
}

/** A number or a variable reference, coerced as stored documents need it (see `readNumberOrVariable`). */
export const numberOrVariable = Type.Union([Type.Number(), Type.String()]);

/**
 * Reads a number-or-variable field: a number stays, a text that is one variable reference stays, any other text is parsed
 * as a float with its first comma read as a dot; undefined when that gives no number.
 */
export function readNumberOrVariable(stored: number | string | undefined): number | string | undefined {
  if (stored === undefined || typeof stored === "number") return stored;
  if (stored.startsWith("{{") && stored.endsWith("}}") && stored.indexOf("{{", 2) < 0) return stored;
  const number = Number.parseFloat(stored.replace(",", "."));
  return Number.isNaN(number) ? undefined : number;
}

/**
 * The ids of the variables that a stored value names under fields that are marked as written. What can be switched on names
 * them only while it is on.
 */
export function writtenVariables(schema: TSchema, stored: unknown): string[] {
  if (schema["namesWrittenVariable"] === true) return typeof stored === "string" ? [stored] : [];
  if (Array.isArray(stored) && schema["items"])
    return stored.flatMap((element) => writtenVariables(schema["items"], element));
  if (!isJsonObject(stored) || !schema["properties"]) return [];
  const properties = Object.entries<TSchema>(schema["properties"]);
  if (properties.some(([key]) => key === "isEnabled") && stored["isEnabled"] !== true) return [];
  return properties.flatMap(([key, property]) =>
    Object.hasOwn(stored, key) ? writtenVariables(property, stored[key]) : [],
  );
}

function pick(schema: TSchema, stored: unknown): unknown {
  if (stored === null || stored === undefined) return undefined;
  if (schema[Kind] === "Object") return isJsonObject(stored) ? pickObject(schema, stored) : undefined;
  if (schema[Kind] === "Array") return Array.isArray(stored) ? pickElements(schema["items"], stored) : undefined;
  return Value.Check(schema, stored) ? stored : undefined;
}

function pickObject(schema: TSchema, stored: { readonly [key: string]: unknown }): Record<string, unknown> {
  const known: Record<string, unknown> = {};
  for (const [key, property] of Object.entries<TSchema>(schema["properties"])) {
    if (!Object.hasOwn(stored, key)) continue;
    const value = pick(property, stored[key]);
    if (value !== undefined) known[key] = value;
  }
  return known;
}

/** Elements that do not fit are left out, except nulls and texts of plain lists, whose places count. */
function pickElements(schema: TSchema, stored: readonly unknown[]): unknown[] {
  return stored
    .map((element) => pick(schema, element))
    .filter((element) => element !== undefined && Value.Check(schema, element));
}
