/** The number of messages per second, and the number of messages that may be sent in a burst after a pause. */
export type PaceRate = { readonly perSecond: number; readonly burst: number };

/**
 * A token bucket that implements the generic cell rate algorithm. Its state is one number: the time at which the full
 * credit is available again. Times are milliseconds of a monotonic clock.
 */
export type Bucket = {
  /** Returns the milliseconds until the next message may be sent, or 0 if it may be sent now. */
  waitMs(now: number): number;
  take(now: number): void;
  /** Whether the bucket has its full credit, so that it can be replaced by a new bucket. */
  isFull(now: number): boolean;
};

/**
 * Creates a bucket. With `isEmpty`, only one message may be sent at first, because another sender may just have used
 * the credit.
 */
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
