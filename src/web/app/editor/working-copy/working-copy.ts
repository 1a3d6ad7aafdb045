import type { Change, ChangeSet } from "../../../../core/editing/changes/change.ts";
import { isSame } from "../../../../core/editing/changes/things.ts";
import { type Ending, endingsBy, endingsOfAct, isRestore, isUndecided, newestToUndo, restOf } from "./decisions.ts";
import {
  type Act,
  dropLast,
  type Entry,
  forgetSets,
  goesOn,
  type History,
  noHistory,
  noteAct,
  noteOthers,
  noteStep,
  othersSince,
} from "./history.ts";
import type { Listener } from "./listener.ts";
import { changesPerSet, fitting, inParts } from "./parts.ts";
import { asSeen, isOfOlderService, othersOf, textsBelow, typedOn, withWholeTexts } from "./pending-texts.ts";
import { createQueue } from "./queue.ts";
import {
  addSet,
  type Clash,
  dropWritten,
  type Held,
  holdSets,
  insist,
  type LogEntry,
  makeable,
  type Others,
  onTop,
  type Reason,
  type Replica,
  replaceLast,
  replicaOf,
  type Taken,
  takeBack,
  takeDraft,
  takeLog,
} from "./replica.ts";
import { type Remains, savingOf } from "./saving.ts";
import { type Names, plainNames } from "./set-names.ts";
import type { Clock, DraftAt, Sent, Stop, Transport } from "./transport.ts";

/** The name of the undone action, and the fields that were left unchanged because other people had edited them. */
export type Undone = { readonly title: string; readonly left: readonly Clash[] };

export type WorkingCopy = ReturnType<typeof createWorkingCopy>;

export type Making = {
  readonly opened: DraftAt;
  readonly transport: Transport;
  readonly clock: Clock;
  newId(): string;
  /** Returns a random number from 0 to 1, which spreads retries. */
  chance(): number;
  /** Whether another person is at the object that the author edits. */
  isShared?(): boolean;
  readonly userId?: string;
  readonly remains?: Remains;
  readonly listener?: Listener;
  readonly names?: Names;
};

/**
 * Creates the working copy of a draft that is being edited, with its unsaved changes and its undo history. It is
 * independent of the browser and the network, which are passed as arguments. The queue determines when changes are
 * sent, see `queue.ts`.
 *
 *     A change set: pending ─ the service has stored it ─→ part of the base
 *                   pending ─ it conflicts with other people's changes, or cannot be stored ─→ held
 *                   held ─ the author decides ─→ pending with a new id, or discarded
 */
