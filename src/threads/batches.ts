import { AppError } from "../errors.ts";
import { limits } from "../limits.ts";
import { Diverted, ThreadLost } from "../step-errors.ts";
import type { AdvanceTask, Thought } from "./messages.ts";

/** How long a task waits for a busy thread before a sleeping one is woken for it. */
const patienceMs = 2;

/** Tasks wait here for a thread; those that wait anyway travel together. */
export type Batches = {
  /** Refuses with `server.overloaded` when too many wait already, or this one has waited too long. */
  run(task: AdvanceTask): Promise<Thought>;
  /** Refuses with `Diverted` what waits and is not wanted here any more. */
  divert(isUnwanted: (task: AdvanceTask) => boolean): void;
};

type Waiting = {
  readonly task: AdvanceTask;
  readonly since: number;
  /** Was in a batch that had to be killed: goes alone, so that only the one to blame is killed again. */
  readonly isAlone: boolean;
  /** Its thread ended with it alone: it is tried once more. */
  readonly isLost: boolean;
  resolve(thought: Thought): void;
  reject(error: unknown): void;
};

/**
 * Hands tasks to `width` threads. Waking a thread costs more than most steps (about 150 µs where it was measured: a small
 * virtual machine), so a free thread gets all that waits, up to a bound, and while one thinks others are woken only when
 * several tasks wait, or one has waited for a moment. What comes while all are free goes at once. A thread
 * may give the last tasks of a batch back unthought; they go first next time. `visit` thinks a batch through; it throws
 * `step.over_budget` when it had to be killed, and `ThreadLost` when the thread ended of itself.
 */
export function createBatches(options: {
  width: number;
  queue: number;
  together: number;
  /** How long a task may wait. */
  waitMs?: number;
  visit(tasks: readonly AdvanceTask[]): Promise<readonly Thought[]>;
  /** Whether so many threads have nothing to do, or none will come by itself. */
  hasIdle(count: number): boolean;
  /** Until another thread may have started. */
  nextThread(): Promise<void>;
}): Batches {
  const { queue, together, waitMs = limits.threads.waitMs, visit, hasIdle, nextThread } = options;
  let waiting: Waiting[] = [];
  let free = options.width;
  let isScheduled = false;
  let isReminded = false;

  /** Whether another thread is worth its waking. */
  const isDue = (): boolean => {
    const [first] = waiting;
    if (!first || free === 0) return false;
    if (free === options.width || waiting.length >= together / 2) return true;
    return first.isAlone || performance.now() - first.since >= patienceMs;
  };
  const remind = (): void => {
    if (isReminded || free === 0 || waiting.length === 0) return;
    isReminded = true;
    setTimeout(() => {
      isReminded = false;
      schedule();
    }, patienceMs);
  };
  const settle = async (batch: readonly Waiting[]): Promise<void> => {
    try {
      const thoughts = await visit(batch.map(({ task }) => task));
      const unthought = batch.slice(thoughts.length);
      for (const [index, thought] of thoughts.entries()) batch[index]?.resolve(thought);
      waiting = [...unthought, ...waiting];
    } catch (error) {
      const again = againAfter(error, batch);
      if (again.length === 0) for (const { reject } of batch) reject(error);
      waiting = [...again, ...waiting];
    }
    // What is handed over before a thread has taken the place of a killed one would spend its time on that.
    while (!hasIdle(free + 1)) await nextThread();
    free++;
    schedule();
  };
  const next = (): void => {
    isScheduled = false;
    waiting = withoutLate(waiting, waitMs);
    while (isDue()) {
      const batch = takeBatch(waiting, together);
      waiting = waiting.slice(batch.length);
      free--;
      void settle(batch);
    }
    remind();
  };
  const schedule = (): void => {
    if (isScheduled || free === 0 || waiting.length === 0) return;
    isScheduled = true;
    setImmediate(next);
  };
  return {
    run(task) {
      if (waiting.length >= queue) throw new AppError("server.overloaded", { data: { waiting: waiting.length } });
      return new Promise((resolve, reject) => {
        waiting.push({ task, since: performance.now(), isAlone: false, isLost: false, resolve, reject });
        schedule();
      });
    },
    divert(isUnwanted) {
      const diverted = waiting.filter(({ task }) => isUnwanted(task));
      if (diverted.length === 0) return;
      waiting = waiting.filter((each) => !diverted.includes(each));
      for (const { reject } of diverted) reject(new Diverted());
    },
  };
}

function takeBatch(waiting: readonly Waiting[], together: number): readonly Waiting[] {
  const alone = waiting.findIndex(({ isAlone }) => isAlone);
  if (alone === 0) return waiting.slice(0, 1);
  return waiting.slice(0, Math.min(together, alone < 0 ? waiting.length : alone));
}

/** Refuses those that have waited too long. They stand in the order they came. */
function withoutLate(waiting: Waiting[], waitMs: number): Waiting[] {
  const latest = performance.now() - waitMs;
  const first = waiting.findIndex(({ since }) => since > latest);
  const late = waiting.slice(0, first < 0 ? waiting.length : first);
  for (const { reject } of late) reject(new AppError("server.overloaded", { data: { waitedMs: waitMs } }));
  return late.length === 0 ? waiting : waiting.slice(late.length);
}

/** Who is to blame shows when each goes alone. A task alone with a thread that was lost is tried once more. */
function againAfter(error: unknown, batch: readonly Waiting[]): readonly Waiting[] {
  const isLost = error instanceof ThreadLost;
  if (batch.length > 1 && (isLost || isKill(error))) return batch.map((each) => ({ ...each, isAlone: true }));
  return isLost ? batch.flatMap((lone) => (lone.isLost ? [] : [{ ...lone, isAlone: true, isLost: true }])) : [];
}

/** What else goes over a budget is an answer. */
export function isKill(error: unknown): boolean {
  return error instanceof AppError && error.code === "step.over_budget";
}
