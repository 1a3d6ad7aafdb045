import type { Piscina } from "piscina";
import { ThreadLost } from "../../core/interpreter/step-errors.ts";
import type {
  AddressTask,
  AdvanceTask,
  BodyTask,
  ProveTask,
  ReplayTask,
  TaskResult,
  ThreadKind,
} from "../../core/tasks/messages.ts";
import { AppError } from "../../errors.ts";
import { backgroundClock, type Clock } from "../../platform/concurrency/clock.ts";

/**
 * A thread that has not started within this time is treated as failed. A start takes 50 to 200 ms, and more than 10 s
 * on a machine whose load is five times its capacity.
 */
const startMs = 30_000;

/**
 * A worker thread. Its states:
 *
 *     missing ─ runBatch() ───────────────────────→ starting
 *     starting ─ its first, empty batch has run ──→ idle
 *     idle ─ runBatch() ──────────────────────────→ busy ─ it answers ─→ idle
 *     idle ─ `idleMs` have passed ────────────────→ missing; a thread uses 30 MB, and 70 MB with a sandbox
 *     busy ─ `batchMs` have passed ───────────────→ killed, and another thread is starting in its place
 *     any ─ it ends unexpectedly ─────────────────→ lost, and another thread is starting in its place
 *     lost while starting ────────────────────────→ its batch fails, and the next batch starts a thread again
 */
export type Pool = {
  /**
   * Runs tasks on the thread. The thread may skip the last tasks and then returns fewer results. At most one batch may
   * be in flight. Throws `step.over_budget` if the thread was killed, and `ThreadLost` if it ended unexpectedly. Both
   * errors are thrown only after another thread has replaced this thread.
   */
  runBatch(tasks: readonly AdvanceTask[]): Promise<readonly TaskResult[]>;
  /** Runs a task that is not a step, with the same errors. */
  runAside(task: AsideTask): Promise<string>;
  /**
   * The state of the thread. If a thread could not be started, the state remains `starting` until `idleMs` have passed.
   */
  state(): "missing" | "starting" | "running";
  /** Waits for the running task, then ends the thread. */
  close(): Promise<void>;
};

type ThreadOptions = { readonly file: string; readonly kind: ThreadKind; readonly batchMs: number };

export function createPool({
  idleMs,
  clock = backgroundClock,
  ...options
}: ThreadOptions & { idleMs: number; clock?: Pick<Clock, "now" | "startTimer"> }): Pool {
  let thread: Promise<Thread> | undefined;
  let isRunning = false;
  let uses = 0;
  let usedAt = 0;
  let stopTimer: (() => void) | undefined;

  const end = async (): Promise<void> => {
    const ended = thread;
    thread = undefined;
    isRunning = false;
    await (await ended)?.close();
  };
  const endWhenIdle = (): void => {
    stopTimer = undefined;
    if (uses > 0) return;
    const leftMs = usedAt + idleMs - clock.now();
    if (leftMs <= 0) void end();
    else stopTimer = clock.startTimer(leftMs, endWhenIdle);
  };
  const use = async <Result>(work: Work): Promise<Result> => {
    uses++;
    try {
      thread ??= startThread(options);
      const started = await thread;
      await started.whenReady();
      isRunning = true;
      return await started.run<Result>(work);
    } finally {
      uses--;
      // Probes are ignored, because they are more frequent than `idleMs` and would keep the thread alive.
      if (!isProbe(work)) usedAt = clock.now();
      if (uses === 0) stopTimer ??= clock.startTimer(idleMs, endWhenIdle);
    }
  };
  return {
    runBatch: (tasks) => use(tasks),
    runAside: (task) => use(task),
    state() {
      if (isRunning) return "running";
      return thread ? "starting" : "missing";
    },
    async close() {
      stopTimer?.();
      await end();
    },
  };
}

/** Whether the work only checks that the thread answers, with tasks that have no program. */
function isProbe(work: Work): boolean {
  return Array.isArray(work) && work.every(({ program }: AdvanceTask) => program.key === "");
}

type Thread = {
  whenReady(): Promise<void>;
  run<Result>(work: Work): Promise<Result>;
  close(): Promise<void>;
};

async function startThread({ file, kind, batchMs }: ThreadOptions): Promise<Thread> {
  const { Piscina } = await import("piscina");
  const pool = new Piscina({
    filename: file,
    minThreads: 1,
    maxThreads: 1,
    idleTimeout: Number.POSITIVE_INFINITY,
    recordTiming: false,
    workerData: kind,
    // With blocking atomics, threads do not wake sooner, and their answers arrive later: the p99 is three times as
    // high.
    atomics: "disabled",
  });
  const running = new Set<AbortController>();
  let ready: Promise<void> | undefined;
  // Aborts the waiting calls if no threads are left. Piscina reports no error for threads that died with a task.
  const failIfEmpty = (cause?: unknown): void => {
    setImmediate(() => {
      if (pool.threads.length > 0) return;
      ready = undefined;
      for (const controller of running) controller.abort(new Error("No worker thread is running", { cause }));
    });
  };
  pool.on("error", failIfEmpty);
  pool.on("workerDestroy", () => failIfEmpty());
  const whenReady = (): Promise<void> => {
    // Piscina assigns tasks to threads that are still starting. Each thread runs an empty batch first, so that the time
    // of a task never includes a start.
    ready ??= run<void>(pool, running, [], startMs).catch((error: unknown) => {
      ready = undefined;
      throw new Error("The worker threads do not start", { cause: error });
    });
    return ready;
  };
  whenReady().catch(() => {});
  const isReplaced = (): boolean => pool.threads.length === 0 || pool.idleThreads + running.size > 0;
  return {
    whenReady,
    async run<Result>(work: Work): Promise<Result> {
      try {
        return await run<Result>(pool, running, work, batchMs);
      } catch (error) {
        const until = performance.now() + startMs;
        while (!isReplaced() && performance.now() < until) await nextThread(pool);
        throw error;
      }
    },
    async close() {
      await pool.close({ force: false });
      await pool.destroy();
    },
  };
}

/** Whether a task failed because its thread was killed. Other steps over budget are normal answers. */
export function isKill(error: unknown): boolean {
  return error instanceof AppError && error.code === "step.over_budget";
}

export type AsideTask = ProveTask | ReplayTask | BodyTask | AddressTask;
type Work = readonly AdvanceTask[] | AsideTask;

async function run<Result>(pool: Piscina, running: Set<AbortController>, work: Work, maxMs: number): Promise<Result> {
  const controller = new AbortController();
  const { signal } = controller;
  const kill = (): void => {
    if (!running.has(controller)) return;
    controller.abort(new AppError("step.over_budget", { data: { limit: "time", maxMs, blockIds: [] } }));
  };
  // If this thread was blocked, the answer may already have arrived. The delay allows the answer to be received first.
  const timer = setTimeout(() => setImmediate(kill), maxMs);
  running.add(controller);
  try {
    return await pool.run(work, { signal });
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw new ThreadLost("A worker thread ended while it had a task", { cause: error });
  } finally {
    clearTimeout(timer);
    running.delete(controller);
  }
}

/** Waits until another thread has started or failed to start. */
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
