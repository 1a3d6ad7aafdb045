import { limits } from "../../../limits/index.ts";
import { backgroundClock, type Clock } from "../../concurrency/clock.ts";
import { type PollLoop, startPollLoop } from "../../concurrency/poll-loop.ts";
import { share } from "../../concurrency/share.ts";
import type { Log } from "../../observing/log.ts";
import { codeOf } from "../../thrown.ts";
import { boundAnswers } from "../primary/answer-bound.ts";
import { outageOf } from "../primary/outage.ts";
import type { Sql } from "../sql.ts";
import { tryWrite } from "./health.sql.ts";

/** The interval between tests of a failed database, and the minimum interval between tests on request. */
const lookMs = 1_000;
/** Background work pauses for some seconds after a failure, so an outage ends only after that work has been retried. */
const quietMs = 10_000;

/**
 * Tracks whether the database is available. Code that encounters an outage reports it to this object. One line is
 * logged when an outage begins and one when it ends, regardless of the number of failed requests and jobs.
 *
 *     available ─ an outage is reported ──────────────────────────────────→ unavailable: the cause is logged
 *     unavailable ─ the database accepts no write, tested every second ───→ unavailable
 *     unavailable ─ the outage is reported again ─────────────────────────→ unavailable: rejected requests are counted
 *     unavailable ─ writes succeed, and there was no report for a while ──→ available: the duration and the count are logged
 *     any ─ this process has closed the connections itself ───────────────→ available, because the process is ending
 */
export type OutageWatch = {
  /** Reports a failure of background work that will be retried. An error that is not an outage is logged each time. */
  failed(error: unknown): void;
  /** Reports a request that was answered with 503. An error that is not an outage is ignored. */
  refused(error: unknown): void;
  /**
   * Resolves if the database accepts writes, and rejects otherwise. The database is tested at most once a second,
   * regardless of the number of callers.
   */
  check(): Promise<void>;
};

export function createOutageWatch(sql: Sql, log: Log, clock: Clock = backgroundClock): OutageWatch {
  let current:
    | { readonly since: number; usableSince: number | undefined; refused: number; watch: PollLoop }
    | undefined;
  const answered = boundAnswers(limits.process.readinessMs);
  const look = async (): Promise<void> => {
    await answered(tryWrite(sql));
    if (!current) return;
    current.usableSince ??= clock.now();
    if (clock.now() - current.usableSince < quietMs) return;
    const seconds = Math.round((current.usableSince - current.since) / 1_000);
    log.info("The database can be used again", { seconds, refusedRequests: current.refused });
    end();
  };
  const end = (): void => {
    void current?.watch.stop();
    current = undefined;
  };
  const meet = (error: unknown, refused: number): boolean => {
    const outage = outageOf(error);
    if (!outage) return false;
    if (isOurOwnEnd(error)) return true;
    if (!current) {
      log.warn("The database cannot be used", { cause: outage.says, error: String(error) });
      const onFailure = (failure: unknown): void => {
        if (isOurOwnEnd(failure)) end();
        else if (current) current.usableSince = undefined;
      };
      const watch = startPollLoop({ everyMs: lookMs, startsWaiting: true, run: look, onFailure, clock });
      current = { since: clock.now(), usableSince: undefined, refused: 0, watch };
    }
    current.usableSince = undefined;
    current.refused += refused;
    return true;
  };
  return {
    failed(error) {
      if (!meet(error, 0)) log.error("Background work failed and will be retried", { error });
    },
    refused: (error) => void meet(error, 1),
    // All callers share one test, so a test that never ended would block them. `answered` limits its time.
    check: share(() => answered(tryWrite(sql)), { keptMs: lookMs, clock }),
  };
}

/**
 * Whether the error occurred because this process has closed the pool. A closed pool rejects new statements and aborts
 * running statements.
 */
function isOurOwnEnd(error: unknown): boolean {
  return ["CONNECTION_ENDED", "CONNECTION_DESTROYED"].includes(String(codeOf(error)));
}
