import type { FlowDocument, JsonObject } from "../../interpreter/flow.ts";
import type { TextEdit } from "../text/ops.ts";

/**
 * The types of entries that are in a list and have an id. Ids are unique among the entries of a type. Item ids are
 * unique only within their block. Notes and frames are part of the editor's data.
 */
export type ListedNoun = "group" | "block" | "item" | "edge" | "event" | "variable" | "note" | "frame";

/**
 * The type of an entry or section of a draft. `bot` is the draft as a whole, for example its version or a list whose
 * entries have no unique ids. `editor` is data that an editor stores together with the flow, such as the colours of
 * groups.
 */
export type EditedNoun = ListedNoun | "theme" | "settings" | "bot" | "editor";

/** A flow with the data that its editor stores. */
export type DraftDocument = FlowDocument & { readonly editor?: JsonObject | null };

/** Keys of objects and indexes of lists. */
export type Path = readonly (string | number)[];

/** The container: the group of a block or the block of an item. Absent for all other entries. */
type Within = { readonly in?: string };

/**
 * One change to a draft. `before` is the id of the next entry in the list. If `before` is absent or no longer exists,
 * the entry is placed last.
 */
export type Change =
  | ({ readonly op: "add"; readonly of: ListedNoun; readonly before?: string; readonly value: JsonObject } & Within)
  | ({ readonly op: "remove"; readonly of: ListedNoun; readonly id: string } & Within)
  /** `in` is the new container of the entry. Items cannot leave their block. */
  | ({ readonly op: "move"; readonly of: ListedNoun; readonly id: string; readonly before?: string } & Within)
  /** Without `value` the key is deleted. `id` is absent for `theme`, `settings`, `editor` and `bot`. */
  | ({
      readonly op: "set";
      readonly of: EditedNoun;
      readonly id?: string;
      readonly path: Path;
      readonly value?: unknown;
    } & Within)
  /** Inserts, deletes or restyles characters of a text. Concurrent edits of the same text are merged. */
  | EditChange;

export type EditChange = {
  readonly op: "edit";
  readonly of: EditedNoun;
  readonly id?: string;
  readonly path: Path;
} & TextEdit &
  Within;

/** One action of an author, such as "Move 3 groups". A change set is applied completely or rejected. */
export type ChangeSet = {
  /** A unique id. A set whose id is already stored is not applied again. */
  readonly id: string;
  readonly title: string;
  readonly changes: readonly Change[];
};

/**
 * The origin of a set that no editor sent. `restore`: an earlier draft was restored. Only the service sets this value.
 */
export type SetOrigin = "restore";

/** An entry or section of a draft. Sections have no id. */
export type Target = { readonly of: EditedNoun; readonly id?: string; readonly in?: string };

/**
 * The list that contains the entries of each type. Lists belong to the flow (`bot`), the editor's data, a group or a
 * block.
 */
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

/**
 * Returns the entries of a stored list by id, in order. Returns undefined if the value is not a list, or if an id is
 * missing or not unique.
 */
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

/** Groups and blocks by id. Each block belongs to exactly one group. */
export type Groups = {
  readonly groups: ReadonlyMap<string, JsonObject>;
  /** The ids of a group's blocks in order. Empty if the group has no list of blocks. */
  readonly blocksOf: ReadonlyMap<string, readonly string[]>;
  readonly blocks: ReadonlyMap<string, { readonly groupId: string; readonly block: JsonObject }>;
};

/** Returns the groups of a flow by id, or undefined if the groups or their blocks are not lists with unique ids. */
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
