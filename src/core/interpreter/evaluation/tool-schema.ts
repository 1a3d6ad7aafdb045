import { type Schema, Validator } from "@cfworker/json-schema";
import { limits } from "../../../limits/index.ts";
import { isJsonObject, type JsonObject } from "../flow.ts";
import type { ToolSchema } from "../program/model.ts";

/** The reason why a value cannot be the schema of a tool's parameters; undefined for a valid schema. */
export function schemaProblem(value: unknown): string | undefined {
  const { schemaCharacters } = limits.models;
  if (!isJsonObject(value) || value["type"] !== "object") return "It has to be a schema of the type object";
  if (JSON.stringify(value).length > schemaCharacters) return `It is longer than ${schemaCharacters} characters`;
  // Each nested schema takes two levels of JSON: its keyword, and a name or a position.
  if (isDeeper(value, limits.models.schemaDepth * 2))
    return `It is deeper than ${limits.models.schemaDepth} schemas within one another`;
  return refersElsewhere(value) ? "It refers to a schema elsewhere" : undefined;
}

/** The fault in a call's arguments, as a text for the model; undefined for valid arguments. */
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
    // A reference without a target, or an endless reference to itself.
    if (error instanceof Error) return "The arguments cannot be checked: the schema of the tool is wrong";
    throw error;
  }
}

/** Errors of a schema that only repeat errors of its parts. */
const aboutOthers = new Set(["properties", "items", "prefixItems", "$ref", "allOf", "false"]);

/** `#/a/0` as `a.0: `. */
function nameAt(location: string): string {
  const name = location.replace(/^#\/?/, "").replaceAll("/", ".").replaceAll("~1", "/").replaceAll("~0", "~");
  return name === "" ? "" : `${name}: `;
}

/**
 * The schema for checks here, which is less strict than the model's schema: a stranger's regular expression, or
 * comparing all items with each other, can take unbounded time. The library writes to its argument, so this is a
 * private copy.
 */
function checked(schema: ToolSchema): Schema {
  const own: Schema = JSON.parse(JSON.stringify(checkedPart(schema)));
  return own;
}

function checkedPart(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(checkedPart);
  if (!isJsonObject(schema)) return schema;
  // Without the pattern, the members that it allows cannot be distinguished from others.
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
/** Keywords with schemas by names, and keywords with any value. */
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
