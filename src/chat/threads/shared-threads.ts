import type { AdvanceTask, TaskResult } from "../../core/tasks/messages.ts";
import { type Clock, systemClock } from "../../platform/concurrency/clock.ts";
import type { Pool } from "./pool.ts";

/**
 * How long a step waits for the running threads before another thread is started. Starting a thread takes about as long
 * on an idle machine.
 */
export const startAfterMs = 50;

/** The threads that steps share, each with its own pool. */
export type SharedThreads = {
  /** The number of batches that may be in flight. */
  size(): number;
  /** The state of the thread whose start has progressed furthest. */
  state(): ReturnType<Pool["state"]>;
  /** Runs tasks on an idle thread. Each running thread may have at most one batch in flight. */
  run(tasks: readonly AdvanceTask[]): Promise<readonly TaskResult[]>;
  /** Starts another thread if `work` does not start its task in time. `onStarted` is called once this thread runs. */
  whileWaiting<Result>(task: AdvanceTask, work: () => Promise<Result>, onStarted: () => void): Promise<Result>;
};

/**
 * Starts shared threads on demand. A thread takes 110 ms of processor time and 30 MB, and most steps need no thread.
 * The first thread starts with the first batch. Another thread starts if a step has waited for `startAfterMs` and no
 * thread is starting:
 *
 *     missing ─ a step waits ──────→ starting ─ its first, empty batch has run ─→ running
 *     starting ─ the start fails ──→ missing
 */
export function createSharedThreads({
  start,
  count,
  clock = systemClock,
}: {
  start: () => Pool;
  count: number;
  clock?: Pick<Clock, "startTimer">;
}): SharedThreads {
  const all = [start()];
  const idle = [...all];
  const waiting = new Set<AdvanceTask>();
  let size = 1;
  let isStarting = false;

  /** Returns whether a thread was started. */
  const startAnother = async (): Promise<boolean> => {
    if (isStarting) return false;
    isStarting = true;
    const fresh = start();
    try {
      await fresh.runBatch([]);
      all.push(fresh);
      idle.push(fresh);
      size++;
      return true;
    } catch {
      // Waiting steps continue to wait for the running threads. The next step that waits too long tries again to start
      // a thread.
      await fresh.close();
      return false;
    } finally {
      isStarting = false;
    }
  };
  const state = (): ReturnType<Pool["state"]> => {
    const states = new Set(all.map((one) => one.state()));
    return states.has("running") ? "running" : states.has("starting") ? "starting" : "missing";
  };
  return {
    size: () => size,
    state,
    async run(tasks) {
      for (const task of tasks) waiting.delete(task);
      const own = idle.pop();
      if (!own) throw new Error("There are more running batches than threads");
      try {
        return await own.runBatch(tasks);
      } finally {
        idle.push(own);
      }
    },
    async whileWaiting(task, work, onStarted) {
      if (size >= count) return await work();
      waiting.add(task);
      const startIfWaiting = (): void => {
        if (!waiting.has(task) || size >= count) return;
        if (state() === "starting") stopTimer = clock.startTimer(startAfterMs, startIfWaiting);
        else void startAnother().then((isStarted) => isStarted && onStarted());
      };
      let stopTimer = clock.startTimer(startAfterMs, startIfWaiting);
      try {
        return await work();
      } finally {
        stopTimer();
        waiting.delete(task);
      }
    },
  };
}
