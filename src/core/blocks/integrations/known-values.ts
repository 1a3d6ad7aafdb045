import type { View } from "../../interpreter/program/view.ts";

/**
 * Returns all answers and non-empty variables of the current flow by name. A variable overrides an answer with the same
 * name. List elements are joined with `separator`.
 */
export function knownValues(view: View, separator: string): Map<string, string> {
  const known = new Map(view.answers);
  for (const { name, value } of view.variables.filled()) {
    known.set(name, typeof value === "string" ? value : value.join(separator));
  }
  return known;
}
