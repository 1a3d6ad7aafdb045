import { type Change, type EditedNoun, isListed, lists, type Path, type Target } from "./change.ts";
import { idOf, keyOf, naming, targetsIn } from "./things.ts";

/** A change set that was applied to the draft, with its inverse. */
export type Committed = { readonly changes: readonly Change[]; readonly inverse: readonly Change[] };

/**
 * The effect of a change set on an entry. `written`: a value was set or a text was edited. `made`: the entry was added.
 * `put`: the entry was moved to another group. `set` is the index of the change set.
 */
export type Touch =
  | { readonly how: "written"; readonly target: Target; readonly path: Path; readonly set: number }
  | { readonly how: "made" | "put"; readonly target: Target; readonly set: number };

export type Written = Extract<Touch, { how: "written" }>;

/**
 * The effects of change sets that can conflict with another author's changes. Positions, order and appearance in the
 * editor are excluded, because the last write wins for these values.
 */
export type Footprint = {
  readonly touches: readonly Touch[];
  readonly written: ReadonlyMap<string, readonly Written[]>;
  readonly made: ReadonlyMap<string, number>;
  /** Removed entries, with the index of the set that removed each entry. */
  readonly removed: ReadonlyMap<string, number>;
  /**
   * Entries that were removed and then restored, with the index of the set that restored each entry. The content of a
   * restored entry may differ.
   */
  readonly putBack: ReadonlyMap<string, number>;
  /** Values that replaced all or part of a list of entries. */
  readonly lists: readonly Written[];
};

export function footprintOf(sets: readonly Committed[]): Footprint {
  const touches: Touch[] = [];
  const removed = new Map<string, number>();
  const putBack = new Map<string, number>();
  for (const [set, { changes, inverse }] of sets.entries()) {
    for (const target of inverse.flatMap(addedTargets)) removed.set(keyOf(target), set);
    const groupBefore = new Map(
      inverse.flatMap((undo) => (undo.op === "move" && undo.of === "block" ? [[undo.id, undo.in] as const] : [])),
    );
    for (const change of changes) {
      for (const key of addedTargets(change).map(keyOf)) if (removed.delete(key)) putBack.set(key, set);
      const touch = touchOf(change, { set, groupBefore });
      if (touch) touches.push(touch);
    }
  }
  const written = touches.filter((touch) => touch.how === "written");
  return {
    touches,
    written: Map.groupBy(written, ({ target }) => keyOf(target)),
    made: new Map(touches.flatMap(({ how, target, set }) => (how === "made" ? [[keyOf(target), set] as const] : []))),
    removed,
    putBack,
    lists: written.filter(isOfList),
  };
}

/**
 * Returns the entry and the path of the value that a change affects. A path of the draft that starts with `theme`,
 * `settings` or `editor` is returned as a path of that section.
 */
export function placeOf(change: Extract<Change, { op: "set" | "edit" }>): { target: Target; path: Path } {
  const { of, path } = change;
  const [first, ...rest] = path;
  if (of === "bot" && (first === "theme" || first === "settings" || first === "editor")) {
    return { target: { of: first }, path: rest };
  }
  return { target: naming(change), path };
}

/**
 * Returns whether the value is an entry's position or appearance in the editor. For these values the last write wins.
 */
export function isPlacement({ target, path }: { readonly target: Target; readonly path: Path }): boolean {
  const [first] = path;
  return typeof first === "string" && (placements[target.of]?.includes(first) ?? false);
}

const placements: Readonly<Partial<Record<EditedNoun, readonly string[]>>> = {
  group: ["graphCoordinates"],
  event: ["graphCoordinates"],
  note: ["graphCoordinates", "size", "color"],
  frame: ["graphCoordinates", "size", "color"],
  editor: ["colors", "locks"],
};

/** Returns whether a value replaces all or part of a list of entries. */
export function isOfList({ target, path }: { readonly target: Target; readonly path: Path }): boolean {
  return Object.values(lists).some(({ of, key }) => of === target.of && isAt(path, { of, key }));
}

/**
 * Returns whether a path starts with the key of a list. An empty path of the editor's data also counts, because it
 * replaces all of its lists.
 */
function isAt([first]: Path, { of, key }: { readonly of: EditedNoun; readonly key: string }): boolean {
  return first === key || (of === "editor" && first === undefined);
}

/** Returns whether an entry belongs to the list that a value replaces. */
export function covers(
  { target: { of, id }, path }: { readonly target: Target; readonly path: Path },
  thing: Target,
  groupOf: (blockId: string) => string | undefined,
): boolean {
  const block = thing.of === "block" ? thing.id : thing.of === "item" ? thing.in : undefined;
  // Walks from the entry's own list to the enclosing lists.
  for (let noun: EditedNoun = thing.of; isListed(noun); noun = lists[noun].of) {
    const list = lists[noun];
    if (list.of !== of) continue;
    if (of === "bot" || of === "editor") return isAt(path, list);
    return isAt(path, list) && block !== undefined && (of === "block" ? block : groupOf(block)) === id;
  }
  return false;
}

/** Returns whether one path is a prefix of the other. */
export function meets(one: Path, other: Path): boolean {
  const length = Math.min(one.length, other.length);
  for (let index = 0; index < length; index++) if (one[index] !== other[index]) return false;
  return true;
}

/** Returns the entry that a change adds, modifies, moves or removes. */
export function targetOf(change: Change): Target {
  const { of, in: within } = change;
  const id = change.op === "add" ? idOf(change.value) : change.id;
  return naming({ of, id, in: of === "item" ? within : undefined });
}

function addedTargets(change: Change): Target[] {
  return change.op === "add" ? targetsIn(change.of, change.value, change.in) : [];
}

type OfSet = { readonly set: number; readonly groupBefore: ReadonlyMap<string, string | undefined> };

function touchOf(change: Change, { set, groupBefore }: OfSet): Touch | undefined {
  switch (change.op) {
    case "add":
      return { how: "made", target: targetOf(change), set };
    case "move": {
      const isElsewhere = change.of === "block" && groupBefore.get(change.id) !== change.in;
      return isElsewhere ? { how: "put", target: targetOf(change), set } : undefined;
    }
    case "edit":
    case "set": {
      const place = placeOf(change);
      return isPlacement(place) ? undefined : { how: "written", ...place, set };
    }
    case "remove":
      return undefined;
    default:
      return change satisfies never;
  }
}
