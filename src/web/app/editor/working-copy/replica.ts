import { applyUndoably, ChangeMisses } from "../../../../core/editing/changes/apply.ts";
import type {
  Change,
  ChangeSet,
  DraftDocument,
  EditedNoun,
  Path,
  SetOrigin,
} from "../../../../core/editing/changes/change.ts";
import { diffByTexts } from "../../../../core/editing/changes/diff.ts";
import { type Committed, meets, placeOf } from "../../../../core/editing/changes/footprint.ts";
import { openDraft } from "../../../../core/editing/changes/open-draft.ts";
import { type Conflict, type RebaseOptions, rebase } from "../../../../core/editing/changes/rebase.ts";
import { passOver } from "../../../../core/editing/changes/their-texts.ts";
import { isSame, keyOf } from "../../../../core/editing/changes/things.ts";
import { bringBack, fitting } from "./bring-back.ts";

/** The author of a change set; null if the author is no longer known. */
export type Author = { readonly userId: string; readonly name: string | null } | null;

/** A change set of the log, as the service sends it. */
export type ReceivedSet = ChangeSet & {
  readonly revision: number;
  readonly origin?: SetOrigin;
  readonly by: Author;
  readonly at: string;
};

/** A copy of a draft: the service's state at `revision`, and the changes that the service has not received yet. */
export type Replica = {
  readonly revision: number;
  readonly base: DraftDocument;
  readonly pending: readonly ChangeSet[];
  /** The base with the pending changes applied, which is the author's view. */
  readonly view: DraftDocument;
};

/** A change that this tab did not make, with its inverse. */
export type Others = Committed & {
  readonly by: Author;
  readonly at: string;
  /** The change set, if the change arrived as a set. */
  readonly set?: Pick<ReceivedSet, "id" | "title" | "origin">;
};

/** A conflict between the values of two authors. */
export type Clash = {
  readonly of: EditedNoun;
  readonly id?: string;
  readonly in?: string;
  readonly path: Path;
  readonly theirs?: unknown;
  readonly mine?: unknown;
  /** The value before both changes. */
  readonly before?: unknown;
  readonly by: Author;
  readonly at: string;
};

/** The reason why a change set cannot be applied to the draft. */
export type Reason =
  | {
      readonly kind: "conflict";
      readonly clashes: readonly Clash[];
      /** The changes that restore the removed object. */
      readonly restore: readonly Change[];
    }
  | { readonly kind: "refused"; readonly issues: readonly { readonly path: string; readonly message: string }[] }
  /** The change set depends on a change that was not saved. */
  | { readonly kind: "depends" };

export type Held = {
  readonly set: ChangeSet;
  readonly reason: Reason;
  /** The number of the change set in the order of all actions. Undo follows this order. */
  readonly number?: number;
};

/** An entry of the log. Without changes, the entry is one of this tab's pending sets. */
export type LogEntry = ReceivedSet | { readonly id: string; readonly revision: number };

/** The change that moved the base from one revision to the next. */
export type Step = {
  readonly revision: number;
  readonly before: DraftDocument;
  readonly after: DraftDocument;
  readonly changes: readonly Change[];
  /** The author of the change set; undefined if the log entry does not name one. */
  readonly userId: string | undefined;
};

/**
 * The result of applying a part of the log. `gap`: an entry is missing or cannot be applied, so the log or the draft
 * must be read again.
 */
export type Taken =
  | {
      readonly kind: "taken";
      readonly replica: Replica;
      readonly held: readonly Held[];
      readonly others: readonly Others[];
      readonly steps: readonly Step[];
    }
  | { readonly kind: "gap" };

/** Creates a replica of a draft as the service returned it. */
export function replicaOf(revision: number, draft: DraftDocument): Replica {
  return { revision, base: draft, pending: [], view: draft };
}

