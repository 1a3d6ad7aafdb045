import { backgroundClock, type Clock } from "../../concurrency/clock.ts";
import { startPollLoop } from "../../concurrency/poll-loop.ts";
import { isOutage } from "../primary/outage.ts";

/** Writes that failed because of an outage of the database, and that no request waits for. */
export type LateWrites = {
  /** Retries the write until it succeeds, in order. It must be safe to repeat. */
  add(write: () => Promise<void>): void;
  /** Tries the remaining writes once more. */
  stop(): Promise<void>;
};

const tryMs = 1_000;
/** Further writes are dropped: this number is reached in an outage of minutes under full load. */
const mostWaiting = 10_000;

/**
 *     waiting ─ `tryMs` have passed ─────────────→ made
 *     made ─ the database is still away ─────────→ waiting
 *     made ─ it succeeds, or fails otherwise ────→ over; the next one is made
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
