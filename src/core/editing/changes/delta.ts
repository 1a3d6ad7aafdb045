import { isJsonObject } from "../../interpreter/flow.ts";
import { idOf } from "./things.ts";

/**
 * The difference between two JSON values. The size of a delta is proportional to the change if the values share their
 * other parts.
 */
export type Delta =
  | { readonly kind: "value"; readonly value: unknown }
  | { readonly kind: "object"; readonly keys: readonly (readonly [string, Delta])[] }
  | { readonly kind: "list"; readonly entries: readonly (readonly [number, Delta])[] }
  | { readonly kind: "splice"; readonly at: number; readonly removed: number; readonly inserted: readonly unknown[] };

/**
 * Returns the difference between two values, or undefined if the values are equal. The second value must share its
 * unchanged parts with the first, as drafts do. Only parts that are different objects are compared, so an edit of one
 * of 10,000 blocks takes a tenth of a millisecond.
 */
export function deltaOf(before: unknown, after: unknown): Delta | undefined {
  if (Object.is(before, after)) return undefined;
  if (Array.isArray(before) && Array.isArray(after)) return deltaOfLists(before, after);
  if (!isJsonObject(before) || !isJsonObject(after)) return { kind: "value", value: after };
  const keys = Object.keys(after);
  // The order of keys is preserved because readers may depend on it.
  if (!isSameList(Object.keys(before), keys)) return { kind: "value", value: after };
  const changed = keys.flatMap((key): [string, Delta][] => {
    const delta = deltaOf(before[key], after[key]);
    return delta ? [[key, delta]] : [];
  });
  return changed.length === 0 ? undefined : { kind: "object", keys: changed };
}

/**
 * Reconstructs the second value of `deltaOf` from the first value. The result shares all unchanged parts with the first
 * value.
 */
export function applyDelta(before: unknown, delta: Delta | undefined): unknown {
  if (!delta) return before;
  switch (delta.kind) {
    case "value":
      return delta.value;
    case "object": {
      const holder = isJsonObject(before) ? before : {};
      const made = new Map(delta.keys);
      return Object.fromEntries(
        Object.entries(holder).map(([key, value]) => [key, made.has(key) ? applyDelta(value, made.get(key)) : value]),
      );
    }
    case "list": {
      const list: unknown[] = Array.isArray(before) ? [...before] : [];
      for (const [index, inner] of delta.entries) list[index] = applyDelta(list[index], inner);
      return list;
    }
    case "splice": {
      const list: readonly unknown[] = Array.isArray(before) ? before : [];
      return [...list.slice(0, delta.at), ...delta.inserted, ...list.slice(delta.at + delta.removed)];
    }
    default:
      return delta satisfies never;
  }
}

function deltaOfLists(before: readonly unknown[], after: readonly unknown[]): Delta | undefined {
  if (before.length === after.length) {
    const places = [...after.keys()].filter((index) => !Object.is(before[index], after[index]));
    // Entries are compared in pairs only if both lists have the same ids in the same order.
    if (places.every((index) => isSameThing(before[index], after[index]))) {
      const entries = places.flatMap((index): [number, Delta][] => {
        const delta = deltaOf(before[index], after[index]);
        return delta ? [[index, delta]] : [];
      });
      return entries.length === 0 ? undefined : { kind: "list", entries };
    }
  }
  const shorter = Math.min(before.length, after.length);
  let at = 0;
  while (at < shorter && Object.is(before[at], after[at])) at++;
  let behind = 0;
  while (behind < shorter - at && Object.is(before.at(-1 - behind), after.at(-1 - behind))) behind++;
  return {
    kind: "splice",
    at,
    removed: before.length - behind - at,
    inserted: after.slice(at, after.length - behind),
  };
}

function isSameThing(one: unknown, other: unknown): boolean {
  return idOf(one) === idOf(other);
}

function isSameList(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((entry, index) => entry === other[index]);
}