/** Applies a change set of this tab. Throws `ChangeMisses` if a change cannot be applied. */
export function addSet(replica: Replica, set: ChangeSet): { replica: Replica; inverse: readonly Change[] } {
  const { draft, inverse } = applyUndoably(replica.view, set.changes);
  return { replica: { ...replica, pending: [...replica.pending, set], view: asDraft(draft) }, inverse };
}

/**
 * Replaces the last pending set with `set`, which also contains the further `changes`, so that continued typing is one
 * set. Throws `ChangeMisses` if a change cannot be applied.
 */
export function replaceLast(
  replica: Replica,
  set: ChangeSet,
  changes: readonly Change[],
): { replica: Replica; inverse: readonly Change[] } {
  const { draft, inverse } = applyUndoably(replica.view, changes);
  return {
    replica: { ...replica, pending: [...replica.pending.slice(0, -1), set], view: asDraft(draft) },
    inverse,
  };
}

/**
 * Applies the log entries after the replica's revision. The pending change sets are applied on top of them, except sets
 * that conflict or depend on a held set.
 */
export function takeLog(replica: Replica, log: readonly LogEntry[]): Taken {
  let { revision, base } = replica;
  let pending = [...replica.pending];
  let others: readonly Others[] = [];
  const steps: Step[] = [];
  for (const entry of [...log].sort((a, b) => a.revision - b.revision)) {
    if (entry.revision <= revision) continue;
    if (entry.revision !== revision + 1) return { kind: "gap" };
    const own = pending.find(({ id }) => id === entry.id);
    const changes = "changes" in entry ? entry.changes : own && changesOnTop(base, others, own);
    const made = changes && tryApply(base, changes);
    if (!made) return { kind: "gap" };
    const userId = "changes" in entry ? entry.by?.userId : undefined;
    steps.push({ revision: entry.revision, before: base, after: made.draft, changes, userId });
    base = made.draft;
    revision = entry.revision;
    if (own) {
      // The remaining pending changes were made on top of this set, so other people's changes are adapted to it.
      others = passOver(others, own.changes);
      pending = pending.filter((set) => set !== own);
    } else if ("changes" in entry) {
      const { by, at } = entry;
      others = [...others, { changes: entry.changes, inverse: made.inverse, by, at, set: entry }];
    }
  }
  if (others.length > 0) return { ...onTop({ revision, base, pending, view: replica.view }, others), steps };
  // The view already contains the sets of this tab.
  const isWhole = pending.length === 0;
  return {
    kind: "taken",
    replica: { revision, base: isWhole ? replica.view : base, pending, view: replica.view },
    held: [],
    others,
    steps,
  };
}

/** Applies a draft that was read again. Its difference from the base is treated as one change of another person. */
export function takeDraft(replica: Replica, { revision, draft }: { revision: number; draft: DraftDocument }): Taken {
  const changes = diffByTexts(replica.base, draft);
  const steps = [{ revision, before: replica.base, after: draft, changes, userId: undefined }];
  if (changes.length === 0) return { kind: "taken", replica: { ...replica, revision }, held: [], others: [], steps };
  const { inverse } = applyUndoably(replica.base, changes);
  const others = [{ changes, inverse, by: null, at: "" }];
  return { ...onTop({ revision, base: draft, pending: replica.pending, view: replica.view }, others), steps };
}

/**
 * Removes change sets from the pending ones, for the given reasons. Sets that depend on a removed set are also removed.
 */
export function holdSets(
  replica: Replica,
  reasons: ReadonlyMap<string, Reason>,
): { replica: Replica; held: readonly Held[] } {
  const held: Held[] = replica.pending.flatMap((set) => {
    const reason = reasons.get(set.id);
    return reason ? [{ set: frozen(set, replica.view), reason }] : [];
  });
  const rest = stack({ ...replica, out: reasons }, []);
  return { replica: { ...replica, pending: rest.pending, view: rest.view }, held: [...held, ...rest.held] };
}

/**
 * Removes pending sets that the base already contains, because the draft was read after these sets had been written.
 */
