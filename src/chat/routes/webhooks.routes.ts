import { Type } from "@sinclair/typebox";
import { limits } from "../../limits/index.ts";
import { readIdempotencyKey } from "../../management/operations/idempotency.ts";
import { type Operation, operationFor } from "../../management/operations/operation.ts";
import { idPath } from "../../platform/http/schemas.ts";
import { resumeWebhook } from "../callbacks/callbacks.ts";
import type { ChatDependencies } from "../steps/dependencies.ts";

const operation = operationFor<ChatDependencies>("Chat");

/** Errors of operations that pass a call to a waiting chat. */
export const listeningErrors = [
  "workspace.forbidden",
  "workspace.suspended",
  "session.not_found",
  "session.ended",
  "session.expired",
  "session.busy",
  "step.over_budget",
  "server.overloaded",
  "server.save_in_doubt",
  "server.newer_state",
] as const;

/** The response to a webhook call. */
export const CallAnswer = Type.Object({
  message: Type.String({ description: "`OK`." }),
  isWaiting: Type.Optional(
    Type.Literal(true, {
      description: `True if the chat has not reached this block yet. The call then waits for the chat for ${limits.earlyCalls.seconds} seconds. Absent if the chat continued.`,
    }),
  ),
});

/** Operations that receive the webhook calls for which chats wait. */
export const webhookOperations: Operation[] = [
  operation({
    id: "executeWebhook",
    route: "POST /api/v1/bots/:botId/blocks/:blockId/results/:resultId/executeWebhook",
    host: "both",
    isCompatible: true,
    params: Type.Object({
      botId: idPath("bot.not_found"),
      blockId: Type.String({ examples: ["bl1"] }),
      resultId: idPath("result.not_found"),
    }),
    body: Type.Record(Type.String(), Type.Unknown()),
    bodyBytes: limits.request.webhookBodyBytes,
    answer: CallAnswer,
    errors: [...listeningErrors, "idempotency.key_invalid", "idempotency.key_reused"],
    async handle(deps, { caller, params, body, headers, request }) {
      const { isWaiting } = await resumeWebhook(deps, caller, {
        ...params,
        body,
        key: readIdempotencyKey(headers) ?? null,
        hops: deps.hops.read(request),
      });
      return { message: "OK", ...(isWaiting && { isWaiting }) };
    },
  }),
];
