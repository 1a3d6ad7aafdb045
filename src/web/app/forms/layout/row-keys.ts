import { isObject, textOf } from "../values.ts";

/**
 * Names the rows of a list: by their ids, so that a row keeps its content when it moves; a second one of the same id by
 * its place, too.
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