export function dropWritten(replica: Replica, written: ReadonlySet<string>): Replica {
  const pending = replica.pending.filter(({ id }) => !written.has(id));
  if (pending.length === replica.pending.length) return replica;
  const rest = stack({ ...replica, pending }, []);
  return { ...replica, pending: rest.pending, view: rest.view };
}

/**
 * Returns the changes of a held set, and those that restore removed objects, as far as they can be applied. The
 * author's values then override the other person's values.
 */
export function insist(view: DraftDocument, { set, reason }: Held): readonly Change[] {
  const restore = reason.kind === "conflict" ? reason.restore : [];
  return makeable(view, [...fitting(view, restore), ...set.changes]);
}

/** Returns the changes that can be applied one after another, and omits the rest. */
export function makeable(view: DraftDocument, changes: readonly Change[]): readonly Change[] {
  if (tryApply(view, changes)) return changes;
  const made: Change[] = [];
  for (const change of changes) if (tryApply(view, [...made, change])) made.push(change);
  return made;
}

/**
 * Returns the changes that undo an action of this tab, except in fields that other people changed later. `others`
 * contains their change sets, and the returned `left` contains these fields.
 */
export function takeBack(
  view: DraftDocument,
  inverse: readonly Change[],
  others: readonly Others[],
): { changes: readonly Change[]; left: readonly Clash[] } {
  // Edits of texts have already been adapted to other people's edits, see `history.ts`.
  const rebased = tryRebase(view, others, inverse, { areEditsMoved: true });
  if (!rebased) return { changes: makeable(view, inverse), left: [] };
  const left = rebased.conflicts.map((conflict) => clashOf(conflict, others));
  const changes = rebased.sets[0]?.changes ?? [];
  return { changes: makeable(view, changes), left };
}

/** Returns the result of changes as a draft. An object without the parts of a flow becomes an empty draft. */
export function asDraft(made: object): DraftDocument {
  return isDraft(made) ? made : { groups: [], edges: [], variables: [] };
}

function isDraft(value: object): value is DraftDocument {
  return "groups" in value && "edges" in value && "variables" in value;
}

/** Applies the pending changes to a draft that other people changed. `view` is the state that the author saw before. */
export function onTop(
  { revision, base, pending, view }: Replica,
  others: readonly Others[],
): Omit<Extract<Taken, { kind: "taken" }>, "steps"> {
  const rest = stack({ base, pending, view }, others);
  return {
    kind: "taken",
    replica: { revision, base, pending: rest.pending, view: rest.view },
    held: rest.held,
    others: rest.others,
  };
}

type Below = Pick<Replica, "base" | "pending" | "view"> & {
  /** The pending sets to remove, by id. */
  readonly out?: ReadonlyMap<string, unknown>;
};

/**
 * Applies the pending changes to a draft that other people changed, and adapts the changes of other people to the
 * pending ones.
 */
function stack({ base, pending: sets, view: seen, out }: Below, others: readonly Others[]) {
  const pending: ChangeSet[] = [];
  const held: Held[] = [];
  const gone: (readonly Change[])[] = [];
  let theirs = others;
  let view = base;
  for (const set of sets) {
    const isOut = out?.has(set.id) === true;
    // An edit of a text that a removed set also changes cannot be applied without that set.
    const isCut = isOut || hangsOn(set.changes, gone);
    const rebased = isCut ? undefined : tryRebase(view, theirs, set.changes);
    const conflicts = rebased?.conflicts ?? [];
    if (!rebased || conflicts.length > 0) {
      gone.push(set.changes);
      const kept = frozen(set, seen);
      if (isOut) continue;
      const reason: Reason = conflicts.length > 0 ? conflictOf(conflicts, theirs, { set, kept }) : { kind: "depends" };
      held.push({ set: kept, reason });
      continue;
    }
    view = asDraft(rebased.draft);
    pending.push({ ...set, changes: rebased.sets[0]?.changes ?? [] });
    theirs = passOver(theirs, set.changes);
  }
  return { pending, held, view, others: theirs };
}

