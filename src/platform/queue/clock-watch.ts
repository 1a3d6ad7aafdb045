import { type Clock, systemClock } from "../concurrency/clock.ts";
import type { Log } from "../observing/log.ts";

/** The precision of the time between two readings. Gradual corrections of a clock cause smaller differences. */
const toleranceMs = 1_000;
/**
 * If the clock jumps forward by more than this, deletions by age pause for an hour. A row that looks old may only be a
 * minute old.
 */
const largeStepMs = 60_000;
const holdMs = 3_600_000;

/**
 * Detects changes of the database's clock, which a person, its machine or the promotion of a standby may cause. Each
 * reading is compared with the previous reading and with the time that has passed in this process, by a monotonic
 * clock.
 *
 *     unread ─ a reading ──────────────────────────────→ read; times in the future are corrected
 *     read ─ a reading that matches the elapsed time ──→ read
 *     read ─ a reading before the expected time ───────→ read: logged, and times in the future are corrected
 *     read ─ a reading after the expected time ────────→ read: logged; after a large step, clean-ups pause for an hour
 *     any ─ the correction fails ──────────────────────→ unchanged: retried after the next reading
 *
 * A machine that was suspended also sees the clock jump forward, because its monotonic clock did not advance.
 */
export type ClockWatch = {
  /** Runs a query whose result contains the database's clock, checks this clock, and returns the result. */
  read<Answer extends { readonly now: Date }>(ask: () => Promise<Answer>): Promise<Answer>;
  /**
   * Corrects stored times after the first reading, and after the clock was set back. The caller calls this function
   * last, so that work that does not need corrected times runs first.
   */
  mend(): Promise<void>;
  /** Whether the clock has jumped far forward within the last hour, so that deletions by age must wait. */
  isAhead(): boolean;
};

export function createClockWatch({
  log,
  putRight,
  clock = systemClock,
}: {
  log: Log;
  /** Corrects stored times that are in the future. This process may start with data that contains such times. */
  putRight: () => Promise<void>;
  clock?: Clock;
}): ClockWatch {
  let last: { readonly now: number; readonly sentAt: number; readonly receivedAt: number } | undefined;
  let mayLieAhead = true;
  let heldUntil = Number.NEGATIVE_INFINITY;

  /** Returns by how many milliseconds the clock was changed. A negative value means that the clock was set back. */
  const stepOf = (now: number, sentAt: number, receivedAt: number): number => {
    if (!last) return 0;
    // The database read its clock at some time between the query and the response, so the change has a lower and an
    // upper bound.
    const behind = now - (last.now + sentAt - last.receivedAt);
    const ahead = now - (last.now + receivedAt - last.sentAt);
    if (behind < -toleranceMs) return behind;
    return ahead > toleranceMs ? ahead : 0;
  };
  return {
    async read(ask) {
      const sentAt = clock.now();
      const answer = await ask();
      const receivedAt = clock.now();
      const now = answer.now.getTime();
      const step = stepOf(now, sentAt, receivedAt);
      last = { now, sentAt, receivedAt };
      if (step !== 0) {
        const seconds = Math.round(Math.abs(step) / 100) / 10;
        log.warn(`The database's clock has stepped ${step < 0 ? "back" : "forward"}`, { seconds, now: answer.now });
      }
      if (step < 0) mayLieAhead = true;
      if (step > largeStepMs) heldUntil = clock.now() + holdMs;
      return answer;
    },
    async mend() {
      if (!last || !mayLieAhead) return;
      await putRight();
      mayLieAhead = false;
    },
    isAhead: () => clock.now() < heldUntil,
  };
}
