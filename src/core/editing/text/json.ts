import { isJsonObject } from "../../interpreter/flow.ts";

export function entriesOf(list: unknown): readonly unknown[] {
  return Array.isArray(list) ? list : [];
}

/** Returns whether two JSON values are equal, ignoring the order of keys. */
export function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((value, index) => isSame(value, other[index]));
  }
  if (!isJsonObject(one) || !isJsonObject(other)) return false;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isSame(one[key], other[key]))
  );
}
