import { isJsonObject, type JsonObject, valueAt } from "../../interpreter/flow.ts";
import { diffTexts } from "../text/edit.ts";
import {
  byId,
  type Change,
  type DraftDocument,
  type Groups,
  type ListedNoun,
  lists,
  type Path,
  readGroups,
  type Target,
} from "./change.ts";
import { openDraft } from "./open-draft.ts";
import { placements } from "./order.ts";
import { isSame, naming } from "./things.ts";

/**
 * Returns the changes from one draft to another, matched by ids. `apply(before, diff(before, after))` equals `after`
 * except for key order. The changes must be applied in order. An added or removed group includes its blocks, except for
 * blocks that are in another group of the other draft. Comparing two flows with 10,000 blocks and 4 MB takes 70 ms, or
 * 90 ms if all lists are in a different order (Bun 1.4.4, on a busy two-core machine).
 */
export function diff(before: DraftDocument, after: DraftDocument): Change[] {
  return [
    ...valueChanges({ of: "bot" }, before.version, after.version, ["version"]),
    ...groupChanges(before.groups, after.groups),
    ...(["event", "edge", "variable"] as const).flatMap((of) => listChanges(of, before, after)),
    ...valueChanges({ of: "theme" }, before.theme, after.theme),
    ...valueChanges({ of: "settings" }, before.settings, after.settings),
    ...editorChanges(before.editor ?? {}, after.editor ?? {}),
  ];
}

/**
 * Like `diff`, but returns each changed rich text that supports edits as a single value. Other authors' edits of the
 * text can be applied to that value.
 */
export function diffByTexts(before: DraftDocument, after: DraftDocument): Change[] {
  const [old, now] = [openDraft(before), openDraft(after)];
  const seen = new Set<string>();
  return diff(before, after).flatMap((change): Change[] => {
    const depth = change.op === "set" ? change.path.indexOf("richText") + 1 : 0;
    if (change.op !== "set" || depth === 0 || depth === change.path.length) return [change];
    const { value: _, ...place } = change;
    const path = change.path.slice(0, depth);
    const key = JSON.stringify([place.of, place.id, place.in, path]);
    if (seen.has(key)) return [];
    const value = now.read(change, path);
    if (!diffTexts(old.read(change, path), value, "rich")) return [change];
    seen.add(key);
    return [{ ...place, path, value }];
  });
}

/** Returns the changes to the editor's data. Missing notes and frames are treated as empty lists. */
function editorChanges(before: JsonObject, after: JsonObject): Change[] {
  return [
    ...(["note", "frame"] as const).flatMap((of) => listChanges(of, before, after)),
    ...keysOf(before, after)
      .filter((key) => key !== lists.note.key && key !== lists.frame.key)
      .flatMap((key) => valueChanges({ of: "editor" }, ownValue(before, key), ownValue(after, key), [key])),
  ];
}

function groupChanges(before: unknown, after: unknown): Change[] {
  const [from, to] = [readGroups(before), readGroups(after)];
  if (!from || !to) return valueChanges({ of: "bot" }, before, after, ["groups"]);
  return [
    ...firstLists(from, to),
    ...addedGroups(from, to),
    ...placedBlocks(from, to),
    ...removed("block", from.blocks, (id, { groupId }) => to.blocks.has(id) || !to.groups.has(groupId)),
    ...removed("group", from.groups, (id) => to.groups.has(id)),
    ...[...to.groups].flatMap(([id, group]) => {
      const old = from.groups.get(id);
      return old ? [...ownChanges({ of: "group", id }, old, group, "blocks"), ...lastLists(id, old, group)] : [];
    }),
    ...[...to.blocks].flatMap(([id, { block }]) => blockChanges(id, from.blocks.get(id)?.block, block)),
  ];
}

/** Returns the changes that add missing block lists to groups, so that blocks can be inserted. */
function firstLists(from: Groups, to: Groups): Change[] {
  return [...to.groups].flatMap(([id, { blocks }]): Change[] => {
    const old = from.groups.get(id);
    if (!old || Array.isArray(old["blocks"]) || !Array.isArray(blocks)) return [];
    return [{ op: "set", of: "group", id, path: ["blocks"], value: [] }];
  });
}

/** Returns the change that replaces a group's `blocks` by a value that is not a list. */
function lastLists(id: string, before: JsonObject, after: JsonObject): Change[] {
  if (Array.isArray(after["blocks"])) return [];
  return valueChanges({ of: "group", id }, before["blocks"], after["blocks"], ["blocks"]);
}

