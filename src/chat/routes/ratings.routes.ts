import { Type } from "@sinclair/typebox";
import { limits } from "../../limits/index.ts";
import { needsNoToken } from "../../management/operations/authentication.ts";
import { type Operation, operationFor } from "../../management/operations/operation.ts";
import { originsOf } from "../../management/operations/origins.ts";
import { rateAnswer } from "../ratings/rate-answer.ts";
import type { ChatDependencies } from "../steps/dependencies.ts";
import { RatingSchema, ratingFields } from "./chat-schemas.ts";

const operation = operationFor<ChatDependencies>("Chat");

/** Operations that rate the answers of models. */
export const ratingOperations: readonly Operation[] = [
  operation({
    id: "rateAnswer",
    route: "POST /api/v1/sessions/:sessionId/rating",
    host: "chat",
    isForBuilder: true,
    act: "ratings",
    auth: needsNoToken,
    body: Type.Object({
      blockId: ratingFields.blockId,
      revision: ratingFields.revision,
      isGood: Type.Union([Type.Boolean(), Type.Null()], {
        description: "Whether the answer is good; null removes the rating.",
      }),
      words: Type.Optional(
        Type.Union([Type.String({ maxLength: limits.ratings.wordsCharacters }), Type.Null()], {
          description: "The visitor's comment on the rating. It replaces the previous comment.",
        }),
      ),
    }),
    bodyBytes: limits.ratings.bytes,
    answer: Type.Object({ rating: RatingSchema }),
    errors: ["session.not_found", "session.expired", "origin.not_allowed", "rating.not_offered", "rating.no_answer"],
    handle: async (deps, { params: { sessionId }, body: { words, ...rated }, headers }) => ({
      rating: await rateAnswer(deps, { sessionId, ...rated, words: words ?? "", origins: originsOf(headers) }),
    }),
  }),
];
