import type { FlowDocument, JsonObject } from "../../interpreter/flow.ts";
import type { TextEdit } from "../text/ops.ts";

/** What has a place in a list and an id there: of a flow all of them, of items those of one block. The editor keeps notes and frames. */
export type ListedNoun = "group" | "block" | "item" | "edge" | "event" | "variable" | "note" | "frame";

/**
 * What a change is about. `bot` is the draft as a whole: its version, or a list whose entries no id tells apart. `editor` is what an
 * editor keeps beside the flow, such as the colours of groups.
 */
export type EditedNoun = ListedNoun | "theme" | "settings" | "bot" | "editor";

/** A flow as its authors have it, with what their editor keeps beside it. */
export type DraftDocument = FlowDocument & { readonly editor?: JsonObject | null };

/** Keys of objects, and positions in lists that have no ids. */
export type Path = readonly (string | number)[];

/** The group of a block, the block of an item. Where there is none the flow itself holds it. */
type Within = { readonly in?: string };

/** One change of a draft. `before` is the id of what comes next in the list; absent, or no longer there: it is the last. */
export type Change =
  | ({ readonly op: "add"; readonly of: ListedNoun; readonly before?: string; readonly value: JsonObject } & Within)
  | ({ readonly op: "remove"; readonly of: ListedNoun; readonly id: string } & Within)
  /** `in` is where it moves to. Items stay in their block. */
  | ({ readonly op: "move"; readonly of: ListedNoun; readonly id: string; readonly before?: string } & Within)
  /** Without `value` the key goes. `id` is absent for theme, settings, the editor and the bot. */
  | ({
      readonly op: "set";
      readonly of: EditedNoun;
      readonly id?: string;
      readonly path: Path;
      readonly value?: unknown;
    } & Within)
  /** Letters of a text come, go, or get another look. What others do to the text meanwhile stays. */
  | EditChange;

export type EditChange = {
  readonly op: "edit";
  readonly of: EditedNoun;
  readonly id?: string;
  readonly path: Path;
} & TextEdit &
  Within;

/** One act of an author, such as "Move 3 groups": it applies whole or not at all. */
export type ChangeSet = {
  /** Made by the client: a set that was seen is not applied again. */
  readonly id: string;
  readonly title: string;
  readonly changes: readonly Change[];
};

/** What made a set where no author did: the service, that made the draft what it was. Only the service says so of its own sets. */
export type SetOrigin = "restore";

/** The thing that a `set` is about. */
export type Target = { readonly of: EditedNoun; readonly id?: string; readonly in?: string };

/** Where entries of a noun stand: in the flow itself, or in what the editor keeps. Blocks are in groups, and items in blocks. */
export const listsOfFlow = { group: "groups", event: "events", edge: "edges", variable: "variables" } as const;
export const listsOfEditor = { note: "notes", frame: "frames" } as const;

/** A stored list by the ids of its entries, in order. Undefined where these do not tell the entries apart. */
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

/** Groups and blocks by id, where each block is in one group only. */
export type Groups = {
  readonly groups: ReadonlyMap<string, JsonObject>;
  /** The ids of a group's blocks, in order; none where it has no list of them. */
  readonly blocksOf: ReadonlyMap<string, readonly string[]>;
  readonly blocks: ReadonlyMap<string, { readonly groupId: string; readonly block: JsonObject }>;
};

/** The groups of a flow by id. Undefined where ids do not tell groups or blocks apart. */
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
