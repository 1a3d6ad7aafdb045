import { limits } from "../../../limits/index.ts";
import { backgroundClock, type Clock } from "../../concurrency/clock.ts";
import { type PollLoop, startPollLoop } from "../../concurrency/poll-loop.ts";
import { share } from "../../concurrency/share.ts";
import type { Log } from "../../observing/log.ts";
import { boundAnswers } from "../primary/answer-bound.ts";
import { outageOf } from "../primary/outage.ts";
import type { Sql } from "../sql.ts";
import { tryWrite } from "./health.sql.ts";

/** How often a database that failed is asked again, and how often it is at most because somebody asks. */
const lookMs = 1_000;
/** Background work pauses for some seconds after a failure: an outage is over when that has been tried again, too. */
const quietMs = 10_000;

/**
 * What this process knows of whether the database can be used: whoever meets an outage says so here. One line is logged when it
 * begins and one when it is over, however many requests and jobs fail between.
 *
 *     usable ─ somebody meets an outage ──────────────────────────────→ out: logged, with the cause
 *     out ─ every second: the database takes no write ────────────────→ out
 *     out ─ somebody meets it, too ───────────────────────────────────→ out: refused requests are counted
 *     out ─ writes have been taken and nobody has met it for a while ─→ usable: logged, with the duration and the count
 *     any ─ this process has closed the connections itself ───────────→ usable: it ends
 */
export type OutageWatch = {
  /** Background work failed, and will be tried again. What is no outage is logged each time. */
  failed(error: unknown): void;
  /** A request was answered with 503; what is no outage is ignored. */
  refused(error: unknown): void;
  /** Resolves when the database takes writes. However many ask, it is tried once a second. */
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
    // Whoever asks while it is tried gets what that comes to: without a bound it could be nothing, for ever.
    check: share(() => answered(tryWrite(sql)), { keptMs: lookMs, clock }),
  };
}

/** A pool that was ended refuses statements, or cuts them off. */
function isOurOwnEnd(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return code === "CONNECTION_ENDED" || code === "CONNECTION_DESTROYED";
}
