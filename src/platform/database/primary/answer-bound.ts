import { limits } from "../../../limits/index.ts";
import { within } from "../../concurrency/within.ts";

/** A statement was not answered in time. Whether it was executed is unknown. */
class NoAnswerError extends Error {
  override readonly name = "NoAnswerError";
  readonly code = "ETIMEDOUT";
  readonly isConnectionLost = true;

  constructor(ms: number) {
    super(`The database has not answered within ${ms} ms`);
  }
}

/** The result of a statement, or a failure once it has waited too long. A later result is ignored. */
export type AnswerBound = <Value>(statement: PromiseLike<Value>) => Promise<Value>;

/**
 * For background work, which no request waits for. If the other end of a connection disappears without notice, or the
 * server process hangs, a statement would wait until the system closes the connection, a quarter of an hour later, or
 * forever. It fails instead, as in any outage, and is retried, perhaps on another connection. The silent connection
 * stays open, since it may belong to a long statement.
 */
export function boundAnswers(ms: number = limits.database.answerMs): AnswerBound {
  return (statement) =>
    within(ms, statement, () => {
      throw new NoAnswerError(ms);
    });
}
