import type { View } from "../interpreter/view.ts";

/** What the running flow knows, by name: visitors' answers, then every variable that holds something, which wins. Lists are joined by `separator`. */
export function answeredAndKnown(view: View, separator: string): Map<string, string> {
  const known = new Map(view.answers);
  for (const { name, value } of view.variables.filled()) {
    known.set(name, typeof value === "string" ? value : value.join(separator));
  }
  return known;
}
