import { limits } from "../../../limits/index.ts";
import { within } from "../../concurrency/within.ts";

/** Thrown when a statement was not answered in time. The statement may or may not have been executed. */
class NoAnswerError extends Error {
  override readonly name = "NoAnswerError";
  readonly code = "ETIMEDOUT";
  readonly isConnectionLost = true;

  constructor(ms: number) {
    super(`The database has not responded within ${ms} ms`);
  }
}

/** Returns the result of a statement, or rejects after a time limit. A later result is ignored. */
export type AnswerBound = <Value>(statement: PromiseLike<Value>) => Promise<Value>;

/**
 * Limits the time of statements in background work, which no request waits for. If a peer disappears without notice or
 * the server process hangs, a statement would wait until the system closes the connection. This takes a quarter of an
 * hour or never happens. With the limit, the statement fails as in any outage and is retried, perhaps on another
 * connection. The silent connection stays open, because it may belong to a long statement.
 */
export function boundAnswers(ms: number = limits.database.answerMs): AnswerBound {
  return (statement) =>
    within(ms, statement, () => {
      throw new NoAnswerError(ms);
    });
}
