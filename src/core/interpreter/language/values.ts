/** The values that a variable may hold. Numbers, booleans and objects are stored as their JSON text. */
export type Value = string | (string | null)[] | null;

/**
 * Converts any value to a value for a variable: texts unchanged, other values as JSON text, empty values as null; lists
 * element by element. Idempotent.
 */
export function normalise(value: unknown): Value {
  return Array.isArray(value) ? value.map(normaliseScalar) : normaliseScalar(value);
}

/** Converts values in the same way, but texts keep their backslashes. */
export function normaliseExact(value: unknown): Value {
  if (Array.isArray(value))
    return value.map((element) => (typeof element === "string" ? exact(element) : normaliseScalar(element)));
  return typeof value === "string" ? exact(value) : normaliseScalar(value);
}

function exact(text: string): string | null {
  return text === "" ? null : cleanText(text);
}

/**
 * A variable's value as code sees it: texts that look like numbers, booleans, `null` or `undefined` become those
 * values.
 */
export function guessType(value: Value): unknown {
  if (typeof value !== "string") return value;
  if (value.length > 1 && value.startsWith("0") && !value.startsWith("0.")) return value;
  if (value.startsWith("+")) return value;
  if (value === "true" || value === "false") return value === "true";
  if (value === "null") return null;
  if (value === "undefined") return undefined;
  const number = Number(value);
  return Number.isNaN(number) ? value : number;
}

/** A value as it is printed in a text: a list as compact JSON. */
export function toText(value: Value): string {
  return typeof value === "string" ? value : value === null ? "" : JSON.stringify(value);
}

function normaliseScalar(value: unknown): string | null {
  if (value === null || value === undefined || typeof value === "bigint") return null;
  const text = typeof value === "string" ? value : jsonText(value);
  return text === undefined || text === "" ? null : storable(text);
}

/** The text with U+FFFD instead of U+0000 and unpaired surrogates, which cannot be stored. */
export function cleanText(text: string): string {
  const clean = text.isWellFormed() ? text : text.toWellFormed();
  return clean.includes("\0") ? clean.replaceAll("\0", "\ufffd") : clean;
}

function jsonText(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    // The value is circular, or contains a bigint.
    return undefined;
  }
}

/** A text that can be stored. A backslash that begins no escape is doubled. */
function storable(text: string): string {
  const clean = cleanText(text);
  return clean.includes("\\") ? clean.replace(/\\([\\ntbrf"'u]?)/g, (_, next: string) => `\\${next || "\\"}`) : clean;
}
