import { isObject, textOf } from "../values.ts";

/**
 * Keys for the rows of a list: their ids, so that a row keeps its content when it moves; a second row with the same id
 * also has its place.
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
