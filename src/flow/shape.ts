import type { TSchema } from "@sinclair/typebox";
import { isJsonObject } from "../interpreter/flow.ts";

/** One thing that is wrong, and where: `bot.groups[2].blocks[0].options.labels.button`. */
export type Issue = { readonly path: string; readonly message: string };

/**
 * Adds an issue for every known key whose JSON type is not the one that its schema names. Every key may be absent or null,
 * keys that the schema does not name hold anything, and texts may be any text: what else a schema asks for is only read
 * when a flow runs. Walks known keys only, so that what lies elsewhere costs nothing.
 */
export function checkShape(value: unknown, schema: TSchema, path: string, issues: Issue[]): void {
  if (value === undefined || value === null) return;
  const types = jsonTypesOf(schema);
  if (types.length > 0 && !types.includes(jsonTypeOf(value))) {
    issues.push({ path, message: `must be ${types.map(withArticle).join(" or ")}` });
    return;
  }
  for (const { inner, innerSchema, innerPath } of knownParts(value, schema, path)) {
    checkShape(inner, innerSchema, innerPath, issues);
  }
}

/** What stands in a stored value and means nothing: a key that its schema does not name, or none of the words that it does. */
export type Unknown = { readonly kind: "key" | "word"; readonly path: string };

/** What editors keep with elements of lists also where no block reads it; the last two are of flows before version 6. */
const elementKeys = new Set(["id", "outgoingEdgeId", "blockId", "type"]);

/** Every key and word of a stored value that its schema does not know. */
export function* findUnknown(value: unknown, schema: TSchema, path: string, isElement = false): Generator<Unknown> {
  const words: unknown = schema["anyOf"] ?? [schema];
  if (typeof value === "string" && isWordList(words) && !words.some((word) => word["const"] === value)) {
    yield { kind: "word", path };
  }
  const properties = propertiesOf(schema);
  if (isJsonObject(value) && properties) {
    for (const key of Object.keys(value)) {
      const isKnown = Object.hasOwn(properties, key) || (isElement && elementKeys.has(key));
      if (!isKnown && value[key] !== null) yield { kind: "key", path: `${path}.${key}` };
    }
  }
  for (const { inner, innerSchema, innerPath } of knownParts(value, schema, path)) {
    yield* findUnknown(inner, innerSchema, innerPath, Array.isArray(value));
  }
}

type Part = { readonly inner: unknown; readonly innerSchema: TSchema; readonly innerPath: string };

/** The elements of a list, or what stands under the known keys of an object. */
function* knownParts(value: unknown, schema: TSchema, path: string): Generator<Part> {
  if (Array.isArray(value) && schema["items"] !== undefined) {
    if (jsonTypesOf(schema["items"]).length === 0) return;
    for (const [index, inner] of value.entries()) {
      yield { inner, innerSchema: schema["items"], innerPath: `${path}[${index}]` };
    }
  } else if (isJsonObject(value)) {
    for (const [key, innerSchema] of Object.entries(propertiesOf(schema) ?? {})) {
      if (Object.hasOwn(value, key)) yield { inner: value[key], innerSchema, innerPath: `${path}.${key}` };
    }
  }
}

/** What a schema knows inside an object: its own keys, or those of the object that it takes beside other types. */
function propertiesOf(schema: TSchema): Readonly<Record<string, TSchema>> | undefined {
  const choices: readonly TSchema[] = schema["anyOf"] ?? [schema];
  return choices.find((choice) => choice["properties"] !== undefined)?.["properties"];
}

const known = new WeakMap<TSchema, readonly string[]>();

/** The JSON types that a schema takes; none where it takes anything. */
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

function withArticle(type: string): string {
  return `${type === "array" || type === "object" ? "an" : "a"} ${type}`;
}

function isWordList(schemas: unknown): schemas is readonly TSchema[] {
  return (
    Array.isArray(schemas) && schemas.every((schema) => isJsonObject(schema) && typeof schema["const"] === "string")
  );
}
