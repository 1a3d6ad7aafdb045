import { Type } from "@sinclair/typebox";
import { limits } from "../../limits/index.ts";
import { needsNoToken } from "../../management/operations/authentication.ts";
import { type Operation, operationFor } from "../../management/operations/operation.ts";
import { originsOf } from "../../management/operations/origins.ts";
import type { ChatDependencies } from "../steps/dependencies.ts";
import { stopAnswer } from "../stop-answer.ts";
import { afterRevision } from "./chat-schemas.ts";

const operation = operationFor<ChatDependencies>("Chat");

/** Operations that stop a model's answer while it is generated. */
export const stopAnswerOperations: readonly Operation[] = [
  operation({
    id: "stopAnswer",
    route: "POST /api/v1/sessions/:sessionId/stopAnswer",
    host: "chat",
    act: "steps",
    auth: needsNoToken,
    body: Type.Object({
      afterRevision: afterRevision(
        "The number of the last saved step. Only the step after it is stopped. Without this field, any running step is stopped.",
      ),
    }),
    bodyBytes: limits.request.chatBodyBytes,
    answer: Type.Object({ isStopping: Type.Boolean({ description: "Whether a step with calls was running." }) }),
    errors: ["session.not_found", "origin.not_allowed"],
    handle: async (deps, { params: { sessionId }, body, headers }) => ({
      isStopping: await stopAnswer(deps, { sessionId, origins: originsOf(headers), afterRevision: body.afterRevision }),
    }),
  }),
];
