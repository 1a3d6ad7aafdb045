import { isObject } from "../../web/conversation/read.ts";

/** Keys that readers look for come first; the others follow in alphabetical order. */
const firstKeys = ["folder", "id", "type", "title", "name", "version"];

/**
 * JSON that is equal for equal values: two blanks a level, keys in one order at every depth below the top, and a line
 * end. The changes of a file are thus those of its content.
 */
export function stableJson(value: object): string {
  const entries = Object.entries(value).map(([key, inner]) => [key, sorted(inner)]);
  return `${JSON.stringify(Object.fromEntries(entries), undefined, 2)}\n`;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  const keys = Object.keys(value).toSorted((a, b) => rankOf(a) - rankOf(b) || (a < b ? -1 : 1));
  return Object.fromEntries(keys.map((key) => [key, sorted(value[key])]));
}

function rankOf(key: string): number {
  const rank = firstKeys.indexOf(key);
  return rank === -1 ? firstKeys.length : rank;
}
