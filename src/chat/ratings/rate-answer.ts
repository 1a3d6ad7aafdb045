import { readInputs } from "../../core/replay/inputs.ts";
import { AppError } from "../../errors.ts";
import type { Origins } from "../../management/access/origins.ts";
import { saveRating } from "../../management/ratings/ratings.sql.ts";
import { openSession } from "../sessions.ts";
import type { ChatDependencies } from "../steps/dependencies.ts";
import { findRatable } from "./ratable-answers.sql.ts";

/** A visitor's rating of a model's answer. */
export type RatingRequest = {
  readonly sessionId: string;
  readonly blockId: string;
  readonly revision: number;
  /** Null removes the rating. */
  readonly isGood: boolean | null;
  readonly words: string;
  readonly origins: Origins;
};

/**
 * Stores a visitor's rating of a model's answer, even after the chat has ended. A later rating replaces an earlier
 * rating, and a rating is not a step. A preview has no result, so its ratings are checked but not stored. Throws
 * `rating.not_offered` if the bot accepts no ratings, and `rating.no_answer` if the bubble shows no answer or was
 * undone.
 */
export async function rateAnswer(deps: ChatDependencies, { origins, isGood, words, ...bubble }: RatingRequest) {
  const session = await openSession(deps, bubble.sessionId, origins);
  if (session.isExpired) throw new AppError("session.expired");
  const { resultId, botId, flowHash } = session;
  const { isRated, inputs } = await findRatable(deps.sql, { ...bubble, botId, flowHash });
  if (!isRated) throw new AppError("rating.not_offered");
  if (inputs === null) throw new AppError("rating.no_answer");
  const rating = isGood === null ? null : { isGood, words: words.trim() || null };
  const linkedResultId = linkedResultIn(inputs, bubble.blockId);
  if (resultId !== null && !(await saveRating(deps.sql, bubble, { resultId, linkedResultId, botId, rating }))) {
    throw new AppError("session.not_found");
  }
  const { blockId, revision } = bubble;
  return { blockId, revision, isGood, words: rating?.words ?? null };
}

/**
 * Returns the id of the linked bot's result in which this block last answered, according to the step's inputs. Returns
 * null if the block belongs to no linked bot.
 */
function linkedResultIn(inputs: string, blockId: string): string | null {
  if (inputs === "") return null;
  return readInputs(inputs).linkedAnswers?.findLast(([id]) => id === blockId)?.[1] ?? null;
}
