import { type Clock, systemClock } from "./clock.ts";

/**
 * Lets `width` tasks run at once and `maxWaiting` more wait, in the order they came, for `maxWaitMs` at most. A task is
 *
 *     (new) ─ a place is free ───────────────────→ running ─ it ends, well or badly ─→ (done)
 *     (new) ─ all places are taken ──────────────→ waiting
 *     (new) ─ and so is the whole line ──────────→ refused
 *     waiting ─ it is first, and a task ends ────→ running
 *     waiting ─ maxWaitMs have passed ───────────→ refused, and out of the line
 *
 * p-limit and p-queue bound neither the queue nor the wait in it; bottleneck bounds the queue only, and is no longer
 * maintained.
 *
 * A run costs 1.0 µs of processor time (`bun test/tools/bench/concurrency.ts`; two cores, Bun 1.4.4).
 */
export type Limiter = {
  /**
   * Runs the task when its turn comes. Throws the error of `refuse` if there is no room for it, or its wait was too
   * long.
   */
  run<T>(task: () => Promise<T>): Promise<T>;
};

/** A limiter for each key. */
export type KeyedLimiter = {
  run<T>(key: string, task: () => Promise<T>): Promise<T>;
  /**
   * Takes a place until `leave`, without a task: undefined if a place is free, a promise if the caller has to wait.
   * Throws as `run`.
   */
  enter(key: string): Promise<void> | undefined;
  leave(key: string): void;
};

export type LimiterOptions = {
  readonly width: number;
  /** Absent: no task waits. */
  readonly maxWaiting?: number;
  readonly maxWaitMs?: number;
  refuse(why: { readonly waiting: number } | { readonly waitedMs: number }): Error;
  readonly clock?: Clock;
};

export function createLimiter(options: LimiterOptions): Limiter {
  const limiter = createKeyedLimiter(options);
  return { run: (task) => limiter.run("", task) };
}

type Line = { running: number; waiting: Set<() => void> | undefined };

export function createKeyedLimiter(options: LimiterOptions): KeyedLimiter {
  const { width, maxWaiting = 0, refuse } = options;
  /** The queue of each key that a task runs for. */
  const lines = new Map<string, Line>();

  const enter = (key: string): Promise<void> | undefined => {
    const line = lines.get(key);
    if (line === undefined) {
      lines.set(key, { running: 1, waiting: undefined });
      return undefined;
    }
    if (line.running < width) {
      line.running++;
      return undefined;
    }
    line.waiting ??= new Set();
    if (line.waiting.size >= maxWaiting) throw refuse({ waiting: line.waiting.size });
    return waitForTurn(line.waiting, options);
  };
  /** The first waiter gets the place, so that a newcomer cannot take it first. */
  const leave = (key: string): void => {
    const line = lines.get(key);
    if (line === undefined) return;
    const { waiting } = line;
    const [startFirst] = waiting ?? [];
    if (startFirst) {
      waiting?.delete(startFirst);
      startFirst();
    } else if (--line.running === 0) lines.delete(key);
  };
  return {
    enter,
    leave,
    async run(key, task) {
      const turn = enter(key);
      if (turn) await turn;
      try {
        return await task();
      } finally {
        leave(key);
      }
    },
  };
}

function waitForTurn(
  waiting: Set<() => void>,
  { maxWaitMs, refuse, clock = systemClock }: LimiterOptions,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let stopTimer = (): void => {};
    const start = (): void => {
      stopTimer();
      resolve();
    };
    waiting.add(start);
    if (maxWaitMs === undefined) return;
    stopTimer = clock.startTimer(maxWaitMs, () => {
      waiting.delete(start);
      reject(refuse({ waitedMs: maxWaitMs }));
    });
  });
}
