import { Kind, type Static, type TSchema, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { isJsonObject } from "../flow.ts";

/**
 * Returns the part of a stored value that the schema defines. Unknown keys, unknown words, nulls and values of another
 * type are treated as absent. Returns undefined if the stored value itself does not match, or if a required key is
 * missing.
 */
export function readKnown<T extends TSchema>(schema: T, stored: unknown): Static<T> | undefined {
  const known = pick(schema, stored);
  return Value.Check(schema, known) ? known : undefined;
}

/** The schema of values for `readNumberOrVariable`. */
export const numberOrVariable = Type.Union([Type.Number(), Type.String()]);

/**
 * Returns a number or single variable reference unchanged, and parses any other text as a float in which the first
 * comma is a decimal point. Returns undefined if the value is absent or the text does not start with a number.
 */
export function readNumberOrVariable(stored: number | string | undefined): number | string | undefined {
  if (stored === undefined || typeof stored === "number") return stored;
  if (stored.startsWith("{{") && stored.endsWith("}}") && stored.indexOf("{{", 2) < 0) return stored;
  const number = Number.parseFloat(stored.replace(",", "."));
  return Number.isNaN(number) ? undefined : number;
}

/**
 * Returns the ids in fields made with `option.writtenVariable`. An object whose schema has an `isEnabled` key is
 * skipped unless the stored key is true.
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

/** Returns a stored value without the fields that are hidden from guests. Fields that no schema defines are kept. */
export function withoutHidden(schema: TSchema, stored: unknown): unknown {
  if (Array.isArray(stored) && schema["items"]) return stored.map((element) => withoutHidden(schema["items"], element));
  if (!isJsonObject(stored) || !schema["properties"]) return stored;
  const properties = new Map(Object.entries<TSchema>(schema["properties"]));
  return Object.fromEntries(
    Object.entries(stored).flatMap(([key, value]) => {
      const property = properties.get(key);
      if (property?.["isHiddenFromGuests"] === true) return [];
      return [[key, property ? withoutHidden(property, value) : value]];
    }),
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

/** Removes elements that do not match the schema. */
function pickElements(schema: TSchema, stored: readonly unknown[]): unknown[] {
  return stored
    .map((element) => pick(schema, element))
    .filter((element) => element !== undefined && Value.Check(schema, element));
}
