import type { JsonObject } from "../../interpreter/flow.ts";
import { LengthMisses, wrapping } from "../text/ops.ts";
import { ChangeMisses, makeUndoably } from "./apply.ts";
import type { Change, ChangeSet, DraftDocument, EditChange, EditedNoun, Path, Target } from "./change.ts";
import {
  type Committed,
  covers,
  type Footprint,
  footprintOf,
  isOfList,
  isPlacement,
  meets,
  placeOf,
  targetOf,
} from "./footprint.ts";
import { type OpenDraft, openDraft } from "./open-draft.ts";
import { passOver, theirTexts } from "./their-texts.ts";
import { isSame, keyOf, naming, targetsIn } from "./things.ts";

/**
 * A conflict between two authors' changes, for example different values for the same path, a change to a removed entry,
 * or the removal of a changed entry.
 */
export type Conflict = {
  readonly of: EditedNoun;
  readonly id?: string;
  readonly in?: string;
  /** Empty if the conflict concerns the whole entry. */
  readonly path: Path;
  /** Absent if the other author removed the value or the entry. */
  readonly theirs?: unknown;
  /** Absent if the change sets no value, for example because it removes the entry. */
  readonly mine?: unknown;
  /** The index of the other author's set that the change conflicts with. */
  readonly set: number;
};

/**
 * Options for rebasing text edits. `areEditsMoved`: whether the caller has already transformed the edits, so that they
 * stay unchanged.
 */
export type RebaseOptions = { readonly areEditsMoved?: boolean };

export type Rebased = {
  /** If there is a conflict, no part of `mine` may be stored. */
  readonly conflicts: readonly Conflict[];
  /** The draft that contains both authors' sets, if there is no conflict. */
  readonly draft: JsonObject;
  /**
   * The changes of each set in `mine` that the draft did not contain yet, rebased onto the other author's sets,
   * together with their inverse.
   */
  readonly sets: readonly Committed[];
};

/**
 * Rebases change sets that were made on an older draft (`mine`) onto the changes that others have made since
 * (`theirs`). Changes to different entries or to different paths of an entry, and edits of the same text, are merged.
 * For positions, order and appearance in the editor the last write wins. Other contradictory changes are returned as
 * conflicts. Throws `ChangeMisses` for a change that was invalid from the start.
 */
export function rebase(
  draft: DraftDocument,
  theirs: readonly Committed[],
  mine: readonly (readonly Change[])[],
  { areEditsMoved = false }: RebaseOptions = {},
): Rebased {
  const open = openDraft(draft);
  const footprint = footprintOf(theirs);
  const texts = theirTexts(theirs);
  const pass = (edit: EditChange): EditChange | undefined => {
    if (areEditsMoved) return texts.takes(edit) ? edit : undefined;
    return madeFor(edit, () => texts.pass(edit));
  };
  const conflicts: Conflict[] = [];
  // Additions in `mine` that are in conflict. A change that depends on such an addition is not reported as a further
  // conflict. Nor is an edit of a text whose replacement is in conflict.
  const unmade = new Set<string>();
  const unmadeTexts: ReturnType<typeof placeOf>[] = [];
  const isUnmade = (edit: EditChange): boolean => {
    const { target, path } = placeOf(edit);
    return unmadeTexts.some((one) => keyOf(one.target) === keyOf(target) && meets(one.path, path));
  };
  const sets = mine.map((changes): Committed => {
    const made: Change[] = [];
    const inverse: Change[] = [];
    for (const change of changes) {
      if (isOn(unmade, change) || (change.op === "edit" && isUnmade(change))) continue;
      const verdict = judge(change, open, footprint);
      if (verdict === "make") {
        const outcome = makeOrClash(change, footprint, open, () => {
          const passed = change.op === "edit" ? pass(change) : change;
          if (passed === undefined) return clashOfText(change, open, footprint);
          inverse.push(madeFor(change, () => makeUndoably(open, passed)));
          made.push(passed);
          return undefined;
        });
        if (outcome) conflicts.push(outcome);
      } else if (verdict === "drop") {
        if (change.op === "set") texts.agree(change);
      } else {
        conflicts.push(verdict);
        if (change.op === "set") unmadeTexts.push(placeOf(change));
        if (change.op !== "add") continue;
        for (const target of targetsIn(change.of, change.value, change.in)) unmade.add(keyOf(target));
      }
    }
    return { changes: made, inverse: inverse.reverse() };
  });
  return { conflicts, draft: open.close(), sets };
}