function hangsOn(changes: readonly Change[], gone: readonly (readonly Change[])[]): boolean {
  if (gone.length === 0) return false;
  return changes.some(
    (change) => change.op === "edit" && gone.some((others) => others.some((other) => isOfOneText(change, other))),
  );
}

function isOfOneText(edit: Extract<Change, { op: "edit" }>, other: Change): boolean {
  if (other.op !== "edit" && other.op !== "set") return false;
  const [one, two] = [placeOf(edit), placeOf(other)];
  return keyOf(one.target) === keyOf(two.target) && meets(one.path, two.path);
}

/**
 * Returns a held change set with whole texts instead of edits. The positions in edits become invalid while other people
 * continue to edit.
 */
export function frozen(set: ChangeSet, seen: DraftDocument): ChangeSet {
  if (!set.changes.some(({ op }) => op === "edit")) return set;
  const draft = openDraft(seen);
  const changes = set.changes.map((change): Change => {
    if (change.op !== "edit" || (change.id !== undefined && !draft.find(change))) return change;
    const { of, id, in: within, path } = change;
    const value = draft.read(change, path);
    const target = { of, ...(id !== undefined && { id }), ...(within !== undefined && { in: within }) };
    return { op: "set", ...target, path, ...(value !== undefined && { value }) };
  });
  return { ...set, changes };
}

/** A change set as it was made, and the same set with whole texts instead of edits. */
type Kept = { readonly set: ChangeSet; readonly kept: ChangeSet };

function conflictOf(conflicts: readonly Conflict[], others: readonly Others[], kept: Kept): Reason {
  const clashes = conflicts.map((conflict) => clashOf(withText(conflict, kept), others));
  const gone = conflicts.filter(({ theirs }) => theirs === undefined);
  const sets = [...new Set(gone.map(({ set }) => set))].reverse();
  const restore = sets.flatMap((set) => bringBack(others[set]?.inverse ?? [], gone));
  return { kind: "conflict", clashes, restore };
}

/** Replaces the edit in a conflict with the resulting text. */
function withText(conflict: Conflict, { set, kept }: Kept): Conflict {
  const index = set.changes.findIndex((change) => change.op === "edit" && change.ops === conflict.mine);
  const change = index < 0 ? undefined : kept.changes[index];
  return change?.op === "set" ? { ...conflict, mine: change.value } : conflict;
}

function clashOf({ set, ...conflict }: Conflict, others: readonly Others[]): Clash {
  const theirs = others[set];
  const before = theirs?.inverse.find(
    (undo) =>
      undo.op === "set" && undo.of === conflict.of && undo.id === conflict.id && isSame(undo.path, conflict.path),
  );
  return {
    ...conflict,
    ...(before?.op === "set" && before.value !== undefined && { before: before.value }),
    by: theirs?.by ?? null,
    at: theirs?.at ?? "",
  };
}

function changesOnTop(base: DraftDocument, others: readonly Others[], set: ChangeSet): readonly Change[] | undefined {
  if (others.length === 0) return set.changes;
  const rebased = tryRebase(base, others, set.changes);
  return rebased && rebased.conflicts.length === 0 ? rebased.sets[0]?.changes : undefined;
}

function tryApply(
  draft: DraftDocument,
  changes: readonly Change[],
): { draft: DraftDocument; inverse: Change[] } | undefined {
  const made = unlessMissed(() => applyUndoably(draft, changes));
  return made && { draft: asDraft(made.draft), inverse: made.inverse };
}

function tryRebase(
  draft: DraftDocument,
  others: readonly Others[],
  changes: readonly Change[],
  options: RebaseOptions = {},
) {
  return unlessMissed(() => rebase(draft, others, [changes], options));
}

/** Returns undefined if the function throws `ChangeMisses`, because a change cannot be applied. */
function unlessMissed<Value>(make: () => Value): Value | undefined {
  try {
    return make();
  } catch (error) {
    if (error instanceof ChangeMisses) return undefined;
    throw error;
  }
}
