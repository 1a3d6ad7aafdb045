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

/** The effect of an undo, and the parts that it left unchanged because others had edited them. */
export type Undone = { readonly title: string; readonly left: readonly Clash[] };

export type WorkingCopy = ReturnType<typeof createWorkingCopy>;

export type Making = {
  readonly opened: DraftAt;
  readonly transport: Transport;
  readonly clock: Clock;
  newId(): string;
  /** A number from 0 to 1: it spreads retries. */
  chance(): number;
  /** Whether another person is where the author writes. */
  isShared?(): boolean;
  /** The person who edits here. */
  readonly userId?: string;
  readonly remains?: Remains;
  readonly listener?: Listener;
  readonly names?: Names;
};

/**
 * A draft that is being edited: what is seen, what was not saved yet, and what can be taken back. Knows neither the
 * browser nor the network, which are handed in. What is sent when is the queue's: see there.
 *
 *     a set: pending ─ the service has it ─→ in the base
 *            pending ─ others meant something different, or it can never be stored ─→ held
 *            held ─ the author decides ─→ pending, as a set of a new id; or gone
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
  /** A set that was sent once may have been written, with any result: it can no longer be changed. */
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
      // The next opening of the draft tries again.
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
        // The service may not merge changes that we consider mergeable: the service decides.
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
   * The log in an answer: each revision that is not of others is one of ours, in order. Others may have written
   * revisions below ours in the meantime, so ours are counted from the last one. A set that is held back since is also
   * listed: its changes are missing, and are read.
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
   * A change that the service made at its author's request is an act of the author, even if it was requested elsewhere.
   */
  function adopt({ set, by, inverse }: Others): boolean {
    if (!set || userId === undefined || by?.userId !== userId || set.origin !== "restore") return false;
    // A change that is too large for a set is undone in the draft's history.
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

  /** A written set is no longer pending, no matter which answer reported it. */
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
   * The draft may have advanced without us: reads the missing sets from the log. If the log does not go back far enough
   * or cannot be applied, reads the draft.
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

  /** Adds a set of our own, or extends the last one while it is still pending. Undefined if nothing changed. */
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
    // All of it or nothing: an act that fails leaves the draft unchanged.
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

  /** A decision that the current draft has settled is dropped. */
  function settle(): void {
    end([...endingsBy(held, replica.view)]);
  }

  /** Ends decisions. If a change also has other places, its changes there are made. */
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
    // Changes of others up to then are sent again, from the stored revision on.
    const isSeen = (entry: Entry): Entry => ({ ...entry, seen: 0 });
    history = { ...noHistory, undo: undo.map(isSeen), redo: redo.map(isSeen), next };
  }

  if (remains) recall(remains);
  settle();
  if (replica.pending.length > 0) queue.wake();

  return {
    view: () => replica.view,
    revision: () => replica.revision,
    /** The service's draft at `revision`. */
    base: () => replica.base,
    pending: () => replica.pending,
    held: () => held,
    /** The texts that pending changes type into, in the service's state. */
    texts: () => textsBelow(replica.base, replica.pending),
    history: () => history,
    /** The effect of the next undo, by name. */
    undoTitle: () => (newestToUndo(held, history.undo.at(-1)?.number ?? 0)?.set ?? history.undo.at(-1))?.title,
    saving: () => savingOf(queue.state(), replica.pending.length, held),
    /** Makes an act of the author. Throws `ChangeMisses` if it cannot be made. */
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
    /** A change of others, or of this tab, as the service sends it. */
    tell(log: readonly LogEntry[]): void {
      if (!take(takeLog(replica, log))) void catchUp();
    },
    catchUp,
    /** Mine: it is applied on top of theirs. Theirs: mine is dropped. Other changes: these are applied instead. */
    resolve(one: Held, choice: "mine" | "theirs" | readonly Change[]) {
      held = held.filter((other) => other !== one);
      const changes = choice === "theirs" ? [] : choice === "mine" ? insist(replica.view, one) : choice;
      const made = make(one.set.title, changes);
      if (!made) return listener.onState?.();
      history = noteAct(history, { ...made, title: one.set.title, at: clock.now() });
      changed();
    },
    /** Sends the waiting sets now, and resolves when no request is running. */
    flush: () => queue.flush(),
    retry: () => queue.retry(),
    /** Nothing can be saved any more. Unsaved changes stay here until `retry`. */
    stop: (why: Stop) => queue.stop(why),
    close: () => queue.stop("closed"),
  };
}