function addedGroups(from: Groups, to: Groups): Change[] {
  return placements([...from.groups.keys()], [...to.groups.keys()]).flatMap((place): Change[] => {
    const group = to.groups.get(place.id);
    if (!group) return [];
    if (from.groups.has(place.id)) return [{ op: "move", of: "group", ...place }];
    const { id: _, ...where } = place;
    if (!Array.isArray(group["blocks"])) return [{ op: "add", of: "group", ...where, value: group }];
    const blocks = newBlocks(place.id, from, to).flatMap((id) => to.blocks.get(id)?.block ?? []);
    return [{ op: "add", of: "group", ...where, value: { ...group, blocks } }];
  });
}

/** Returns the blocks of a group that the earlier flow does not contain. */
function newBlocks(groupId: string, from: Groups, to: Groups): string[] {
  return (to.blocksOf.get(groupId) ?? []).filter((id) => !from.blocks.has(id));
}

function placedBlocks(from: Groups, to: Groups): Change[] {
  return [...to.blocksOf].flatMap(([groupId, ids]) => {
    const there = from.groups.has(groupId)
      ? (from.blocksOf.get(groupId) ?? []).filter((id) => to.blocks.get(id)?.groupId === groupId)
      : newBlocks(groupId, from, to);
    return placements(there, ids).flatMap((place): Change[] => {
      if (from.blocks.has(place.id)) return [{ op: "move", of: "block", in: groupId, ...place }];
      const { id, ...where } = place;
      const added = to.blocks.get(id);
      return added ? [{ op: "add", of: "block", in: groupId, ...where, value: added.block }] : [];
    });
  });
}

function blockChanges(id: string, before: JsonObject | undefined, after: JsonObject): Change[] {
  // Most blocks are unchanged, so comparing only the changed blocks takes a third of the time.
  if (!before || isSame(before, after)) return [];
  const target = { of: "block", id } as const;
  return [...ownChanges(target, before, after, "items"), ...listChanges("item", before, after, id)];
}

/**
 * Returns the changes to a list of the flow, of the editor's data, or of the block `within`. A list that the editor
 * does not store is treated as empty.
 */
function listChanges(of: ListedNoun, before: object, after: object, within?: string): Change[] {
  const { of: owner, key } = lists[of];
  const place = within === undefined ? {} : { in: within };
  const listIn = (holder: object) => (owner === "editor" ? (valueAt(holder, key) ?? []) : valueAt(holder, key));
  const [old, now] = [listIn(before), listIn(after)];
  const [from, to] = [byId(old), byId(now)];
  if (!from || !to) return valueChanges(naming({ of: owner, id: within }), old, now, [key]);
  return [
    ...placements([...from.keys()], [...to.keys()]).flatMap(({ id, ...where }): Change[] => {
      if (from.has(id)) return [{ op: "move", of, ...place, id, ...where }];
      const value = to.get(id);
      return value ? [{ op: "add", of, ...place, ...where, value }] : [];
    }),
    ...removed(of, from, (id) => to.has(id)).map((change) => ({ ...change, ...place })),
    ...[...to].flatMap(([id, entry]) => {
      const old = from.get(id);
      return old && !isSame(old, entry) ? ownChanges({ of, id, ...place }, old, entry) : [];
    }),
  ];
}

function removed<Entry>(
  of: ListedNoun,
  entries: ReadonlyMap<string, Entry>,
  stays: (id: string, entry: Entry) => boolean,
): Change[] {
  return [...entries].flatMap(([id, entry]): Change[] => (stays(id, entry) ? [] : [{ op: "remove", of, id }]));
}

/** Returns the changes to the keys of an entry, except for its id and its nested list. */
function ownChanges(target: Target, before: JsonObject, after: JsonObject, list?: string): Change[] {
  return keysOf(before, after)
    .filter((key) => key !== "id" && key !== list)
    .flatMap((key) => valueChanges(target, ownValue(before, key), ownValue(after, key), [key]));
}

/**
 * Returns the changes from one value to another. Objects are compared by key, and lists of equal length by index. Any
 * other value that differs is replaced as a whole. An undefined value means that the key is absent.
 */
function valueChanges(target: Target, before: unknown, after: unknown, path: Path = []): Change[] {
  if (before === after) return [];
  if (isJsonObject(before) && isJsonObject(after)) {
    return keysOf(before, after).flatMap((key) =>
      valueChanges(target, ownValue(before, key), ownValue(after, key), [...path, key]),
    );
  }
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    return after.flatMap((value, index) => valueChanges(target, before[index], value, [...path, index]));
  }
  return [{ op: "set", ...target, path, ...(after !== undefined && { value: after }) }];
}

function keysOf(before: JsonObject, after: JsonObject): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])];
}

function ownValue(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
