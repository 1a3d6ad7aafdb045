import type { TSchema } from "@sinclair/typebox";
import { isJsonObject } from "../interpreter/flow.ts";
import { pathOf, type Trail } from "./trail.ts";

/** An error and its path, such as `bot.groups[2].blocks[0].options.labels.button`. */
export type Issue = { readonly path: string; readonly message: string };

/** Reports an issue. The function may throw to stop the check after enough issues. */
export type ReportIssue = (issue: Issue) => void;

/**
 * Reports an issue for every known key whose value has the wrong JSON type. Keys may be absent or null, unknown keys
 * may have any value, and texts are not restricted. The other rules of a schema apply only when the flow runs.
 */
export function checkShape(value: unknown, schema: TSchema, path: string, report: ReportIssue): void {
  if (value === undefined || value === null) return;
  const types = jsonTypesOf(schema);
  if (types.length > 0 && !types.includes(jsonTypeOf(value))) {
    report({ path, message: `must be ${types.map(withArticle).join(" or ")}` });
    return;
  }
  const { items, properties } = knownOf(schema);
  if (Array.isArray(value)) {
    if (items) for (const [index, inner] of value.entries()) checkShape(inner, items, `${path}[${index}]`, report);
  } else if (isJsonObject(value)) {
    for (const [key, innerSchema] of Object.entries(properties ?? {})) {
      if (Object.hasOwn(value, key)) checkShape(value[key], innerSchema, `${path}.${key}`, report);
    }
  }
}

/** A key that the schema does not define, or a text that is not among the schema's allowed values. */
export type Unknown =
  | { readonly kind: "key"; readonly path: string }
  | { readonly kind: "word"; readonly path: string; readonly word: string };

/** Keys that editors store in list elements but that no block reads. The last two occur in flows before version 6. */
const elementKeys = new Set(["id", "outgoingEdgeId", "blockId", "type"]);

/** Keys of earlier editors that affected only their forms. No chat has ever read these keys. */
const formKeys = new Set(["isAdvancedConfig", "isPrefillDisabled"]);

/**
 * Returns the unknown parts of a value: first the object's own unknown keys, then unknown parts inside its known keys.
 */
export function findUnknown(value: unknown, schema: TSchema, path: string): Unknown[] {
  const found: Unknown[] = [];
  collectUnknown(value, schema, { root: path, trail: [], found });
  return found;
}

type Search = { readonly root: string; readonly trail: Trail; readonly found: Unknown[] };

function collectUnknown(value: unknown, schema: TSchema, search: Search, isElement = false): void {
  const { root, trail, found } = search;
  const { words, properties, items } = knownOf(schema);
  if (typeof value === "string") {
    if (words && !words.has(value)) found.push({ kind: "word", path: pathOf(root, trail), word: value });
  } else if (Array.isArray(value)) {
    if (!items) return;
    for (const [index, inner] of value.entries()) within(index, inner, items, search, true);
  } else if (isJsonObject(value) && properties) {
    const keys = Object.keys(value);
    for (const key of keys) {
      const isKnown = Object.hasOwn(properties, key) || formKeys.has(key) || (isElement && elementKeys.has(key));
      if (!isKnown && value[key] !== null) found.push({ kind: "key", path: pathOf(root, [...trail, key]) });
    }
    for (const key of keys) {
      const innerSchema = Object.hasOwn(properties, key) ? properties[key] : undefined;
      if (innerSchema) within(key, value[key], innerSchema, search);
    }
  }
}

function within(part: string | number, inner: unknown, schema: TSchema, search: Search, isElement = false): void {
  if (inner === undefined || inner === null) return;
  search.trail.push(part);
  collectUnknown(inner, schema, search, isElement);
  search.trail.pop();
}

type Known = {
  readonly words: ReadonlySet<unknown> | undefined;
  readonly properties: Readonly<Record<string, TSchema>> | undefined;
  readonly items: TSchema | undefined;
};

const knownBySchema = new WeakMap<TSchema, Known>();

function knownOf(schema: TSchema): Known {
  const found = knownBySchema.get(schema);
  if (found) return found;
  const choices: unknown = schema["anyOf"] ?? [schema];
  const items: TSchema | undefined = schema["items"];
  const known = {
    words: isWordList(choices) ? new Set(choices.map((word) => word["const"])) : undefined,
    properties: propertiesOf(schema),
    items: items && jsonTypesOf(items).length > 0 ? items : undefined,
  };
  knownBySchema.set(schema, known);
  return known;
}

/** Returns the properties that a schema defines, if any. For a union, returns the properties of its object schema. */
function propertiesOf(schema: TSchema): Readonly<Record<string, TSchema>> | undefined {
  const choices: readonly TSchema[] = schema["anyOf"] ?? [schema];
  return choices.find((choice) => choice["properties"] !== undefined)?.["properties"];
}

const known = new WeakMap<TSchema, readonly string[]>();

/** Returns the JSON types that a schema allows, or an empty list if any type is allowed. */
function jsonTypesOf(schema: TSchema): readonly string[] {
  const found = known.get(schema);
  if (found) return found;
  const choices: readonly TSchema[] | undefined = schema["anyOf"];
  const types: string[] = choices
    ? choices.flatMap(jsonTypesOf)
    : typeof schema["type"] === "string"
      ? [schema["type"]]
      : [];
  const distinct = [...new Set(types)];
  known.set(schema, distinct);
  return distinct;
}

function jsonTypeOf(value: unknown): string {
  return Array.isArray(value) ? "array" : typeof value;
}

/** Adds the indefinite article: `a string`, `an object`. */
export function withArticle(type: string): string {
  return `${type === "array" || type === "object" ? "an" : "a"} ${type}`;
}

function isWordList(schemas: unknown): schemas is readonly TSchema[] {
  return (
    Array.isArray(schemas) && schemas.every((schema) => isJsonObject(schema) && typeof schema["const"] === "string")
  );
}
