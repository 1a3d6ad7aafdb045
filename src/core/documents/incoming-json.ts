import { AppError } from "../../errors.ts";
import { limits } from "../../limits/index.ts";
import { findJsonFault } from "../editing/changes/json-position.ts";

const escapesThatNeedCare = /\\u(0000|d[89a-f])/i;

/**
 * The minimum number of JSON characters per key, as in `"":1,`. Keys are not counted in a text that is too short to
 * exceed the limit.
 */
const charactersOfKey = 5;

/**
 * Parses JSON from an external source and makes the value safe to store. Throws `request.malformed`, including for JSON
 * that is nested too deeply or has too many keys.
 */
export function parseJson(text: string): unknown {
  const value = parse(text);
  // Shorter texts cannot exceed the depth limit.
  if (text.length > limits.request.jsonDepth) refuseDeep(value, 0);
  if (text.length > limits.request.keyNames * charactersOfKey) refuseManyKeys(value, { keys: 0, names: new Set() });
  return needsCleaning(text) ? clean(value) : value;
}

/** Replaces U+0000 and unpaired surrogates with U+FFFD. */
export function cleanText(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\uFFFD");
}

/** Returns whether a JSON text may contain escapes that the stored value must not contain. */
export function needsCleaning(text: string): boolean {
  return escapesThatNeedCare.test(text);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw notJson(text, error);
  }
}

function notJson(text: string, cause: unknown): AppError {
  const position = findJsonFault(text, { depth: limits.request.jsonDepth });
  if (!position) return new AppError("request.malformed", { cause });
  const { line, column } = position;
  const message = `The body is not valid JSON: see line ${line}, column ${column}.`;
  return new AppError("request.malformed", { message, data: position, cause });
}

function refuseDeep(value: unknown, depth: number): void {
  if (value === null || typeof value !== "object") return;
  if (depth === limits.request.jsonDepth) {
    throw new AppError("request.malformed", {
      message: `The body has more than ${limits.request.jsonDepth} levels of nesting.`,
    });
  }
  // Arrays are iterated directly because `Object.values` takes seconds for millions of elements (Bun 1.4.4: 16 s for
  // four million numbers, compared with 30 ms for this loop).
  for (const child of Array.isArray(value) ? value : Object.values(value)) {
    if (typeof child === "object") refuseDeep(child, depth + 1);
  }
}

type Keys = { keys: number; readonly names: Set<string> };

/**
 * Throws if a value has too many keys or too many different keys. Parsing a new key is a hundred times slower than
 * parsing a known key, and later processing costs the same again.
 */
function refuseManyKeys(value: unknown, found: Keys): void {
  if (value === null || typeof value !== "object") return;
  if (Array.isArray(value)) {
    for (const child of value) if (typeof child === "object") refuseManyKeys(child, found);
    return;
  }
  for (const key in value) {
    found.keys++;
    found.names.add(key);
    if (found.keys > limits.request.keys) throw tooMany(limits.request.keys, "keys");
    if (found.names.size > limits.request.keyNames) throw tooMany(limits.request.keyNames, "different keys");
    const child: unknown = Reflect.get(value, key);
    if (typeof child === "object") refuseManyKeys(child, found);
  }
}

function tooMany(count: number, what: string): AppError {
  return new AppError("request.malformed", {
    message: `The body has more than ${count.toLocaleString("en")} ${what}.`,
  });
}

function clean(value: unknown): unknown {
  if (typeof value === "string") return cleanText(value);
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(clean);
  const copy = {};
  for (const [key, child] of Object.entries(value)) {
    // Assigning to `__proto__` would set the prototype instead of a property.
    Object.defineProperty(copy, cleanText(key), {
      value: clean(child),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return copy;
}
