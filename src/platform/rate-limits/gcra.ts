/** The messages of a second, and those that may go at once after a pause. */
export type PaceRate = { readonly perSecond: number; readonly burst: number };

/**
 * A bucket by the generic cell rate algorithm: one number, the time at which it would be empty again. Times are
 * milliseconds of any clock that only goes forward.
 */
export type Bucket = {
  /** Milliseconds until one more may go; 0: now. */
  waitMs(now: number): number;
  take(now: number): void;
  /** Whether it has all of its credit, so that a new one would be the same. */
  isFull(now: number): boolean;
};

/** `isEmpty`: its credit may have been used up by somebody else just now, so that one may go, and then no burst. */
export function createBucket(rate: PaceRate, now: number, { isEmpty }: { readonly isEmpty: boolean }): Bucket {
  const intervalMs = 1_000 / rate.perSecond;
  const creditMs = intervalMs * (Math.max(1, rate.burst) - 1);
  let emptyAt = isEmpty ? now + creditMs : now;
  return {
    waitMs: (at) => Math.max(0, emptyAt - creditMs - at),
    take(at) {
      emptyAt = Math.max(emptyAt, at) + intervalMs;
    },
    isFull: (at) => emptyAt <= at,
  };
}
