import type { FlowDocument, JsonObject } from "../../interpreter/flow.ts";
import type { TextEdit } from "../text/ops.ts";

/**
 * Things that have a place in a list and an id in it: unique within the flow, for items within their block. Notes and
 * frames are in the editor's data.
 */
export type ListedNoun = "group" | "block" | "item" | "edge" | "event" | "variable" | "note" | "frame";

/**
 * The subject of a change. `bot` is the draft as a whole: its version, or a list whose entries have no unique ids.
 * `editor` is the data that an editor keeps beside the flow, such as the colours of groups.
 */
export type EditedNoun = ListedNoun | "theme" | "settings" | "bot" | "editor";

/** A flow as its authors have it, with the data that their editor keeps beside it. */
export type DraftDocument = FlowDocument & { readonly editor?: JsonObject | null };

/** Keys of objects, and positions in lists that have no ids. */
export type Path = readonly (string | number)[];

/** The group of a block, the block of an item. Absent: the flow itself holds the thing. */
type Within = { readonly in?: string };

/**
 * One change of a draft. `before` is the id of the next entry in the list; if it is absent or no longer there, the
 * thing comes last.
 */
export type Change =
  | ({ readonly op: "add"; readonly of: ListedNoun; readonly before?: string; readonly value: JsonObject } & Within)
  | ({ readonly op: "remove"; readonly of: ListedNoun; readonly id: string } & Within)
  /** `in` is its new container. Items stay in their block. */
  | ({ readonly op: "move"; readonly of: ListedNoun; readonly id: string; readonly before?: string } & Within)
  /** Without `value` the key is removed. `id` is absent for theme, settings, the editor and the bot. */
  | ({
      readonly op: "set";
      readonly of: EditedNoun;
      readonly id?: string;
      readonly path: Path;
      readonly value?: unknown;
    } & Within)
  /** Inserts, removes or restyles letters of a text. Concurrent edits of the same text are preserved. */
  | EditChange;

export type EditChange = {
  readonly op: "edit";
  readonly of: EditedNoun;
  readonly id?: string;
  readonly path: Path;
} & TextEdit &
  Within;

/** One act of an author, such as "Move 3 groups": it applies as a whole or is refused. */
export type ChangeSet = {
  /** The client creates the id: a set with a known id is not applied again. */
  readonly id: string;
  readonly title: string;
  readonly changes: readonly Change[];
};

/**
 * The origin of a set without an author: the service replaced the draft. Only the service writes this field, on its own
 * sets.
 */
export type SetOrigin = "restore";

/** The thing that a `set` is about. */
export type Target = { readonly of: EditedNoun; readonly id?: string; readonly in?: string };

/** The list that a noun's entries are in: of the flow (`bot`), of the editor's data, of a group or of a block. */
export const lists = {
  group: { of: "bot", key: "groups" },
  event: { of: "bot", key: "events" },
  edge: { of: "bot", key: "edges" },
  variable: { of: "bot", key: "variables" },
  note: { of: "editor", key: "notes" },
  frame: { of: "editor", key: "frames" },
  block: { of: "group", key: "blocks" },
  item: { of: "block", key: "items" },
} as const satisfies Readonly<Record<ListedNoun, { of: EditedNoun; key: string }>>;

export function isListed(of: EditedNoun): of is ListedNoun {
  return Object.hasOwn(lists, of);
}

/** A stored list with its entries by id, in order. Undefined if the ids are not unique. */
export function byId(list: unknown): ReadonlyMap<string, JsonObject> | undefined {
  if (!Array.isArray(list)) return undefined;
  const entries = new Map<string, JsonObject>();
  for (const entry of list) {
    const id: unknown = entry?.id;
    if (typeof id !== "string" || Array.isArray(entry) || entries.has(id)) return undefined;
    entries.set(id, entry);
  }
  return entries;
}

/** Groups and blocks by id, if each block is in one group only. */
export type Groups = {
  readonly groups: ReadonlyMap<string, JsonObject>;
  /** The ids of a group's blocks, in order; empty if it has no list of them. */
  readonly blocksOf: ReadonlyMap<string, readonly string[]>;
  readonly blocks: ReadonlyMap<string, { readonly groupId: string; readonly block: JsonObject }>;
};

/** The groups of a flow by id. Undefined if ids of groups or blocks are not unique. */
export function readGroups(list: unknown): Groups | undefined {
  const groups = byId(list);
  if (!groups) return undefined;
  const blocksOf = new Map<string, readonly string[]>();
  const blocks = new Map<string, { groupId: string; block: JsonObject }>();
  for (const [groupId, group] of groups) {
    const own = byId(group["blocks"] ?? []);
    if (!own) return undefined;
    for (const [id, block] of own) {
      if (blocks.has(id)) return undefined;
      blocks.set(id, { groupId, block });
    }
    blocksOf.set(groupId, [...own.keys()]);
  }
  return { groups, blocksOf, blocks };
}