/**
 * Rebases the sets of a request onto a draft. `log` contains every set since the request's base: sets of the request
 * that are already stored, and sets of other authors. The remaining sets are transformed against the others' sets one
 * by one.
 */
export function rebaseRequest<Logged extends Committed & { readonly id: string }>(
  draft: DraftDocument,
  log: readonly Logged[],
  request: readonly ChangeSet[],
): Rebased & { readonly open: readonly ChangeSet[]; readonly others: readonly Logged[] } {
  let theirs: readonly Logged[] = [];
  for (const entry of log) {
    const own = request.find(({ id }) => id === entry.id);
    theirs = own ? passOver(theirs, own.changes) : [...theirs, entry];
  }
  const written = new Set(log.map(({ id }) => id));
  const open = request.filter(({ id }) => !written.has(id));
  const others = log.filter(({ id }) => !request.some((set) => set.id === id));
  return {
    ...rebase(
      draft,
      theirs,
      open.map(({ changes }) => changes),
    ),
    open,
    others,
  };
}

/** `drop`: another author has already made an equal change. */
type Verdict = "make" | "drop" | Conflict;

function judge(change: Change, open: OpenDraft, footprint: Footprint): Verdict {
  const { touches, made, lists } = footprint;
  if (touches.length === 0 && footprint.removed.size === 0) return "make";
  const target = targetOf(change);
  const container = containerOf(change);
  const groupOf = (blockId: string) => open.groupOf(blockId);
  const isThere = isSectionOrThere(open, target);
  const listed = lists.findLast((list) => covers(list, target, groupOf));
  if (container && !open.find(container)) {
    const set = goneBy(container, footprint);
    if (set === undefined) return "make";
    return change.op === "remove" ? "drop" : conflict(container, { mine: mineOf(change), set });
  }
  if (!isThere && change.op !== "add") {
    const set = goneBy(target, footprint);
    if (set === undefined) return "make";
    return change.op === "remove" ? "drop" : conflict(target, { path: pathOf(change), mine: mineOf(change), set });
  }
  switch (change.op) {
    case "add": {
      const theirs = open.find(target);
      const set = theirs ? made.get(keyOf(target)) : listed?.set;
      if (set === undefined) return "make";
      return theirs && isSame(theirs, change.value) ? "drop" : conflict(target, { theirs, mine: change.value, set });
    }
    case "move":
      return "make";
    case "remove": {
      const touch = touches.findLast((one) => isWithin(one.target, target, { groupOf, isProper: one.how === "put" }));
      const set = touch?.set ?? listed?.set;
      return set === undefined ? "make" : conflict(target, { theirs: open.find(target), set });
    }
    case "set": {
      const place = placeOf(change);
      if (isPlacement(place)) return "make";
      const same = footprint.written.get(keyOf(place.target))?.findLast(({ path }) => meets(path, place.path));
      const inList = isOfList(place) ? touches.findLast((one) => covers(place, one.target, groupOf)) : undefined;
      const set = same?.set ?? inList?.set ?? listed?.set;
      if (set === undefined) return "make";
      const theirs = open.read(place.target, place.path);
      return isSame(theirs, change.value)
        ? "drop"
        : conflict(place.target, { path: place.path, theirs, mine: change.value, set });
    }
    case "edit":
      return listed ? clashOfText(change, open, footprint) : "make";
    default:
      return change satisfies never;
  }
}

