/** The messages per second, and the messages that may be sent at once after a pause. */
export type PaceRate = { readonly perSecond: number; readonly burst: number };

/**
 * A bucket by the generic cell rate algorithm: one number, the time at which the bucket would be empty again. Times are
 * milliseconds of any clock that never goes backwards.
 */
export type Bucket = {
  /** Milliseconds until one more message may be sent; 0: now. */
  waitMs(now: number): number;
  take(now: number): void;
  /** Whether the bucket has its full credit, so that a new bucket would be equal. */
  isFull(now: number): boolean;
};

/** `isEmpty`: another sender may just have used up the credit, so only one message may be sent, and no burst. */
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
