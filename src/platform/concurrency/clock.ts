/** The time and the timers of whoever waits. Tests hold one of their own, so that nothing depends on the speed of a machine. */
export type Clock = {
  /** Milliseconds that only go forward. */
  now(): number;
  /** Calls back once after `ms`. What it returns cancels that. */
  startTimer(ms: number, callback: () => void): () => void;
  /** Calls back once the events that are due now were handled. */
  setImmediate(callback: () => void): void;
};

export const systemClock: Clock = {
  now: () => performance.now(),
  startTimer(ms, callback) {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
  setImmediate,
};

/** For what should keep no process alive by itself. */
export const backgroundClock: Clock = {
  ...systemClock,
  startTimer(ms, callback) {
    const timer = setTimeout(callback, ms).unref();
    return () => clearTimeout(timer);
  },
};

/** Resolves after `ms`. */
export function pause(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => void clock.startTimer(ms, resolve));
}
