import type { JsonObject } from "../interpreter/flow.ts";
import { makeUndoably } from "./apply.ts";
import type { Change, DraftDocument, EditedNoun, Path, Target } from "./change.ts";
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
import { isSame, keyOf, targetsIn } from "./things.ts";

/** Two authors meant different things: the same path with other values, a change to what is gone, or a removal of what was changed. */
export type Conflict = {
  readonly of: EditedNoun;
  readonly id?: string;
  readonly in?: string;
  /** Empty where it is about the thing as a whole. */
  readonly path: Path;
  /** Absent where there is nothing any more. */
  readonly theirs?: unknown;
  /** Absent for what is removed. */
  readonly mine?: unknown;
  /** Which of their sets it meets: its place among them. */
  readonly set: number;
};

export type Rebased = {
  /** Nothing of `mine` may be written where there is one. */
  readonly conflicts: readonly Conflict[];
  /** The draft with both. */
  readonly draft: JsonObject;
  /** Of each of mine what is left to do on top of theirs, and what takes it back. */
  readonly sets: readonly Committed[];
};

/**
 * Puts my sets, which were made on an older draft, on top of the draft that others' sets made of it. Different things and different paths
 * of one thing merge; of positions, order and colours the last one counts. Throws `ChangeMisses` for a change that could never be made.
 */
export function rebase(
  draft: DraftDocument,
  theirs: readonly Committed[],
  mine: readonly (readonly Change[])[],
): Rebased {
  const open = openDraft(draft);
  const footprint = footprintOf(theirs);
  const conflicts: Conflict[] = [];
  // What hangs on an addition of mine that clashed is not a clash of its own.
  const unmade = new Set<string>();
  const sets = mine.map((changes): Committed => {
    const made: Change[] = [];
    const inverse: Change[] = [];
    for (const change of changes) {
      if (isOn(unmade, change)) continue;
      const verdict = judge(change, open, footprint);
      if (verdict === "make") {
        inverse.push(makeUndoably(open, change));
        made.push(change);
      } else if (verdict !== "drop") {
        conflicts.push(verdict);
        if (change.op !== "add") continue;
        for (const target of targetsIn(change.of, change.value, change.in)) unmade.add(keyOf(target));
      }
    }
    return { changes: made, inverse: inverse.reverse() };
  });
  return { conflicts, draft: open.close(), sets };
}

/** `drop`: it is as the change wants it already. */
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
    default:
      return change satisfies never;
  }
}

type Clash = { readonly path?: Path; readonly theirs?: unknown; readonly mine?: unknown; readonly set: number };

function conflict({ of, id, in: within }: Target, { path = [], theirs, mine, set }: Clash): Conflict {
  return {
    of,
    ...(id !== undefined && { id }),
    ...(within !== undefined && { in: within }),
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

/** What a change puts something into, or has its thing in. */
function containerOf(change: Change): Target | undefined {
  const { of, in: within } = change;
  if (within === undefined) return undefined;
  if (of === "item") return { of: "block", id: within };
  return of === "block" && change.op !== "remove" && change.op !== "set" ? { of: "group", id: within } : undefined;
}

function isSectionOrThere(open: OpenDraft, target: Target): boolean {
  return target.id === undefined || open.find(target) !== undefined;
}

/** The set that removed it, or that wrote a list in which it may have been. */
function goneBy(target: Target, { removed, lists }: Footprint): number | undefined {
  return removed.get(keyOf(target)) ?? lists.at(-1)?.set;
}

function mineOf(change: Change): unknown {
  return change.op === "add" || change.op === "set" ? change.value : undefined;
}

function pathOf(change: Change): Path {
  return change.op === "set" ? change.path : [];
}

type Inside = { readonly groupOf: (blockId: string) => string | undefined; readonly isProper: boolean };

/** Whether a thing is another one, or lies in it. */
function isWithin(inner: Target, outer: Target, { groupOf, isProper }: Inside): boolean {
  if (!isProper && keyOf(inner) === keyOf(outer)) return true;
  const { of, id, in: within } = inner;
  const block = of === "block" ? id : of === "item" ? within : undefined;
  if (block === undefined) return false;
  if (outer.of === "block") return of === "item" && block === outer.id;
  return outer.of === "group" && groupOf(block) === outer.id;
}
