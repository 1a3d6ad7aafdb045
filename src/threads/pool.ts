import { Piscina } from "piscina";
import { AppError } from "../errors.ts";
import { ThreadLost } from "../step-errors.ts";
import type { AdvanceTask, TaskResult, ThreadKind } from "./messages.ts";

/** A thread that has not started by then will not: it usually takes 50 to 200 ms, and above 10 s on a machine with five times its work. */
const startMs = 30_000;

/**
 * Some threads of one kind. A thread is
 *
 *     starting ─ it runs the first time ──────────────→ idle
 *     idle ─ visit() ─────────────────────────────────→ busy ─ it answers ─→ idle
 *     busy ─ `visitMs` have passed ───────────────────→ killed, and another one is starting in its place
 *     any ─ it ends by itself ────────────────────────→ lost, and another one is starting in its place
 *     all lost before they ran ───────────────────────→ visits fail, and the next one starts all of them again
 */
export type Pool = {
  /**
   * Has one thread run tasks. It may leave the last ones: then there are fewer results. No more visits than threads may be under way.
   * Throws `step.over_budget` when the thread had to be killed, and `ThreadLost` when it ended by itself: both once another
   * thread has taken its place.
   */
  visit(tasks: readonly AdvanceTask[]): Promise<readonly TaskResult[]>;
  /** Waits for tasks under way, then ends every thread. */
  close(): Promise<void>;
};

export function createPool(options: { file: string; kind: ThreadKind; threads: number; visitMs: number }): Pool {
  const { file, kind, threads, visitMs } = options;
  const pool = new Piscina({
    filename: file,
    minThreads: threads,
    maxThreads: threads,
    idleTimeout: Number.POSITIVE_INFINITY,
    recordTiming: false,
    workerData: kind,
    // Threads that block on an atomic wait are woken no faster, and what they answer is heard later (p99 three times as long).
    atomics: "disabled",
  });
  const running = new Set<AbortController>();
  let ready: Promise<void> | undefined;
  // Where no thread is left, none can start: nobody need wait for one. Of threads that died with a task no error is told.
  const noticeEmptiness = (cause?: unknown): void => {
    setImmediate(() => {
      if (pool.threads.length > 0) return;
      ready = undefined;
      for (const controller of running) controller.abort(new Error("No worker thread runs", { cause }));
    });
  };
  pool.on("error", noticeEmptiness);
  pool.on("workerDestroy", () => noticeEmptiness());
  // The pool hands tasks to threads that have not started yet: each does nothing once, so that a task's time is its own.
  const startAll = async (): Promise<void> => {
    await Promise.all(Array.from({ length: threads }, () => run(pool, running, [], startMs)));
  };
  const whenReady = (): Promise<void> => {
    ready ??= startAll().catch((error: unknown) => {
      ready = undefined;
      throw new Error("The worker threads do not start", { cause: error });
    });
    return ready;
  };
  whenReady().catch(() => {});
  const isWhole = (): boolean => pool.threads.length === 0 || pool.idleThreads + running.size >= threads;
  return {
    async visit(tasks) {
      await whenReady();
      try {
        return await run(pool, running, tasks, visitMs);
      } catch (error) {
        const until = performance.now() + startMs;
        while (!isWhole() && performance.now() < until) await nextThread(pool);
        throw error;
      }
    },
    async close() {
      await pool.close({ force: false });
      await pool.destroy();
    },
  };
}

/** Whether an error says that a thread was killed. What else goes over a budget is an answer. */
export function isKill(error: unknown): boolean {
  return error instanceof AppError && error.code === "step.over_budget";
}

async function run(
  pool: Piscina,
  running: Set<AbortController>,
  tasks: readonly AdvanceTask[],
  maxMs: number,
): Promise<readonly TaskResult[]> {
  const controller = new AbortController();
  const { signal } = controller;
  const kill = (): void => {
    if (!running.has(controller)) return;
    controller.abort(new AppError("step.over_budget", { data: { limit: "time", maxMs, blockIds: [] } }));
  };
  // Where this thread was held up itself, the answer may lie there already: it is heard first.
  const timer = setTimeout(() => setImmediate(kill), maxMs);
  running.add(controller);
  try {
    return await pool.run(tasks, { signal });
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw new ThreadLost("A worker thread ended while it had a task", { cause: error });
  } finally {
    clearTimeout(timer);
    running.delete(controller);
  }
}

/** Waits until another thread has started, or cannot. */
function nextThread(pool: Piscina): Promise<void> {
  return new Promise((resolve) => {
    const finish = (): void => {
      clearTimeout(timer);
      pool.off("workerCreate", finish);
      pool.off("error", finish);
      resolve();
    };
    const timer = setTimeout(finish, startMs);
    pool.on("workerCreate", finish);
    pool.on("error", finish);
  });
}
