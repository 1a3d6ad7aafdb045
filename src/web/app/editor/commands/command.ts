import type { Change, DraftDocument } from "../../../../core/editing/changes/change.ts";
import { diffByTexts } from "../../../../core/editing/changes/diff.ts";
import { entriesOf, idOf, objectsIn } from "../../../../core/editing/changes/things.ts";
import { isJsonObject, type JsonObject } from "../../../../core/interpreter/flow.ts";
import type { WordsOf } from "../../words/language.ts";
import type { Thing } from "./arrange.ts";

/** A group, an event, a block or an item of a flow. */
export type FlowThing = {
  readonly kind: "group" | "block" | "item" | "event";
  readonly id: string;
  readonly blockId?: string;
  /**
   * The outlet: the id of a button, `otherwise` for the default outlet, or the name of an exit. If present, the outlet
   * is selected, but the form still shows the whole object.
   */
  readonly part?: string;
};

export type Made = {
  readonly changes: readonly Change[];
  readonly selects?: FlowThing;
  /** The note or frame that the command created. */
  readonly made?: Thing;
  /**
   * Identifies the field that the command changes. Consecutive changes of one field are one undo step, see `goesOn` in
   * `history.ts`.
   */
  readonly field?: string;
};

export type Refused = { readonly refused: keyof WordsOf<"command">["refusals"] };

/**
 * An edit. It maps a draft and arguments to changes, or to the reason for a refusal. The pointer, keys, menus, the
 * palette and the outline share the commands.
 */
export type Command<Args> = {
  /** Returns the command's name for menus, for the history, and for "Undo …". */
  name(words: WordsOf<"command">, args: Args, draft: DraftDocument): string;
  make(draft: DraftDocument, args: Args, tools: { newId(): string }): Made | Refused;
};

/** The limits of a flow, which match the limits of the service. */
export const bounds = { groups: 2_000, blocks: 10_000, editorBytes: 1_000_000 } as const;

export function isRefused(made: Made | Refused): made is Refused {
  return "refused" in made;
}

export function groupsIn(draft: DraftDocument): readonly JsonObject[] {
  return objectsIn(draft.groups);
}

export function blocksIn(group: JsonObject): readonly JsonObject[] {
  return objectsIn(group["blocks"]);
}

export function itemsIn(block: JsonObject): readonly JsonObject[] {
  return objectsIn(block["items"]);
}

export function findBlock(draft: DraftDocument, blockId: string): { group: JsonObject; block: JsonObject } | undefined {
  // This function runs for every key typed into a block's form, so it copies nothing.
  for (const group of entriesOf(draft.groups)) {
    if (!isJsonObject(group)) continue;
    for (const block of entriesOf(group["blocks"])) {
      if (isJsonObject(block) && block["id"] === blockId) return { group, block };
    }
  }
  return undefined;
}

export function findGroup(draft: DraftDocument, groupId: string): JsonObject | undefined {
  return groupsIn(draft).find(({ id }) => id === groupId);
}

export function countBlocks(draft: DraftDocument): number {
  return groupsIn(draft).reduce((count, group) => count + blocksIn(group).length, 0);
}

/** Returns the reason for a refusal if the additions would exceed the limits of a flow; otherwise undefined. */
export function refusalOfMore(
  draft: DraftDocument,
  { groups, blocks }: { readonly groups: readonly JsonObject[]; readonly blocks: readonly JsonObject[] },
): Refused["refused"] | undefined {
  const more = groups.reduce((count, group) => count + blocksIn(group).length, blocks.length);
  if (countBlocks(draft) + more > bounds.blocks) return "tooManyBlocks";
  return groupsIn(draft).length + groups.length > bounds.groups ? "tooManyGroups" : undefined;
}

/** Returns the changes that turn one block into another, with options, texts and items matched by their ids. */
export function changesOfBlock(before: JsonObject, after: JsonObject): readonly Change[] {
  return diffByTexts(
    around({ groups: [{ id: "g", blocks: [before] }] }),
    around({ groups: [{ id: "g", blocks: [after] }] }),
  );
}

export function changesOfEvent(before: JsonObject, after: JsonObject): readonly Change[] {
  return diffByTexts(around({ events: [before] }), around({ events: [after] }));
}

function around(parts: Readonly<Record<string, unknown>>): DraftDocument {
  const draft: DraftDocument = { groups: [], edges: [], variables: [], events: [] };
  return Object.assign(draft, parts);
}

/**
 * Returns a copy with the value at the path, and creates missing objects and lists along the path. An undefined value
 * removes its key or its list entry.
 */
export function withValue(holder: unknown, path: readonly (string | number)[], value: unknown): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return value;
  if (typeof first === "number") {
    const list = [...entriesOf(holder)];
    if (rest.length === 0 && value === undefined) list.splice(first, 1);
    else list[first] = withValue(list[first], rest, value);
    return list;
  }
  const object = isJsonObject(holder) ? holder : {};
  // Creates no object only to store an undefined value.
  if (value === undefined && !Object.hasOwn(object, first)) return holder;
  if (rest.length === 0 && value === undefined) {
    const { [first]: _, ...others } = object;
    return others;
  }
  return { ...object, [first]: withValue(object[first], rest, value) };
}

export function objectWith(holder: JsonObject, path: readonly (string | number)[], value: unknown): JsonObject {
  const made = withValue(holder, path, value);
  return isJsonObject(made) ? made : holder;
}

/** Returns the id of the entry after the given one; undefined if there is no such entry. */
export function idAfter(list: readonly JsonObject[], id: string | undefined): string | undefined {
  const index = list.findIndex((entry) => idOf(entry) === id);
  return index < 0 ? undefined : idOf(list[index + 1]);
}
