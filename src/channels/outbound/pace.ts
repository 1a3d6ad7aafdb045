import type { Channel } from "../../core/channels/channel.ts";
import { type Bucket, createBucket } from "../../platform/rate-limits/gcra.ts";

/** The number of contacts whose buckets are stored. Above this number, full buckets are removed. */
const mostBuckets = 5_000;

/** Limits how fast a connection may send: to all of its contacts together, and to each contact. */
export type ConnectionPace = {
  /** Milliseconds until a message may be sent to this contact; 0 if it may be sent immediately. */
  waitMs(to: PacedContact): number;
  take(to: PacedContact): void;
  /** Reserves a slot for a draft, and returns false if none is free. Drafts use at most half of the rate. */
  takeDraft(): boolean;
};

export type PacedContact = {
  readonly contactId: string;
  readonly isGroup: boolean;
  /** Milliseconds since the previous message, which any process may have sent; null without a previous message. */
  readonly sinceMs: number | null;
};

/**
 * Creates the rate limit of a connection that this process has just taken. Its bucket starts empty, because the
 * previous holder may have used the credit.
 */
export function createConnectionPace({ pace }: Pick<Channel, "pace">, clock: { now(): number }): ConnectionPace {
  const all = createBucket(pace.connection, clock.now(), { isEmpty: true });
  const { perSecond, burst } = pace.connection;
  const drafts = createBucket({ perSecond: perSecond / 2, burst: burst / 2 }, clock.now(), { isEmpty: true });
  const buckets = new Map<string, Bucket>();
  const bucketOf = ({ contactId, isGroup, sinceMs }: PacedContact): Bucket => {
    const known = buckets.get(contactId);
    if (known) return known;
    const now = clock.now();
    if (buckets.size >= mostBuckets) {
      for (const [id, bucket] of buckets) if (bucket.isFull(now)) buckets.delete(id);
    }
    const rate = isGroup ? pace.group : pace.contact;
    const isRecent = sinceMs !== null && sinceMs < (1_000 * rate.burst) / rate.perSecond;
    const bucket = createBucket(rate, now, { isEmpty: isRecent });
    buckets.set(contactId, bucket);
    return bucket;
  };
  return {
    waitMs: (to) => Math.max(all.waitMs(clock.now()), bucketOf(to).waitMs(clock.now())),
    take(to) {
      all.take(clock.now());
      bucketOf(to).take(clock.now());
    },
    takeDraft() {
      const now = clock.now();
      if (all.waitMs(now) > 0 || drafts.waitMs(now) > 0) return false;
      all.take(now);
      drafts.take(now);
      return true;
    },
  };
}
