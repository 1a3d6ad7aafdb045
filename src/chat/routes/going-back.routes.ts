import { Type } from "@sinclair/typebox";
import { limits } from "../../limits/index.ts";
import { needsNoToken } from "../../management/operations/authentication.ts";
import { readIdempotencyKey } from "../../management/operations/idempotency.ts";
import { type Operation, operationFor } from "../../management/operations/operation.ts";
import { originsOf } from "../../management/operations/origins.ts";
import { goBack } from "../go-back.ts";
import type { ChatDependencies } from "../steps/dependencies.ts";
import { tryAgain } from "../try-again.ts";
import { sessionErrors, streaming } from "./chat.routes.ts";
import { afterRevision, ContentFormat, Step, StepBack, stepEvents, stepExample } from "./chat-schemas.ts";
import { stepAnswer, wholeAnswer } from "./step-answer.routes.ts";

const operation = operationFor<ChatDependencies>("Chat");

/**
 * Operations that go back to the last answer, so that the visitor can change the answer or get another answer from the
 * bot.
 */
export const goingBackOperations: Operation[] = [
  operation({
    id: "goBack",
    route: "POST /api/v1/sessions/:sessionId/goBack",
    host: "chat",
    isForBuilder: true,
    act: "steps",
    auth: needsNoToken,
    body: Type.Object({
      afterRevision: afterRevision(
        "The number of the last step that you received. If the chat has continued since, the chat does not go back, and the response is `session.moved_on`, as for a reply.",
      ),
    }),
    bodyBytes: limits.request.chatBodyBytes,
    answer: StepBack,
    answerExample: {
      ...stepExample,
      revision: 3,
      messages: [],
      takenBack: { steps: 1, reply: { type: "text", text: "No" } },
    },
    errors: [
      ...sessionErrors,
      "session.go_back_not_allowed",
      "session.nothing_before",
      "session.moved_on",
      "payment.made",
      "payment.provider_failed",
      "session.busy",
      "workspace.suspended",
      "idempotency.key_invalid",
      "idempotency.key_reused",
      "server.overloaded",
      "server.save_in_doubt",
      "server.newer_state",
    ],
    isStep: true,
    handle: async (deps, { params: { sessionId }, body, headers, answerHeaders, request }) =>
      wholeAnswer(
        answerHeaders,
        await goBack(deps, {
          sessionId,
          key: readIdempotencyKey(headers) ?? null,
          origins: originsOf(headers),
          hops: deps.hops.read(request),
          afterRevision: body.afterRevision,
        }),
      ),
  }),
  operation({
    id: "tryAgain",
    route: "POST /api/v1/sessions/:sessionId/tryAgain",
    description:
      "Goes back to the last answer and sends it again, to get another answer of the model. Requires the bot's `settings.answers.canTryAgain` and `settings.general.isGoBackEnabled`, " +
      "and a last step without effects other than calls of models: its response has `canTryAgain: true`. The new calls of models count against their budgets." +
      streaming,
    host: "chat",
    isForBuilder: true,
    act: "steps",
    auth: needsNoToken,
    body: Type.Object({
      textBubbleContentFormat: Type.Optional(ContentFormat),
      afterRevision: afterRevision(
        "The number of the step whose reply is sent again. If the chat has continued since, nothing is repeated, and the response is `session.moved_on`, as for a reply. A repeated request with the same " +
          "key gets the first response again.",
      ),
    }),
    bodyBytes: limits.request.chatBodyBytes,
    answer: Step,
    answerExample: { ...stepExample, revision: 4, canTryAgain: true },
    answerEvents: stepEvents,
    errors: [
      ...sessionErrors,
      "session.go_back_not_allowed",
      "session.nothing_to_repeat",
      "payment.made",
      "payment.provider_failed",
      "session.moved_on",
      "session.busy",
      "workspace.suspended",
      "idempotency.key_invalid",
      "idempotency.key_reused",
      "step.over_budget",
      "server.overloaded",
      "server.save_in_doubt",
      "server.newer_state",
    ],
    isStep: true,
    handle: async (deps, { params: { sessionId }, body, headers, answerHeaders, request }) =>
      stepAnswer(deps, { request, answerHeaders, route: "/api/v1/sessions/:sessionId/tryAgain" }, (reader) =>
        tryAgain(deps, {
          sessionId,
          contentFormat: body.textBubbleContentFormat ?? "richText",
          key: readIdempotencyKey(headers) ?? null,
          origins: originsOf(headers),
          hops: deps.hops.read(request),
          afterRevision: body.afterRevision,
          reader,
        }),
      ),
  }),
];
