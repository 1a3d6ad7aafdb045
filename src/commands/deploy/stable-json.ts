import { isObject } from "../../web/conversation/read.ts";

/** Keys that come first, because readers look for them. The other keys follow in alphabetical order. */
const firstKeys = ["folder", "id", "type", "title", "name", "version"];

/**
 * Returns JSON in which all keys below the top level are sorted, so that a diff of the file shows only changes of its
 * content. The JSON is indented by two spaces and ends with a line break.
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
