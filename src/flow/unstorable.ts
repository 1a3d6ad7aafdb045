import type { Issue } from "./shape.ts";

/** Finds numbers that JSON cannot store: `1e400` is parsed as infinite, and would be written as null. Without recursion, as depth is unknown. */
export function findUnstorable(value: unknown, path: string): Issue[] {
  const waiting: unknown[] = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next === "number" && !Number.isFinite(next))
      return [{ path, message: "must not hold a number beyond 1.8e308" }];
    if (typeof next === "object" && next !== null) for (const inner of Object.values(next)) waiting.push(inner);
  }
  return [];
}
