import type { Issue } from "./shape.ts";

/**
 * Finds numbers that JSON cannot store: `1e400` is parsed as infinite, and would be written as null. The search is not
 * recursive, as the depth is unknown.
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
    // A list of millions is not copied.
    for (const inner of Array.isArray(next) ? next : Object.values(next)) look(inner);
  }
  return isFound ? [{ path, message: "must not hold a number beyond 1.8e308" }] : [];
}
