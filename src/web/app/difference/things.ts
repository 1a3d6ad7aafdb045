import { byId, type DraftDocument, type EditedNoun, listsOfEditor, listsOfFlow } from "../../../editing/change.ts";
import { isJsonObject, type JsonObject } from "../../../interpreter/flow.ts";

/** A thing of a flow, and where it lies. */
export type Placed = { readonly value: JsonObject; readonly groupId?: string; readonly blockId?: string };

/** What tells a thing from all others; items are told apart within their block. */
export function keyOf(of: EditedNoun, id?: string, within?: string): string {
  return [of, ...(of === "item" ? [within ?? ""] : []), id ?? ""].join(":");
}

/** Everything of a draft that has an id, and its theme, settings and notes, by `keyOf`. */
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
    for (const [id, value] of byId(editor[listsOfEditor[of]]) ?? []) things.set(keyOf(of, id), { value });
  }
  for (const of of ["theme", "settings"] as const) {
    const value = draft[of];
    if (isJsonObject(value)) things.set(keyOf(of), { value });
  }
  things.set(keyOf("editor"), { value: editor });
  things.set(keyOf("bot"), { value: { ...draft } });
  return things;
}

/** The ids of a noun's things, in the order of their list. */
export function idsOf(draft: DraftDocument, of: keyof typeof listsOfFlow): readonly string[] {
  return [...(byId(draft[listsOfFlow[of]]) ?? new Map<string, JsonObject>()).keys()];
}
