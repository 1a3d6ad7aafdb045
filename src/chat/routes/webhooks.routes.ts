import { Type } from "@sinclair/typebox";
import { limits } from "../../limits/index.ts";
import { readIdempotencyKey } from "../../management/operations/idempotency.ts";
import { type Operation, operationFor } from "../../management/operations/operation.ts";
import { idPath } from "../../platform/http/schemas.ts";
import { resumeWebhook } from "../resume-webhook.ts";
import type { ChatDependencies } from "../steps/dependencies.ts";

const operation = operationFor<ChatDependencies>("Chat");

/** Errors of a webhook call that does not reach the chat waiting for it. */
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

/** Webhook calls that chats wait for. */
export const webhookOperations: Operation[] = [
  operation({
    id: "executeWebhook",
    route: "POST /api/v1/bots/:botId/blocks/:blockId/results/:resultId/executeWebhook",
    summary: "Answer a chat that listens for a call",
    description:
      "Continues the chat of this result, which waits at this `webhook` block. The block's mappings read the body as `data`; a body that has a key `data` is used as a whole.",
    host: "both",
    isCompatible: true,
    params: Type.Object({
      botId: idPath("bot.not_found"),
      blockId: Type.String({ examples: ["bl1"] }),
      resultId: idPath("result.not_found"),
    }),
    body: Type.Record(Type.String(), Type.Unknown()),
    bodyBytes: limits.request.webhookBodyBytes,
    bodyExample: { orderNumber: "A-17", isPaid: true },
    answer: Type.Object({ message: Type.String() }),
    answerExample: { message: "OK" },
    errors: [...listeningErrors, "idempotency.key_invalid", "idempotency.key_reused"],
    async handle(deps, { caller, params, body, headers, request }) {
      await resumeWebhook(deps, caller, {
        ...params,
        body,
        key: readIdempotencyKey(headers) ?? null,
        hops: deps.hops.read(request),
      });
      return { message: "OK" };
    },
  }),
];
