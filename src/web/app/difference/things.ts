import { byId, type Change, type DraftDocument, type EditedNoun, lists } from "../../../core/editing/changes/change.ts";
import { isSame } from "../../../core/editing/changes/things.ts";
import { isJsonObject, type JsonObject } from "../../../core/interpreter/flow.ts";
import type { EditorDataChange } from "./thing-change.ts";

/** An object of a flow, with the ids of its group and block. */
export type Placed = { readonly value: JsonObject; readonly groupId?: string; readonly blockId?: string };

/** Returns a key that identifies an object. The key of an item includes its block. */
export function keyOf(of: EditedNoun, id?: string, within?: string): string {
  return [of, ...(of === "item" ? [within ?? ""] : []), id ?? ""].join(":");
}

/**
 * Returns every object of a draft that has an id, by `keyOf`. Also includes the theme, the settings, the editor's data
 * and the bot itself, which have no id.
 */
export function thingsOf(draft: DraftDocument): ReadonlyMap<string, Placed> {
  const things = new Map<string, Placed>();
  for (const [of, list] of [
    ["group", draft.groups],
    ["event", draft.events],
    ["edge", draft.edges],
    ["variable", draft.variables],
  ] as const) {
    for (const [id, value] of byId(list) ?? []) things.set(keyOf(of, id), { value });
  }
  for (const [groupId, group] of byId(draft.groups) ?? []) {
    for (const [blockId, block] of byId(group["blocks"]) ?? []) {
      things.set(keyOf("block", blockId), { value: block, groupId });
      for (const [id, value] of byId(block["items"]) ?? []) {
        things.set(keyOf("item", id, blockId), { value, groupId, blockId });
      }
    }
  }
  const editor = draft.editor ?? {};
  for (const of of ["note", "frame"] as const) {
    for (const [id, value] of byId(editor[lists[of].key]) ?? []) things.set(keyOf(of, id), { value });
  }
  for (const of of ["theme", "settings"] as const) {
    const value = draft[of];
    if (isJsonObject(value)) things.set(keyOf(of), { value });
  }
  things.set(keyOf("editor"), { value: editor });
  things.set(keyOf("bot"), { value: { ...draft } });
  return things;
}

/**
 * Returns the ids of all objects of a kind, in the order of their list. Empty if some of the ids are missing or not
 * unique.
 */
export function idsOf(draft: DraftDocument, of: "group" | "event" | "edge" | "variable"): readonly string[] {
  return [...(byId(draft[lists[of].key]) ?? new Map<string, JsonObject>()).keys()];
}

/** The editor data that is stored by group id. */
const kept = { colors: "color", locks: "lock" } as const;

type Sides = Readonly<Record<"before" | "after", DraftDocument["editor"]>> & { isGroup(id: string): boolean };

/** Returns the changes of editor data by group. Returns an empty list if the change concerns no group. */
export function besideOf(
  change: Change,
  { before, after, isGroup }: Sides,
): readonly (EditorDataChange & { readonly groupId: string })[] {
  if (change.op !== "set" || change.of !== "editor") return [];
  const [key, id] = change.path;
  if (key !== "colors" && key !== "locks") return [];
  const [was, is] = [objectIn(before, key), objectIn(after, key)];
  const ids = typeof id === "string" ? [id] : [...new Set([...Object.keys(was), ...Object.keys(is)])];
  return ids.flatMap((groupId) => {
    const [from, to] = [was, is].map((side) => (Object.hasOwn(side, groupId) ? side[groupId] : undefined));
    if (isSame(from, to) || !isGroup(groupId)) return [];
    const sides = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
    return [{ groupId, what: kept[key], ...sides }];
  });
}

function objectIn(editor: DraftDocument["editor"], key: string): JsonObject {
  const value = editor?.[key];
  return isJsonObject(value) ? value : {};
}
