/** A JSON object. The functions of this file check each part that they read. */

export type Json = Readonly<Record<string, unknown>>;

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the value at a path of keys; undefined if a key is missing. */
export function at(value: unknown, ...path: readonly string[]): unknown {
  let found = value;
  for (const key of path) {
    if (!isObject(found) || !Object.hasOwn(found, key)) return undefined;
    found = found[key];
  }
  return found;
}

/** Returns the text at a path; undefined if there is no text. A number is converted to text. */
export function textAt(value: unknown, ...path: readonly string[]): string | undefined {
  const found = at(value, ...path);
  if (typeof found === "number") return String(found);
  return typeof found === "string" ? found : undefined;
}

/**
 * Returns the number at a path; undefined if there is none. A text that consists of a number is converted, because
 * variables are texts.
 */
export function numberAt(value: unknown, ...path: readonly string[]): number | undefined {
  const found = at(value, ...path);
  const number = typeof found === "string" && found.trim() !== "" ? Number(found) : found;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}

/** Returns the boolean at a path; undefined if there is none. */
export function flagAt(value: unknown, ...path: readonly string[]): boolean | undefined {
  const found = at(value, ...path);
  return typeof found === "boolean" ? found : undefined;
}

/** Returns the list at a path, or an empty list if there is none. */
export function listAt(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
}

/** Returns the text at a path, unless it is empty. */
export function filledTextAt(value: unknown, ...path: readonly string[]): string | undefined {
  return textAt(value, ...path) || undefined;
}
