import type { Issue } from "./shape.ts";

/**
 * Returns an issue if a value contains a number that JSON cannot store. For example, `1e400` is parsed as infinity and
 * would be written as null. The search is iterative because documents may be nested to any depth.
 */
export function findUnstorable(value: unknown, path: string): Issue[] {
  const waiting: object[] = [];
  let isFound = false;
  const look = (inner: unknown): void => {
    if (typeof inner === "number") isFound ||= !Number.isFinite(inner);
    else if (typeof inner === "object" && inner !== null) waiting.push(inner);
  };
  look(value);
  for (let next = waiting.pop(); next && !isFound; next = waiting.pop()) {
    // Arrays are iterated directly so that a list of millions of elements is not copied.
    for (const inner of Array.isArray(next) ? next : Object.values(next)) look(inner);
  }
  return isFound ? [{ path, message: "must not contain a number beyond 1.8e308" }] : [];
}
