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
    summary: "Stop a model's answer",
    description:
      "Ends the call of a language model that the session's step waits for, on any node. The text so far becomes the answer, and the step " +
      "continues. Closing the connection does not stop an answer. Without a running call nothing happens.",
    host: "chat",
    act: "steps",
    auth: needsNoToken,
    answer: Type.Object({ isStopping: Type.Boolean({ description: "Whether a call was running." }) }),
    answerExample: { isStopping: true },
    errors: ["session.not_found", "origin.not_allowed"],
    handle: async (deps, { params, headers }) => ({
      isStopping: await stopAnswer(deps, params.sessionId, originsOf(headers)),
    }),
  }),
];
