import type { Value } from "../../../interpreter/language/values.ts";
import type { View } from "../../../interpreter/program/view.ts";

/** The list with one more element. A text becomes a list first, null an empty one. */
export function appendTo(current: Value, element: string): unknown[] {
  if (current === null) return [element];
  return Array.isArray(current) ? [...current, element] : [current, element];
}

/** The list without its last or first element, and that element. A text is a list of one; undefined for null. */
export function removeEnd(
  current: Value,
  end: "last" | "first",
): { rest: (string | null)[]; element: string | null } | undefined {
  if (current === null) return undefined;
  const list = Array.isArray(current) ? current : [current];
  const element = (end === "last" ? list.at(-1) : list.at(0)) ?? null;
  return { rest: end === "last" ? list.slice(0, -1) : list.slice(1), element };
}

export type MapListItem = {
  readonly baseItemVariableId?: string;
  readonly baseListVariableId?: string;
  readonly targetListVariableId?: string;
};

/** The element of the target list at the index that the item has in the base list; null where anything is missing. */
export function itemAtSamePlace(params: MapListItem, view: View): string | null {
  const heldBy = (id: string | undefined): Value => (id === undefined ? null : view.variables.get(id));
  const item = heldBy(params.baseItemVariableId);
  const list = heldBy(params.baseListVariableId);
  const target = heldBy(params.targetListVariableId);
  if (typeof item !== "string" || item === "" || !Array.isArray(list) || !Array.isArray(target)) return null;
  const index = list.indexOf(item);
  return index < 0 ? null : (target[index] ?? null);
}
