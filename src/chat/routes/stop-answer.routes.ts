import { Type } from "@sinclair/typebox";
import { needsNoToken } from "../../management/operations/authentication.ts";
import { type Operation, operationFor } from "../../management/operations/operation.ts";
import { originsOf } from "../../management/operations/origins.ts";
import type { ChatDependencies } from "../steps/dependencies.ts";
import { stopAnswer } from "../stop-answer.ts";

const operation = operationFor<ChatDependencies>("Chat");

/** Stopping a model's answer while it is being written. */
export const stopAnswerOperations: readonly Operation[] = [
  operation({
    id: "stopAnswer",
    route: "POST /api/v1/sessions/:sessionId/stopAnswer",
    summary: "Stop an answer that is being written",
    description:
      "Ends the call of a language model that the session's step waits for, on whichever node: the text so far is the answer, and the step " +
      "goes on. To close the connection that an answer comes by stops nothing. Where no answer is under way nothing happens.",
    host: "chat",
    act: "steps",
    auth: needsNoToken,
    answer: Type.Object({ isStopping: Type.Boolean({ description: "Whether an answer was under way." }) }),
    answerExample: { isStopping: true },
    errors: ["session.not_found", "origin.not_allowed"],
    handle: async (deps, { params, headers }) => ({
      isStopping: await stopAnswer(deps, params.sessionId, originsOf(headers)),
    }),
  }),
];
