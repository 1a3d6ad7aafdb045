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

/** The interval at which a database that failed is tried again, and the least time between tries on request. */
const lookMs = 1_000;
/** Background work pauses for some seconds after a failure: an outage is over once that work has also been retried. */
const quietMs = 10_000;

/**
 * This process' knowledge of whether the database can be used: code that meets an outage reports it here. One line is
 * logged when an outage begins and one when it is over, however many requests and jobs fail in between.
 *
 *     usable ─ an outage is reported ─────────────────────────────────→ out: logged, with the cause
 *     out ─ every second: the database takes no write ────────────────→ out
 *     out ─ it is reported again ─────────────────────────────────────→ out: refused requests are counted
 *     out ─ writes succeed, and it was not reported for a while ──────→ usable: logged, with the duration and the count
 *     any ─ this process has closed the connections itself ───────────→ usable: it ends
 */
export type OutageWatch = {
  /** Background work failed, and will be retried. An error that is not an outage is logged each time. */
  failed(error: unknown): void;
  /** A request was answered with 503; an error that is not an outage is ignored. */
  refused(error: unknown): void;
  /** Resolves when the database accepts writes. However many callers there are, it is tried once a second. */
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
      if (!meet(error, 0)) log.error("Background work failed and will be tried again", { error });
    },
    refused: (error) => void meet(error, 1),
    // Callers during a try share its outcome, which might never come without a bound.
    check: share(() => answered(tryWrite(sql)), { keptMs: lookMs, clock }),
  };
}

/** A closed pool refuses statements, or cuts them off. */
function isOurOwnEnd(error: unknown): boolean {
  return ["CONNECTION_ENDED", "CONNECTION_DESTROYED"].includes(String(codeOf(error)));
}
