/** Time and timers. Tests use their own clock, so that nothing depends on the speed of a machine. */
export type Clock = {
  /** Milliseconds that never go backwards. */
  now(): number;
  /** Calls back once after `ms`. Returns a function that cancels the call. */
  startTimer(ms: number, callback: () => void): () => void;
  /** Calls back once after the events that are due now were handled. */
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

/** For timers that must not keep a process alive by themselves. */
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
