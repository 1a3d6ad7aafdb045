/** Time and timers. Tests use a fake clock, so that no test depends on the speed of the machine. */
export type Clock = {
  /** Returns a monotonic time in milliseconds. */
  now(): number;
  /** Calls `callback` once after `ms` milliseconds. Returns a function that cancels the timer. */
  startTimer(ms: number, callback: () => void): () => void;
  /** Calls `callback` once after all events that are currently due were handled. */
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

/** A clock whose timers do not keep the process alive. */
export const backgroundClock: Clock = {
  ...systemClock,
  startTimer(ms, callback) {
    const timer = setTimeout(callback, ms).unref();
    return () => clearTimeout(timer);
  },
};

/** Resolves after `ms` milliseconds. */
export function pause(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => void clock.startTimer(ms, resolve));
}
