import type { Change, DraftDocument } from "../../../../core/editing/changes/change.ts";
import { diffByTexts } from "../../../../core/editing/changes/diff.ts";
import { entriesOf, idOf, objectsIn } from "../../../../core/editing/changes/things.ts";
import { isJsonObject, type JsonObject } from "../../../../core/interpreter/flow.ts";
import type { WordsOf } from "../../words/language.ts";
import type { Thing } from "./arrange.ts";

/** A card, a block or an item of a flow. */
export type FlowThing = {
  readonly kind: "group" | "block" | "item" | "event";
  readonly id: string;
  readonly blockId?: string;
  /** Which outlet: a button's id, or the default or failure outlet. The form is that of the whole thing. */
  readonly part?: string;
};

export type Made = {
  readonly changes: readonly Change[];
  readonly selects?: FlowThing;
  /** The note or the frame that the command made. */
  readonly made?: Thing;
  /** The field that an author types into: typing that continues within a second is one act. */
  readonly field?: string;
};

/** The reason why a command refuses. */
export type Refused = { readonly refused: keyof WordsOf<"command">["refusals"] };

/**
 * An edit: from a draft and arguments to the changes, or why not. Pointer, keys, menus, palette and outline call the
 * same commands; nothing else writes a draft.
 */
export type Command<Args> = {
  /** The command's name, in words: for menus, for the history, and for "Undo …". */
  name(words: WordsOf<"command">, args: Args, draft: DraftDocument): string;
  make(draft: DraftDocument, args: Args, tools: { newId(): string }): Made | Refused;
};

/** The limits of a flow, as the service counts. */
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
  // Runs for every key that is typed into a block's form: so nothing is copied.
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

/** Why a flow cannot take these additions: they would exceed its limits. */
export function refusalOfMore(
  draft: DraftDocument,
  { groups, blocks }: { readonly groups: readonly JsonObject[]; readonly blocks: readonly JsonObject[] },
): Refused["refused"] | undefined {
  const more = groups.reduce((count, group) => count + blocksIn(group).length, blocks.length);
  if (countBlocks(draft) + more > bounds.blocks) return "tooManyBlocks";
  return groupsIn(draft).length + groups.length > bounds.groups ? "tooManyGroups" : undefined;
}

/** The fewest changes that turn one block into another: options, texts and items by their ids. */
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

/** A copy with a value at a path; missing objects along the path are created, and an absent value removes its key. */
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
  // Does not create an object only to hold no value.
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

/** The id of the entry after a given entry of a list. */
export function idAfter(list: readonly JsonObject[], id: string | undefined): string | undefined {
  const index = list.findIndex((entry) => idOf(entry) === id);
  return index < 0 ? undefined : idOf(list[index + 1]);
}
