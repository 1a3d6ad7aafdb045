import { limits } from "../../../limits/index.ts";
import { cleanText } from "./values.ts";

/**
 * Parses external JSON and makes the value safe to store. U+0000 and unpaired surrogates become U+FFFD in values and
 * keys. Integers beyond the safe range of numbers become texts with all digits, since they are usually ids. Returns
 * undefined if the text is not JSON or is nested too deeply.
 */
export function parseUntrustedJson(text: string): { readonly value: unknown } | undefined {
  try {
    const parsed: unknown = /\d{16}/.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text);
    // Shorter texts cannot be nested too deeply.
    if (text.length > limits.request.jsonDepth && isTooDeep(parsed, 0)) return undefined;
    return { value: /\\u(?:0000|d[89a-f])/i.test(text) ? clean(parsed) : parsed };
  } catch {
    return undefined;
  }
}

/** Like `parseUntrustedJson`, but returns the text itself instead of undefined. */
export function untrustedJsonOrText(text: string): unknown {
  const json = parseUntrustedJson(text);
  return json ? json.value : text;
}

function keepDigits(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (typeof value !== "number" || Number.isSafeInteger(value)) return value;
  const source = context?.source ?? "";
  return /^-?\d+$/.test(source) ? source : value;
}

function isTooDeep(value: unknown, depth: number): boolean {
  if (value === null || typeof value !== "object") return false;
  return depth === limits.request.jsonDepth || Object.values(value).some((child) => isTooDeep(child, depth + 1));
}

function clean(value: unknown): unknown {
  if (typeof value === "string") return cleanText(value);
  if (Array.isArray(value)) return value.map(clean);
  if (typeof value !== "object" || value === null) return value;
  // `Object.fromEntries` defines keys instead of assigning them, so that `__proto__` is an ordinary key.
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [cleanText(key), clean(child)]));
}