/** Returns the conflict of an edit if another author replaced the text, or a value that contains the text. */
function clashOfText(change: Change, open: OpenDraft, { written, touches }: Footprint): Conflict {
  const target = targetOf(change);
  const path = pathOf(change);
  const touch = written.get(keyOf(target))?.findLast((one) => meets(one.path, path)) ?? touches.at(-1);
  return conflict(target, { path, theirs: open.read(target, path), mine: mineOf(change), set: touch?.set ?? 0 });
}

/**
 * Makes a change, or returns its conflict, if any. If other authors removed an entry and added it again with different
 * content, a change may no longer fit. Such a change conflicts with the set that added the entry and is not an error.
 */
function makeOrClash(
  change: Change,
  { putBack }: Footprint,
  open: OpenDraft,
  make: () => Conflict | undefined,
): Conflict | undefined {
  try {
    return make();
  } catch (error) {
    const target = targetOf(change);
    const set = putBack.get(keyOf(target));
    if (!(error instanceof ChangeMisses) || set === undefined) throw error;
    const path = pathOf(change);
    return conflict(target, { path, theirs: open.read(target, path), mine: mineOf(change), set });
  }
}

/** Converts errors of a rebased change to `ChangeMisses` errors that contain the change as the client sent it. */
function madeFor<Value>(change: Change, make: () => Value): Value {
  return wrapping(make, (error) => {
    if (error instanceof LengthMisses) return new ChangeMisses(change, "was based on a text of another length");
    return error instanceof ChangeMisses ? new ChangeMisses(change, error.reason) : error;
  });
}

type Clash = { readonly path?: Path; readonly theirs?: unknown; readonly mine?: unknown; readonly set: number };

function conflict(target: Target, { path = [], theirs, mine, set }: Clash): Conflict {
  return {
    ...naming(target),
    path,
    ...(theirs !== undefined && { theirs }),
    ...(mine !== undefined && { mine }),
    set,
  };
}

function isOn(unmade: ReadonlySet<string>, change: Change): boolean {
  if (unmade.size === 0) return false;
  const container = containerOf(change);
  return unmade.has(keyOf(targetOf(change))) || (container !== undefined && unmade.has(keyOf(container)));
}

/**
 * Returns the block of an item, or the group to which a block is added or moved. Returns undefined for other changes.
 */
function containerOf(change: Change): Target | undefined {
  const { of, in: within } = change;
  if (within === undefined) return undefined;
  if (of === "item") return { of: "block", id: within };
  return of === "block" && (change.op === "add" || change.op === "move") ? { of: "group", id: within } : undefined;
}

function isSectionOrThere(open: OpenDraft, target: Target): boolean {
  return target.id === undefined || open.find(target) !== undefined;
}

/**
 * Returns the index of the set that removed the entry. Otherwise returns the index of the last set that replaced a list
 * of entries, if any.
 */
function goneBy(target: Target, { removed, lists }: Footprint): number | undefined {
  return removed.get(keyOf(target)) ?? lists.at(-1)?.set;
}

/**
 * Returns the author's value for a conflict, if the change has a value. For an edit, the operations are returned,
 * because only the edit's author can compute the resulting text.
 */
function mineOf(change: Change): unknown {
  if (change.op === "edit") return change.ops;
  return change.op === "add" || change.op === "set" ? change.value : undefined;
}

function pathOf(change: Change): Path {
  return change.op === "set" || change.op === "edit" ? change.path : [];
}

type Inside = { readonly groupOf: (blockId: string) => string | undefined; readonly isProper: boolean };

/** Returns whether `inner` is contained in `outer`. Unless `isProper` is set, an entry also contains itself. */
function isWithin(inner: Target, outer: Target, { groupOf, isProper }: Inside): boolean {
  if (!isProper && keyOf(inner) === keyOf(outer)) return true;
  const { of, id, in: within } = inner;
  const block = of === "block" ? id : of === "item" ? within : undefined;
  if (block === undefined) return false;
  if (outer.of === "block") return of === "item" && block === outer.id;
  return outer.of === "group" && groupOf(block) === outer.id;
}
