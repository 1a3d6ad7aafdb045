import type { View } from "../../interpreter/view.ts";

/**
 * Everything that the running flow knows, by name: the visitor's answers, and every variable that holds something. Where both
 * have one name the variable counts. Lists are joined by `separator`.
 */
export function knownValues(view: View, separator: string): Map<string, string> {
  const known = new Map(view.answers);
  for (const { name, value } of view.variables.filled()) {
    known.set(name, typeof value === "string" ? value : value.join(separator));
  }
  return known;
}