export function createWorkingCopy({
  opened,
  transport,
  clock,
  newId,
  chance,
  isShared = () => false,
  userId,
  remains,
  listener = {},
  names = plainNames,
}: Making) {
  let replica: Replica = replicaOf(opened.revision, opened.draft);
  let history: History = noHistory;
  let held: readonly Held[] = [];
  /**
   * The ids of the sets that were sent. Such a set can no longer be changed, because it may have been written even if
   * no response arrived.
   */
  const sent = new Set<string>();
  let isAlone = false;
  let clashesInARow = 0;

  const queue = createQueue({
    clock,
    chance,
    isShared,
    hasMore: () => replica.pending.length > 0,
    send: async () => {
      const sets = isAlone ? replica.pending.slice(0, 1) : fitting(replica.pending);
      for (const { id } of sets) sent.add(id);
      const answer = await transport.send(replica.revision, sets);
      // If the copy was closed in the meantime, the response is ignored. The stored work is sent again when the draft
      // is next opened.
      return queue.state().kind === "closed" ? { kind: "done" } : takeAnswer(sets, answer);
    },
    onState: () => listener.onState?.(),
  });

  async function takeAnswer(sets: readonly ChangeSet[], answer: Sent) {
    switch (answer.kind) {
      case "written":
        clashesInARow = 0;
        if (!take(takeLog(replica, logOf(answer, sets)))) await catchUp();
        if (replica.revision >= answer.revision) drop(new Set(sets.map(({ id }) => id)));
        if (replica.pending.length === 0) isAlone = false;
        return { kind: "done" } as const;
      case "conflict": {
        const before = replica.revision;
        if (answer.others.length === 0 || !take(takeLog(replica, answer.others))) await catchUp();
        clashesInARow = replica.revision > before ? 0 : clashesInARow + 1;
        // The service may report a conflict in changes that this code considers mergeable. The service's result
        // decides.
        if (clashesInARow >= 3)
          hold(new Map(sets.map(({ id }) => [id, { kind: "conflict", clashes: [], restore: [] }])));
        return { kind: "done" } as const;
      }
      case "refused": {
        const [first] = sets;
        if (isOfOlderService(answer.issues, sets)) {
          replica = { ...replica, pending: withWholeTexts(replica.base, replica.pending) };
        } else if (sets.length > 1) isAlone = true;
        else if (first) hold(new Map([[first.id, { kind: "refused", issues: answer.issues }]]));
        return { kind: "done" } as const;
      }
      case "lost":
      case "stopped":
        return answer;
      default:
        return answer satisfies never;
    }
  }

  /**
   * Returns the log of a response. Each revision that does not belong to other people belongs to one of this tab's
   * sets, in order. Other people may have written the earlier revisions, so this tab's revisions are counted backwards
   * from the last one. The log includes a set that was withdrawn after sending. Its changes are missing and are read
   * from the service's log.
   */
  function logOf({ revision, others }: Extract<Sent, { kind: "written" }>, sets: readonly ChangeSet[]): LogEntry[] {
    const taken = new Set(others.map((set) => set.revision));
    const own = [...sets];
    const log: LogEntry[] = [...others];
    for (let at = revision; at > replica.revision; at--) {
      const set = taken.has(at) ? undefined : own.pop();
      if (set) log.push({ id: set.id, revision: at });
    }
    return log;
  }

  function take(taken: Taken): boolean {
    if (taken.kind === "gap") return false;
    const before = replica.view;
    replica = taken.replica;
    if (taken.others.some(isRestore)) end(held.filter(isUndecided).map((one) => [one, "restored"]));
    for (const one of taken.others) {
      if (!adopt(one)) history = noteOthers(history, [one]);
    }
    keepBack(taken.held);
    settle();
    if (taken.steps.length > 0) listener.onSteps?.(taken.steps);
    if (replica.view !== before) listener.onView?.(replica.view);
    if (taken.others.length > 0) listener.onOthers?.(taken.others);
    listener.onState?.();
    return true;
  }

  /**
   * Adds a change to the author's actions if the service made the change at the author's request, even from another
   * tab. Returns whether the change was added.
   */
  function adopt({ set, by, inverse }: Others): boolean {
    if (!set || userId === undefined || by?.userId !== userId || set.origin !== "restore") return false;
    // A change that is too large for a set can only be undone in the draft's history.
    if (inverse.length > changesPerSet) return false;
    const title = names.restored(set.title);
    history = noteAct(history, { setIds: [set.id], title, inverse, origin: set.origin, at: clock.now() });
    return true;
  }

  function hold(reasons: ReadonlyMap<string, Reason>): void {
    const rest = holdSets(replica, reasons);
    replica = rest.replica;
    keepBack(rest.held);
    listener.onView?.(replica.view);
    listener.onState?.();
  }

  /** Removes written sets that are still pending, for example because the draft was read again instead of the log. */
  function drop(written: ReadonlySet<string>): void {
    const next = dropWritten(replica, written);
    if (next === replica) return;
    replica = next;
    listener.onView?.(replica.view);
    listener.onState?.();
  }

  function keepBack(more: readonly Held[]): void {
    if (more.length === 0) return;
    const numbered = more.map((one): Held => {
      const number = history.undo.find(({ setIds }) => setIds.includes(one.set.id))?.number;
      return number === undefined ? one : { ...one, number };
    });
    held = [...held, ...numbered];
    history = forgetSets(history, new Set(more.map(({ set }) => set.id)));
  }

  /**
   * Reads from the log the change sets that this tab missed. If the log does not reach back far enough or cannot be
   * applied, reads the draft.
   */
  async function catchUp(): Promise<void> {
    const log = await transport.log(replica.revision);
    if (queue.state().kind === "closed") return;
    if (log.kind === "stopped") return queue.stop(log.why);
    if (log.kind === "lost" || (log.kind === "read" && take(takeLog(replica, log.value)))) return;
    const read = await transport.draft();
    if (queue.state().kind === "closed") return;
    if (read.kind === "read" && read.value.revision > replica.revision) take(takeDraft(replica, read.value));
  }

  /** Adds change sets of this tab, or extends the last set while it is unsent. Returns undefined if nothing changed. */
  function make(
    title: string,
    changes: readonly Change[],
    field?: string,
  ): Pick<Act, "setIds" | "inverse"> | undefined {
    const last = replica.pending.at(-1);
    const isTyping = goesOn(history, field, clock.now()) && last !== undefined && !sent.has(last.id);
    const typed =
      isTyping && history.undo.at(-1)?.setIds.includes(last.id) ? typedOn(last.changes, changes) : undefined;
    if (last && typed) {
      const made = replaceLast(replica, { ...last, title, changes: typed }, changes);
      replica = made.replica;
      return { setIds: [last.id], inverse: made.inverse };
    }
    // All changes are applied or none: an action that fails leaves the draft unchanged.
    let next = replica;
    const setIds: string[] = [];
    const inverse: Change[] = [];
    for (const part of inParts(changes)) {
      const set = { id: newId(), title: title.slice(0, 255), changes: part };
      const added = addSet(next, set);
      next = added.replica;
      setIds.push(set.id);
      inverse.unshift(...added.inverse);
    }
    if (isSame(next.view, replica.view)) return undefined;
    replica = next;
    return { setIds, inverse };
  }

  /** Drops the decisions that the current draft has settled. */
  function settle(): void {
    end([...endingsBy(held, replica.view)]);
  }

  /**
   * Ends decisions. If a decision ended as `equal` or `mine`, the part of its changes that does not conflict is
   * applied.
   */
  function end(endings: readonly (readonly [Held, Ending])[]): void {
    if (endings.length === 0) return;
    const ended = new Set(endings.map(([one]) => one));
    held = held.filter((one) => !ended.has(one));
    for (const [one, how] of endings) {
      const rest = how === "equal" || how === "mine" ? makeable(replica.view, restOf(one)) : [];
      const made = rest.length > 0 ? make(one.set.title, rest) : undefined;
      if (made) queue.wake();
      if (made) history = noteAct(history, { ...made, title: one.set.title, at: clock.now() });
      listener.onEnded?.(how, one);
    }
  }

  function changed(): void {
    settle();
    listener.onView?.(replica.view);
    listener.onState?.();
    queue.wake();
  }

  function step(from: "undo" | "redo"): Undone | undefined {
    const entry = history[from].at(-1);
    const waiting = from === "undo" ? newestToUndo(held, entry?.number ?? 0) : undefined;
    if (waiting) {
      end([[waiting, "undone"]]);
      listener.onState?.();
      return { title: waiting.set.title, left: [] };
    }
    if (!entry) return undefined;
    const { changes, left } = takeBack(replica.view, entry.inverse, othersSince(history, entry));
    const made = make(names[from](entry.title), changes);
    if (!made) {
      history = dropLast(history, from);
      listener.onState?.();
      return { title: entry.title, left };
    }
    const { title, origin } = entry;
    const act: Act = { ...made, title, at: clock.now(), ...(origin && { origin }) };
    history = noteStep(history, from, act);
    changed();
    return { title: entry.title, left };
  }

  function recall({ pending, held: wereHeld, undo, redo, texts = [] }: Remains): void {
    for (const { id } of pending) sent.add(id);
    const others = othersOf(texts, replica.base);
    const { replica: now, held: lost } = onTop(
      { ...replica, pending, view: asSeen(replica.base, others, pending) },
      others,
    );
    replica = now;
    held = [...wereHeld, ...lost];
    const next = Math.max(0, ...[...undo, ...redo].map(({ number }) => number)) + 1;
    // The service sends other people's changes again, starting at the stored revision.
    const isSeen = (entry: Entry): Entry => ({ ...entry, seen: 0 });
    history = { ...noHistory, undo: undo.map(isSeen), redo: redo.map(isSeen), next };
  }

  if (remains) recall(remains);
  settle();
  if (replica.pending.length > 0) queue.wake();

  return {
    view: () => replica.view,
    revision: () => replica.revision,
    /** Returns the service's draft at `revision`. */
    base: () => replica.base,
    pending: () => replica.pending,
    held: () => held,
    /** Returns the texts that pending changes edit, as stored on the service. */
    texts: () => textsBelow(replica.base, replica.pending),
    history: () => history,
    undoTitle: () => (newestToUndo(held, history.undo.at(-1)?.number ?? 0)?.set ?? history.undo.at(-1))?.title,
    saving: () => savingOf(queue.state(), replica.pending.length, held),
    /** Applies an action of the author. Throws `ChangeMisses` if the action cannot be applied. */
    act(title: string, changes: readonly Change[], { field }: { readonly field?: string } = {}): void {
      const before = replica.view;
      const made = make(title, changes, field);
      if (!made) return;
      history = noteAct(history, { ...made, title, at: clock.now(), ...(field !== undefined && { field }) });
      end(endingsOfAct(held, changes, { before, after: replica.view }));
      changed();
    },
    undo: () => step("undo"),
    redo: () => step("redo"),
    /** Applies change sets of other people or of this tab, as the service sends them. */
    tell(log: readonly LogEntry[]): void {
      if (!take(takeLog(replica, log))) void catchUp();
    },
    catchUp,
    /**
     * Resolves a decision. `mine` applies the author's changes on top of the other person's changes, and `theirs` drops
     * the author's changes. A list of changes is applied instead of the author's changes.
     */
    resolve(one: Held, choice: "mine" | "theirs" | readonly Change[]) {
      held = held.filter((other) => other !== one);
      const changes = choice === "theirs" ? [] : choice === "mine" ? insist(replica.view, one) : choice;
      const made = make(one.set.title, changes);
      if (!made) return listener.onState?.();
      history = noteAct(history, { ...made, title: one.set.title, at: clock.now() });
      changed();
    },
    /**
     * Sends the waiting change sets immediately. Resolves when all sets are sent, or when sending fails or has stopped.
     */
    flush: () => queue.flush(),
    retry: () => queue.retry(),
    /** Stops saving until `retry`. Unsaved changes are retained. */
    stop: (why: Stop) => queue.stop(why),
    close: () => queue.stop("closed"),
  };
}
