import { type Clock, systemClock } from "./clock.ts";

/**
 * Runs up to `width` concurrent tasks. Up to `maxWaiting` further tasks wait in order of arrival, for at most
 * `maxWaitMs`. A task changes its state as follows:
 *
 *     (new) ─ a slot is free ──────────────────────→ running ─ it succeeds or fails ─→ (done)
 *     (new) ─ all slots are occupied ──────────────→ waiting
 *     (new) ─ the queue is full as well ───────────→ rejected
 *     waiting ─ it is first, and a task ends ──────→ running
 *     waiting ─ `maxWaitMs` have passed ───────────→ rejected and removed from the queue
 *
 * Libraries do not fit: p-limit and p-queue limit neither the queue nor the waiting time; bottleneck only limits the
 * queue, and is no longer maintained.
 *
 * A run costs 1.0 µs of processor time (`bun test/tools/bench/concurrency.ts`; two cores, Bun 1.4.4).
 */
export type Limiter = {
  /**
   * Runs the task when its turn comes. Rejects with the error of `refuse` if the queue is full or the task has waited
   * too long.
   */
  run<T>(task: () => Promise<T>): Promise<T>;
};

/** A limiter with a separate limit for each key. */
export type KeyedLimiter = {
  run<T>(key: string, task: () => Promise<T>): Promise<T>;
  /**
   * Occupies a slot until `leave` is called, without a task. Returns undefined if a slot is free, and otherwise a
   * promise that resolves once the caller has a slot. Throws the error of `refuse` if the queue is full. The promise
   * rejects with this error after `maxWaitMs`.
   */
  enter(key: string): Promise<void> | undefined;
  leave(key: string): void;
};

export type LimiterOptions = {
  readonly width: number;
  /** If absent, a task without a free slot is rejected. */
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
  /** The queues of the keys that have running tasks. */
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
  /** Releases a slot. The first waiter gets the slot immediately, so that a newcomer cannot take it. */
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
