import { limits } from "../../../limits/index.ts";

/** Nothing came back for a statement in its time. Whether it was done is unknown. */
class NoAnswerError extends Error {
  override readonly name = "NoAnswerError";
  readonly code = "ETIMEDOUT";

  constructor(ms: number) {
    super(`The database has not answered within ${ms} ms`);
  }
}

/** What a statement comes to, or a failure once it has waited too long. What comes later is ignored. */
export type AnswerBound = <Value>(statement: PromiseLike<Value>) => Promise<Value>;

/**
 * For background work, which nobody waits for: a connection whose other end is gone without a word, or a server process that stands still,
 * would keep it waiting until the system gives the connection up, a quarter of an hour later, or for ever. It fails instead, as in any
 * outage, and is tried again: another connection may do. The one that is silent stays open, since it may be that of a long statement.
 */
export function boundAnswers(ms: number = limits.database.answerMs): AnswerBound {
  return async (statement) => {
    const { promise, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(new NoAnswerError(ms)), ms);
    try {
      return await Promise.race([statement, promise]);
    } finally {
      clearTimeout(timer);
    }
  };
}
