import { backgroundClock, type Clock } from "../../concurrency/clock.ts";
import { startPollLoop } from "../../concurrency/poll-loop.ts";
import { isOutage } from "../primary/outage.ts";

/** Retries writes that failed in an outage of the database and that no request waits for. */
export type LateWrites = {
  /**
   * Retries the write until it succeeds, or fails for a reason other than an outage. Writes run in order and must be
   * idempotent. The write is dropped if too many writes are waiting.
   */
  add(write: () => Promise<void>): void;
  /** Tries the remaining writes one last time, in order, until a write fails because of an outage. */
  stop(): Promise<void>;
};

const tryMs = 1_000;
/** Further writes are dropped. This number is reached in an outage of minutes under full load. */
const mostWaiting = 10_000;

/**
 * Each write is tried in order:
 *
 *     (new) ─ no other write is waiting ──────────────→ running
 *     (new) ─ otherwise ──────────────────────────────→ waiting, or dropped if too many are waiting
 *     waiting ─ `tryMs` have passed, or `stop` ───────→ running
 *     running ─ the database is still unavailable ────→ waiting, or dropped after `stop`
 *     running ─ it succeeds, or fails otherwise ──────→ done; the next write runs
 */
export function createLateWrites({
  onFailure,
  clock = backgroundClock,
}: {
  onFailure(error: unknown): void;
  clock?: Clock;
}): LateWrites {
  const waiting: (() => Promise<void>)[] = [];
  const makeAll = async (): Promise<void> => {
    for (let write = waiting[0]; write; write = waiting[0]) {
      await write().catch((error: unknown) => {
        if (isOutage(error)) throw error;
        onFailure(error);
      });
      waiting.shift();
    }
  };
  const loop = startPollLoop({
    everyMs: () => (waiting.length > 0 ? tryMs : Number.POSITIVE_INFINITY),
    ...{ maxPauseMs: tryMs, startsWaiting: true, run: makeAll, onFailure, clock },
  });
  return {
    add(write) {
      if (waiting.length >= mostWaiting) return;
      waiting.push(write);
      if (waiting.length === 1) loop.wake();
    },
    async stop() {
      await loop.stop();
      await makeAll().catch(onFailure);
    },
  };
}
