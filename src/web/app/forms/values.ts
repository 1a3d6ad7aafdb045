import type { FieldSchema } from "./schema.ts";

/** Keys of objects, and positions in lists. */
export type Path = readonly (string | number)[];

export type JsonObject = { readonly [key: string]: unknown };

/** An object around a field, with its schema. */
export type Around = { readonly schema: FieldSchema; readonly value: unknown };

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value at a path; undefined if there is none. Only own keys count. */
export function valueAt(value: unknown, path: Path): unknown {
  let found = value;
  for (const key of path) {
    if (Array.isArray(found)) found = typeof key === "number" ? found[key] : undefined;
    else if (isObject(found) && Object.hasOwn(found, key)) found = found[key];
    else return undefined;
  }
  return found;
}

/** The field at a path; for a union, the field that fits. */
export function schemaAt(schema: FieldSchema, path: Path): FieldSchema | undefined {
  const [key, ...rest] = path;
  if (key === undefined) return schema;
  if (typeof key === "number") return schema.items && schemaAt(schema.items, rest);
  const holder = schema.properties ? schema : schema.anyOf?.find(({ properties }) => properties);
  const properties = holder?.properties ?? {};
  const field = Object.hasOwn(properties, key) ? properties[key] : undefined;
  return field && schemaAt(field, rest);
}

/** The objects around a place, from the outside in. */
export function aroundOf(schema: FieldSchema, value: unknown, at: Path): readonly Around[] {
  return at.flatMap((_, depth) => {
    const path = at.slice(0, depth);
    const part = schemaAt(schema, path);
    return part ? [{ schema: part, value: valueAt(value, path) }] : [];
  });
}

/** The name of the field at a path; a field without a name has its parent's name. */
export function titleAt(schema: FieldSchema, path: Path): string | undefined {
  for (let length = path.length; length > 0; length--) {
    const title = schemaAt(schema, path.slice(0, length))?.title;
    if (title !== undefined) return title;
  }
  return undefined;
}

/** Null counts as absent everywhere. */
export function presentValue(value: unknown): unknown {
  return value === null ? undefined : value;
}

/** Whether the form shows a field, by `shownWhen` of its schema. */
export function isShown(schema: FieldSchema, around: readonly Around[]): boolean {
  return Object.entries(schema.shownWhen ?? {}).every(([name, values]) => {
    const holder = around.findLast((one) => one.schema.properties && Object.hasOwn(one.schema.properties, name));
    if (!holder) return true;
    const stored = isObject(holder.value) && Object.hasOwn(holder.value, name) ? holder.value[name] : undefined;
    const value = presentValue(stored) ?? holder.schema.properties?.[name]?.default;
    return values.some((one) => one === value);
  });
}

/** Whether a stored value has a type that the field allows: any other value is shown as JSON. */
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

/** A word that is not among the choices is still a word. */
function isWord({ anyOf = [] }: FieldSchema, value: unknown): boolean {
  return typeof value === "string" && anyOf.every((choice) => choice.const !== undefined);
}

/** A list without the entry at a position. */
export function withoutEntry<Entry>(list: readonly Entry[], index: number): readonly Entry[] {
  return list.filter((_, position) => position !== index);
}

/** A list with one entry moved to another place. */
export function withMoved<Entry>(list: readonly Entry[], from: number, to: number): readonly Entry[] {
  if (to < 0 || to >= list.length) return list;
  const moved = [...list];
  moved.splice(to, 0, ...moved.splice(from, 1));
  return moved;
}

export function textOf(value: unknown): string {
  return typeof value === "string" ? value : typeof value === "number" ? String(value) : "";
}

/** Whether two JSON values are equal, key order aside. */
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
