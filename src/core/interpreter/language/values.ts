/** The value of a variable. Numbers, booleans and objects are stored as JSON text. */
export type Value = string | (string | null)[] | null;

/**
 * Converts any value to a value for a variable. Texts are made storable, other values become JSON text, and lists are
 * converted element by element. Empty values, and values that have no JSON text, become null. Idempotent.
 */
export function normalise(value: unknown): Value {
  return Array.isArray(value) ? value.map(normaliseScalar) : normaliseScalar(value);
}

/** Like `normalise`, but backslashes in texts are not changed. */
export function normaliseExact(value: unknown): Value {
  if (Array.isArray(value))
    return value.map((element) => (typeof element === "string" ? exact(element) : normaliseScalar(element)));
  return typeof value === "string" ? exact(value) : normaliseScalar(value);
}

function exact(text: string): string | null {
  return text === "" ? null : cleanText(text);
}

/**
 * Converts a variable's value for use in code: texts that look like numbers, booleans, `null` or `undefined` become
 * those values, and an empty text becomes 0. A number with a plus sign or a leading zero stays a text.
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

/** Formats a value for insertion into a text. A list becomes compact JSON, and null becomes the empty text. */
export function toText(value: Value): string {
  return typeof value === "string" ? value : value === null ? "" : JSON.stringify(value);
}

function normaliseScalar(value: unknown): string | null {
  if (value === null || value === undefined || typeof value === "bigint") return null;
  const text = typeof value === "string" ? value : jsonText(value);
  return text === undefined || text === "" ? null : storable(text);
}

/** Replaces U+0000 and unpaired surrogates, which cannot be stored, with U+FFFD. */
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

/** Returns a text that can be stored. A backslash that does not start an escape sequence is doubled. */
function storable(text: string): string {
  const clean = cleanText(text);
  return clean.includes("\\") ? clean.replace(/\\([\\ntbrf"'u]?)/g, (_, next: string) => `\\${next || "\\"}`) : clean;
}
