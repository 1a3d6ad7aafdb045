import type { Change, DraftDocument, Path } from "../../../../core/editing/changes/change.ts";
import { meets, targetOf } from "../../../../core/editing/changes/footprint.ts";
import { openDraft } from "../../../../core/editing/changes/open-draft.ts";
import { isSame, keyOf } from "../../../../core/editing/changes/things.ts";
import type { Clash, Held, Others } from "./replica.ts";

/** The reason why a conflict no longer requires a decision. */
export type Ending = "equal" | "mine" | "newer" | "removed" | "restored" | "undone";

/** A field with two conflicting values. A value is absent if the field or its object was removed. */
export type Decision = {
  readonly held: Held;
  readonly clash: Clash;
  readonly mine?: unknown;
  readonly theirs?: unknown;
};

/**
 * Returns the decisions that the author has to make. A change of the author that conflicts with another person's change
 * is not part of the draft until the author decides. The draft can still be edited.
 *
 *     open ─ the draft has the author's value ─→ settled as `equal`
 *     open ─ the author writes the same field ─→ settled as `mine`
 *     open ─ the author undoes the change ─→ settled as `undone`
 *     open ─ the author removes the object ─→ settled as `removed`
 *     open ─ a version or revision is restored ─→ settled as `restored`
 *     open ─ a newer decision about the same field ─→ settled as `newer`
 *     open ─ the author decides ─→ settled
 */
export function decisionsOf(held: readonly Held[], view: DraftDocument): readonly Decision[] {
  const waiting = held.filter(isUndecided);
  if (waiting.length === 0) return none;
  const draft = openDraft(view);
  return waiting.flatMap((one) =>
    clashesOf(one).map((clash) => ({ held: one, clash, mine: clash.mine, theirs: draft.read(clash, clash.path) })),
  );
}

/** A shared list, so that two empty results are the same object. */
const none: readonly Decision[] = [];

export function isUndecided({ reason }: Held): boolean {
  return reason.kind === "conflict";
}

/**
 * Returns the decisions that the current draft has settled, by an equal value or by a newer decision about the same
 * field.
 */
export function endingsBy(held: readonly Held[], view: DraftDocument): ReadonlyMap<Held, "equal" | "newer"> {
  const endings = new Map<Held, "equal" | "newer">();
  const waiting = held.filter(isUndecided);
  if (waiting.length === 0) return endings;
  const draft = openDraft(view);
  const seen = new Set<string>();
  for (const one of waiting.toReversed()) {
    const clashes = clashesOf(one);
    const places = clashes.map((clash) => `${keyOf(clash)} ${JSON.stringify(clash.path)}`);
    if (clashes.every((clash) => isSame(draft.read(clash, clash.path), clash.mine))) endings.set(one, "equal");
    else if (places.every((place) => seen.has(place))) endings.set(one, "newer");
    for (const place of places) seen.add(place);
  }
  return endings;
}

/** Returns the changes of a held set that are not in conflict. */
export function restOf(one: Held): readonly Change[] {
  const clashes = clashesOf(one);
  return one.set.changes.filter(
    (change) => !clashes.some((clash) => keyOf(targetOf(change)) === keyOf(clash) && meets(pathOf(change), clash.path)),
  );
}

/**
 * Returns the newest decision if it is newer than every action that can be undone; otherwise undefined. The next undo
 * reverts this decision instead of an action. `last` is the number of the last action.
 */
export function newestToUndo(held: readonly Held[], last: number): Held | undefined {
  const newest = held.findLast((one) => isUndecided(one) && one.number !== undefined);
  return newest && (newest.number ?? 0) > last ? newest : undefined;
}

type Views = { readonly before: DraftDocument; readonly after: DraftDocument };

/** Returns the decisions that an action of the author ends, each with the way in which it ends. */
export function endingsOfAct(
  held: readonly Held[],
  changes: readonly Change[],
  views: Views,
): readonly (readonly [Held, Ending])[] {
  return held.flatMap((one) => {
    const how = endingByAct(one, changes, views);
    return how ? [[one, how] as const] : [];
  });
}

function endingByAct(
  one: Held,
  changes: readonly Change[],
  { before, after }: Views,
): Extract<Ending, "mine" | "removed"> | undefined {
  if (!isUndecided(one)) return undefined;
  const clashes = clashesOf(one);
  const isWritten = (clash: Clash): boolean =>
    changes.some(
      (change) => "path" in change && keyOf(targetOf(change)) === keyOf(clash) && meets(change.path, clash.path),
    );
  if (clashes.some(isWritten)) return "mine";
  if (!changes.some(({ op }) => op === "remove")) return undefined;
  const [was, is] = [openDraft(before), openDraft(after)];
  const isGone = (clash: Clash): boolean => clash.id !== undefined && Boolean(was.find(clash)) && !is.find(clash);
  return clashes.some(isGone) ? "removed" : undefined;
}

/** Whether the change restored an earlier version of the whole draft. */
export function isRestore({ set }: Others): boolean {
  return set?.origin === "restore";
}

/**
 * Returns the fields in conflict. If only the service detected the conflict, returns all fields that the author
 * changed.
 */
function clashesOf({ set, reason }: Held): readonly Clash[] {
  if (reason.kind !== "conflict") return [];
  if (reason.clashes.length > 0) return reason.clashes;
  return set.changes.map((change) => ({
    ...targetOf(change),
    path: pathOf(change),
    ...("value" in change && change.value !== undefined && { mine: change.value }),
    by: null,
    at: "",
  }));
}

function pathOf(change: Change): Path {
  return "path" in change ? change.path : [];
}
