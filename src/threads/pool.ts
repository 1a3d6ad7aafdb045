import { Piscina } from "piscina";
import { AppError } from "../errors.ts";
import { ThreadLost } from "../step-errors.ts";
import { createBatches } from "./batches.ts";
import type { AdvanceTask, Thought } from "./messages.ts";

/** A thread that has not started by then will not: it usually takes 50 to 200 ms. */
const startMs = 10_000;

/** Some threads, and the tasks that wait for them. */
export type Pool = {
  /**
   * Refuses with `server.overloaded` when too many tasks wait or this one has waited too long, and with `step.over_budget`
   * when it had to be killed with its thread.
   */
  run(task: AdvanceTask): Promise<Thought>;
  /** Refuses with `Diverted` what waits and is not wanted here any more. */
  divert(isUnwanted: (task: AdvanceTask) => boolean): void;
  /** Waits for tasks under way, then ends every thread. */
  close(): Promise<void>;
};

export function createPool(options: {
  /** The file that threads start from. */
  file: string;
  threads: number;
  queue: number;
  /** A visit that takes longer is killed with its thread. */
  visitMs: number;
  /** Tasks that may travel together. */
  together: number;
  /** What each thread is told at its start. */
  told?: string;
}): Pool {
  const { file, threads, queue, visitMs, together, told } = options;
  const pool = new Piscina({
    filename: file,
    minThreads: threads,
    maxThreads: threads,
    idleTimeout: Number.POSITIVE_INFINITY,
    recordTiming: false,
    ...(told !== undefined && { workerData: told }),
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
  const whenReady = (): Promise<void> => {
    ready ??= startAll(pool, running, threads).catch((error: unknown) => {
      ready = undefined;
      throw new Error("The worker threads do not start", { cause: error });
    });
    return ready;
  };
  whenReady().catch(() => {});
  // Our own queue before the pool's: what is handed over starts at once, so its time is its own.
  const batches = createBatches({
    width: threads,
    queue,
    together,
    async visit(tasks) {
      await whenReady();
      return visit(pool, running, tasks, visitMs);
    },
    hasIdle: (count) => pool.idleThreads >= count || pool.threads.length === 0,
    nextThread: () => nextThread(pool),
  });
  return {
    run: (task) => batches.run(task),
    divert: (isUnwanted) => batches.divert(isUnwanted),
    async close() {
      await pool.close({ force: false });
      await pool.destroy();
    },
  };
}

/** Has each thread do nothing once: the pool hands tasks to threads that have not started yet. */
async function startAll(pool: Piscina, running: Set<AbortController>, threads: number): Promise<void> {
  await Promise.all(Array.from({ length: threads }, () => visit(pool, running, [], startMs)));
}

async function visit(
  pool: Piscina,
  running: Set<AbortController>,
  tasks: readonly AdvanceTask[],
  maxMs: number,
): Promise<readonly Thought[]> {
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

/** Waits until another thread has started in a killed one's place: a task that is handed over before spends its time on that. */
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
