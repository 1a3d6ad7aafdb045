import type { Clock } from "../../src/platform/concurrency/clock.ts";

/** A clock that only the test advances. */
export type VirtualClock = Clock & {
  /** Runs all immediates and promises, including follow-up work, until only timers remain. */
  settle(): Promise<void>;
  /** Advances the clock timer by timer. */
  advance(ms: number): Promise<void>;
  timers(): number;
};

export function createVirtualClock(): VirtualClock {
  type Timer = { readonly at: number; readonly callback: () => void };
  let now = 0;
  const timers = new Set<Timer>();
  let immediates: (() => void)[] = [];

  const settle = async (): Promise<void> => {
    do {
      const due = immediates;
      immediates = [];
      for (const callback of due) callback();
      await promisesToSettle();
    } while (immediates.length > 0);
  };
  const nextBefore = (end: number): Timer | undefined =>
    [...timers].filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at)[0];
  return {
    now: () => now,
    startTimer(ms, callback) {
      const timer = { at: now + ms, callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    setImmediate: (callback) => void immediates.push(callback),
    settle,
    async advance(ms) {
      const end = now + ms;
      await settle();
      for (let timer = nextBefore(end); timer; timer = nextBefore(end)) {
        timers.delete(timer);
        now = Math.max(now, timer.at);
        timer.callback();
        await settle();
      }
      now = end;
    },
    timers: () => timers.size,
  };
}

/** Resolves after all chained promises, which settle before the next turn of the event loop. */
function promisesToSettle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
