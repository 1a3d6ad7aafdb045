import { type Schema, Validator } from "@cfworker/json-schema";
import { limits } from "../../../limits/index.ts";
import { isJsonObject, type JsonObject } from "../flow.ts";
import type { ToolSchema } from "../program/model.ts";

/** Returns the reason why a value is rejected as the schema of a tool's parameters, or undefined. */
export function schemaProblem(value: unknown): string | undefined {
  const { schemaCharacters } = limits.models;
  if (!isJsonObject(value) || value["type"] !== "object") return "The schema must have the type object";
  if (JSON.stringify(value).length > schemaCharacters)
    return `The schema is longer than ${schemaCharacters} characters`;
  // A nested schema takes up to two levels of JSON: a keyword, and a property name or index.
  if (isDeeper(value, limits.models.schemaDepth * 2))
    return `The schema has more than ${limits.models.schemaDepth} levels of nesting`;
  return refersElsewhere(value) ? "The schema refers to an external schema" : undefined;
}

/** Returns the error in a call's arguments as text for the model, or undefined for valid arguments. */
export function argumentsProblem(schema: ToolSchema, given: JsonObject): string | undefined {
  try {
    const { errors, valid } = new Validator(checked(schema), "2020-12", false).validate(given);
    if (valid) return undefined;
    const own = errors.filter(({ keyword }) => !aboutOthers.has(keyword));
    const sentences = (own.length > 0 ? own : errors).map(
      ({ instanceLocation, error }) => `${nameAt(instanceLocation)}${error}`,
    );
    return `The arguments do not fit: ${[...new Set(sentences)].join(" ")}`.slice(
      0,
      limits.models.argumentProblemCharacters,
    );
  } catch (error) {
    // The validator throws for a reference without a target and for infinite recursion.
    if (error instanceof Error) return "The arguments cannot be checked, because the schema of the tool is invalid";
    throw error;
  }
}

/** Keywords whose errors only repeat the errors of nested schemas. */
const aboutOthers = new Set(["properties", "items", "prefixItems", "$ref", "allOf", "false"]);

/** Converts `#/a/0` to `a.0: `. */
function nameAt(location: string): string {
  const name = location.replace(/^#\/?/, "").replaceAll("/", ".").replaceAll("~1", "/").replaceAll("~0", "~");
  return name === "" ? "" : `${name}: `;
}

/**
 * Returns a copy of a tool's schema without the keywords that could take unbounded time to validate, such as regular
 * expressions and comparisons of all items. A copy is also needed because the library modifies its argument.
 */
function checked(schema: ToolSchema): Schema {
  const own: Schema = JSON.parse(JSON.stringify(checkedPart(schema)));
  return own;
}

function checkedPart(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(checkedPart);
  if (!isJsonObject(schema)) return schema;
  // Once `patternProperties` is removed, the `closing` keywords would also apply to members that match one of its
  // patterns.
  const isOpen = "patternProperties" in schema;
  const members = Object.entries(schema).filter(([key]) => !unchecked.has(key) && !(isOpen && closing.has(key)));
  return Object.fromEntries(
    members.map(([key, value]) => {
      if (values.has(key) || !maps.has(key) || !isJsonObject(value))
        return [key, values.has(key) ? value : checkedPart(value)];
      return [key, Object.fromEntries(Object.entries(value).map(([name, part]) => [name, checkedPart(part)]))];
    }),
  );
}

const unchecked = new Set(["pattern", "patternProperties", "format", "uniqueItems"]);
const closing = new Set(["additionalProperties", "unevaluatedProperties"]);
/** `maps`: keywords whose values map names to schemas. `values`: keywords whose values are arbitrary. */
const maps = new Set(["properties", "$defs", "definitions", "dependentSchemas"]);
const values = new Set(["const", "enum", "default", "examples"]);

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels < 0 || Object.values(value).some((part) => isDeeper(part, levels - 1));
}

function refersElsewhere(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(
    ([key, part]) => (key === "$ref" && typeof part === "string" && !part.startsWith("#")) || refersElsewhere(part),
  );
}
