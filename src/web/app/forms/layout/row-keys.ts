import { isObject, textOf } from "../values.ts";

/**
 * Returns keys for the rows of a list. The key is the id, so that a row keeps its state when it moves. The key of a row
 * with a missing or duplicate id includes its position.
 */
export function keysOf(list: readonly unknown[]): readonly string[] {
  const seen = new Set<string>();
  return list.map((entry, index) => {
    const id = isObject(entry) ? textOf(entry["id"]) : "";
    const key = id === "" || seen.has(id) ? `${index} ${id}` : id;
    seen.add(key);
    return key;
  });
}
