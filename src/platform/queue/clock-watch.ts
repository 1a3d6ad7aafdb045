import { type Clock, systemClock } from "../concurrency/clock.ts";
import type { Log } from "../observing/log.ts";

/** The time between two readings is known with this precision: clocks that are only corrected drift by less. */
const toleranceMs = 1_000;
/**
 * After a step forward of more than this, removals by age pause for an hour: an entry that looks old may be a minute
 * old.
 */
const largeStepMs = 60_000;
const holdMs = 3_600_000;

/**
 * Notices when the database's clock steps: corrected by hand or by its machine, or that of a stand-by that was
 * promoted. Each reading is compared with the one before and with the time that passed here in between, by a clock that
 * never steps.
 *
 *     unread ─ a reading ──────────────────────────────────────────────→ read; times in the future are corrected, at the start
 *     read ─ a reading that fits the time passed here ─────────────────→ read
 *     read ─ a reading of before that ─────────────────────────────────→ read again: logged once, and times in the old future are corrected
 *     read ─ a reading of after that ──────────────────────────────────→ read again: logged once; a large step holds the clean-ups for an hour
 *     any ─ the correction fails ──────────────────────────────────────→ the same: tried again after the next reading
 *
 * A machine that slept sees a step forward, too: its own clock stood still meanwhile.
 */
export type ClockWatch = {
  /** Runs a question whose answer contains the database's clock. */
  read<Answer extends { readonly now: Date }>(ask: () => Promise<Answer>): Promise<Answer>;
  /**
   * Corrects stored times after a step, if there was one. The reader calls this last, so that work which does not need
   * corrected times comes first.
   */
  mend(): Promise<void>;
  /** Whether the clock has stepped far forward within the last hour, so that removals by age must wait. */
  isAhead(): boolean;
};

export function createClockWatch({
  log,
  putRight,
  clock = systemClock,
}: {
  log: Log;
  /**
   * Corrects stored times that the clock has not reached yet: the data that this process starts with may contain such
   * times, too.
   */
  putRight: () => Promise<void>;
  clock?: Clock;
}): ClockWatch {
  let last: { readonly now: number; readonly sentAt: number; readonly receivedAt: number } | undefined;
  let mayLieAhead = true;
  let heldUntil = Number.NEGATIVE_INFINITY;

  /** How far the clock has stepped, in milliseconds; a negative value is a step back. */
  const stepOf = (now: number, sentAt: number, receivedAt: number): number => {
    if (!last) return 0;
    // The database answered at some moment between the question and the answer, as both clocks show.
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
