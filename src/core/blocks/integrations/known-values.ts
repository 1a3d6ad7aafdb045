import type { View } from "../../interpreter/program/view.ts";

/**
 * All answers, and all variables with a value, of the running flow by name. A variable wins over an answer of the same
 * name. Lists are joined by `separator`.
 */
export function knownValues(view: View, separator: string): Map<string, string> {
  const known = new Map(view.answers);
  for (const { name, value } of view.variables.filled()) {
    known.set(name, typeof value === "string" ? value : value.join(separator));
  }
  return known;
}
