import type { FieldSchema } from "./schema.ts";

/** A path of object keys and list indexes. */
export type Path = readonly (string | number)[];

export type JsonObject = { readonly [key: string]: unknown };

/** An object that contains a field, and the schema of the object. */
export type Around = { readonly schema: FieldSchema; readonly value: unknown };

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the value at a path, or undefined. Inherited properties are ignored. */
export function valueAt(value: unknown, path: Path): unknown {
  let found = value;
  for (const key of path) {
    if (Array.isArray(found)) found = typeof key === "number" ? found[key] : undefined;
    else if (isObject(found) && Object.hasOwn(found, key)) found = found[key];
    else return undefined;
  }
  return found;
}

/**
 * Returns the schema of the field at a path; undefined if there is no such field. For a union, uses the first of its
 * schemas that has properties.
 */
export function schemaAt(schema: FieldSchema, path: Path): FieldSchema | undefined {
  const [key, ...rest] = path;
  if (key === undefined) return schema;
  if (typeof key === "number") return schema.items && schemaAt(schema.items, rest);
  const holder = schema.properties ? schema : schema.anyOf?.find(({ properties }) => properties);
  const properties = holder?.properties ?? {};
  const field = Object.hasOwn(properties, key) ? properties[key] : undefined;
  return field && schemaAt(field, rest);
}

/** Returns the objects around a path, from the outermost to the innermost. */
export function aroundOf(schema: FieldSchema, value: unknown, at: Path): readonly Around[] {
  return at.flatMap((_, depth) => {
    const path = at.slice(0, depth);
    const part = schemaAt(schema, path);
    return part ? [{ schema: part, value: valueAt(value, path) }] : [];
  });
}

/** Returns the title of the field at a path, or of the nearest parent with a title. */
export function titleAt(schema: FieldSchema, path: Path): string | undefined {
  for (let length = path.length; length > 0; length--) {
    const title = schemaAt(schema, path.slice(0, length))?.title;
    if (title !== undefined) return title;
  }
  return undefined;
}

/** Converts null to undefined, because null counts as absent. */
export function presentValue(value: unknown): unknown {
  return value === null ? undefined : value;
}

/** Whether the form shows a field, according to the `shownWhen` member of its schema. */
export function isShown(schema: FieldSchema, around: readonly Around[]): boolean {
  return Object.entries(schema.shownWhen ?? {}).every(([name, values]) => {
    const holder = around.findLast((one) => one.schema.properties && Object.hasOwn(one.schema.properties, name));
    if (!holder) return true;
    const stored = isObject(holder.value) && Object.hasOwn(holder.value, name) ? holder.value[name] : undefined;
    const value = presentValue(stored) ?? holder.schema.properties?.[name]?.default;
    return values.some((one) => one === value);
  });
}

/** Whether a stored value has a type that the schema allows. Any other value is shown as JSON. */
export function isOfType(schema: FieldSchema, value: unknown): boolean {
  const present = presentValue(value);
  if (present === undefined) return true;
  if (schema.anyOf) return schema.anyOf.some((choice) => isOfType(choice, present)) || isWord(schema, present);
  switch (schema.type) {
    case "array":
      return Array.isArray(present);
    case "object":
      return isObject(present);
    case "integer":
      return typeof present === "number";
    case undefined:
      return true;
    default:
      return typeof present === schema.type;
  }
}

/**
 * Whether the value is a text, and the field accepts only keywords. The text does not have to be among the keywords.
 */
function isWord({ anyOf = [] }: FieldSchema, value: unknown): boolean {
  return typeof value === "string" && anyOf.every((choice) => choice.const !== undefined);
}

export function withoutEntry<Entry>(list: readonly Entry[], index: number): readonly Entry[] {
  return list.filter((_, position) => position !== index);
}

/**
 * Returns a copy of a list with one entry moved to another index. If there is no such index, returns the list itself.
 */
export function withMoved<Entry>(list: readonly Entry[], from: number, to: number): readonly Entry[] {
  if (to < 0 || to >= list.length) return list;
  const moved = [...list];
  moved.splice(to, 0, ...moved.splice(from, 1));
  return moved;
}

export function textOf(value: unknown): string {
  return typeof value === "string" ? value : typeof value === "number" ? String(value) : "";
}

/** Whether two JSON values are equal. The order of keys is ignored. */
export function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((entry, index) => isSame(entry, other[index]));
  }
  if (!isObject(one) || !isObject(other)) return false;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isSame(one[key], other[key]))
  );
}
