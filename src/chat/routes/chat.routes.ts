import { type Static, Type } from "@sinclair/typebox";
import { suppliedFlow } from "../../compatibility/requests.ts";
import type { Dialect } from "../../core/flow/dialect.ts";
import { startPlaceSchemas } from "../../core/interpreter/program/message.ts";
import type { ErrorCode } from "../../errors.ts";
import { limits } from "../../limits/index.ts";
import { SuppliedFlow } from "../../management/bots/supplied-flow.ts";
import { mayHaveToken, needsNoToken } from "../../management/operations/authentication.ts";
import { readIdempotencyKey } from "../../management/operations/idempotency.ts";
import { type Operation, operationFor } from "../../management/operations/operation.ts";
import { originsOf } from "../../management/operations/origins.ts";
import { createReportPrefilled } from "../../platform/http/ignored.ts";
import { jsonAnswer } from "../../platform/http/json-answer.ts";
import { continueChat } from "../continue-chat.ts";
import { listeningRevision, waitForWebhook, withHeldReport, withReport } from "../existing-clients/listening.ts";
import { softenedStep } from "../existing-clients/softened-steps.ts";
import { takeBehindStream } from "../existing-clients/streamed-steps.ts";
import type { FirstRequest } from "../new-session.ts";
import { previewChat, takePreviewTurn } from "../preview-chat.ts";
import { readSession } from "../sessions.ts";
import { startChat } from "../start-chat.ts";
import type { ChatAnswer } from "../steps/answers-under-way.ts";
import type { ChatDependencies } from "../steps/dependencies.ts";
import {
  afterRevision,
  ContentFormat,
  History,
  Message,
  PrefilledVariables,
  StartedChat,
  StartedPreview,
  Step,
  startedBotExample,
  stepEvents,
  stepExample,
} from "./chat-schemas.ts";
import { clientLogOperations } from "./client-logs.routes.ts";
import { stepAnswer } from "./step-answer.routes.ts";

const operation = operationFor<ChatDependencies>("Chat");

const exampleId = "06ey3k2m5q8r1t4v7x0z9w2b5d";
export const startErrors: ErrorCode[] = [
  "idempotency.key_invalid",
  "idempotency.key_too_short",
  "idempotency.key_reused",
  "session.busy",
  "command.not_found",
  "step.over_budget",
  "step.too_many_starts",
  "server.overloaded",
  "server.save_in_doubt",
];
export const sessionErrors: ErrorCode[] = ["session.not_found", "session.expired", "origin.not_allowed"];

export const streaming =
  " With `Accept: text/event-stream`, a step that takes time is answered with the events `said`, `delta` and `restart`, and at the end `step`, which contains " +
  "the normal response, or `error`. A step that ends within a second without a `delta` gets a JSON response.";

export const startBody = {
  message: Type.Optional({
    ...Message,
    description:
      "The visitor's first message. It answers the first input if the bot shows nothing before that input, and if the input does not ask for a choice (buttons, pictures or cards), ranking, matrix, signature or payment. Otherwise it is dropped, and the result's log says so.",
  }),
  isStreamEnabled: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        "On a compatible path: whether the client requests a model's answer with `streamMessage` after a stream action. On other paths it has no effect.",
    }),
  ),
  isOnlyRegistering: Type.Optional(
    Type.Boolean({
      default: false,
      description: "Whether to create the session without running the flow. The first reply then starts the flow.",
    }),
  ),
  prefilledVariables: Type.Optional(PrefilledVariables),
  textBubbleContentFormat: Type.Optional(ContentFormat),
};
const StartBody = Type.Object(startBody);

/** Operations to start, continue and read chats, and to store logs of their clients. */
export const chatOperations: Operation[] = [
  operation({
    id: "startChat",
    route: "POST /api/v1/bots/:botId/startChat",
    description: `\`botId\` is the bot's public id. Creates a session and a result, and runs the first step.${streaming}`,
    host: "chat",
    act: "starts",
    isCompatible: true,
    auth: needsNoToken,
    params: Type.Object({
      botId: Type.String({ description: "The bot's `publicId`.", examples: ["lead-generation-x0z9w2b"] }),
    }),
    body: Type.Object({
      ...startBody,
      resultId: Type.Optional(
        Type.Union([Type.String(), Type.Null()], {
          description: "Id of the result to continue. It has an effect only if the bot remembers its visitors.",
        }),
      ),
      shown: Type.Optional(
        Type.String({
          description:
            "For the chat page only: the first step that the page already shows, sealed for this request's `Idempotency-Key`. The start runs that step again, with the same random values, clock and version. Other values have no effect, and the field has no effect on a compatible path.",
        }),
      ),
    }),
    bodyBytes: limits.request.chatBodyBytes,
    answer: StartedChat,
    answerExample: { revision: 1, sessionId: exampleId, resultId: exampleId, bot: startedBotExample, ...stepExample },
    answerEvents: stepEvents,
    errors: ["bot.not_found", "bot.closed", "workspace.suspended", "origin.not_allowed", ...startErrors],
    isStep: true,
    handle: async (deps, { params, body, ...input }) =>
      startAnswer(deps, { ...input, body, route: "/api/v1/bots/:botId/startChat" }, (first) =>
        startChat(deps, {
          ...first,
          publicId: params.botId,
          resultId: body.resultId ?? null,
          ...(input.dialect === "bot" && body.shown !== undefined && { shown: body.shown }),
          origins: originsOf(input.headers),
          admission: input.admission,
        }),
      ),
  }),
  operation({
    id: "startPreview",
    route: "POST /api/v1/bots/:botId/preview/startChat",
    description:
      "Runs the bot's draft (with a token that may read it), or the flow in `bot`. Without a token that may write the bot, a supplied flow runs without credentials, outgoing calls and effects. A preview creates no result." +
      streaming,
    host: "chat",
    isForBuilder: true,
    act: "previews",
    isCompatible: true,
    auth: mayHaveToken,
    params: Type.Object({
      botId: Type.String({
        description: "Id of the bot. If you supply a flow without a token, this can be any text.",
        examples: [exampleId],
      }),
    }),
    body: Type.Object({
      ...startBody,
      bot: Type.Optional(SuppliedFlow),
      startFrom: Type.Optional(
        Type.Union([...startPlaceSchemas, Type.Null()], {
          description: "The object at which the preview starts. Defaults to the flow's start.",
        }),
      ),
      isTraced: Type.Optional(
        Type.Boolean({
          default: false,
          description:
            "Whether to record a trace of each step: `GET /api/v1/sessions/{sessionId}/trace`. Requires a token that may read the bot, or write it if you supply a flow.",
        }),
      ),
    }),
    bodyBytes: (caller) =>
      (caller ? limits.flow.suppliedBytes : limits.flow.anonymousBytes) + limits.request.chatBodyBytes,
    answer: StartedPreview,
    answerExample: {
      revision: 1,
      sessionId: exampleId,
      bot: { ...startedBotExample, publishedAt: "2026-08-22T06:05:06.000Z" },
      ...stepExample,
    },
    answerEvents: stepEvents,
    errors: [
      "bot.not_found",
      "workspace.suspended",
      "flow.start_group_not_found",
      "flow.start_event_not_found",
      "flow.start_block_not_found",
      "token.scope",
      "workspace.forbidden",
      "bot.archived",
      ...startErrors,
    ],
    isStep: true,
    takeTurn: async (deps, { caller, address }) => (caller ? () => {} : takePreviewTurn(deps, address)),
    handle: async (deps, { caller, params, body, admission, ...input }) =>
      startAnswer(deps, { ...input, body, route: "/api/v1/bots/:botId/preview/startChat" }, (first) =>
        previewChat(deps, caller, {
          ...first,
          address: admission.address,
          ownAddress: admission.ownAddress(),
          botId: params.botId,
          flow: suppliedFlow(first.dialect, body.bot),
          startFrom: body.startFrom ?? undefined,
          isTraced: body.isTraced ?? false,
        }),
      ),
  }),
  operation({
    id: "continueChat",
    route: "POST /api/v1/sessions/:sessionId/continueChat",
    description:
      "If the open input rejects the reply, the response asks again, with status 200. Concurrent requests run one after another. In " +
      "chats that started on a compatible path, most errors of requests without an Idempotency-Key are returned as a bubble with the same input." +
      streaming,
    host: "chat",
    isForBuilder: true,
    act: "steps",
    auth: needsNoToken,
    body: Type.Object({
      message: Type.Optional(Message),
      textBubbleContentFormat: Type.Optional(ContentFormat),
      afterRevision: afterRevision(
        "The number of the last step that you received: `revision` of its response. If the chat has continued since, for example in another tab or because a time limit expired, the " +
          "reply is rejected with `session.moved_on`. `data.steps` then has the later steps, `data.revision` the number of the last step, and `data.isStillAsked` says whether the question " +
          "of your step has stayed open. Without `afterRevision`, a chat whose time limit expired first returns the later steps, and accepts the reply only if the same input is still open.",
      ),
    }),
    bodyBytes: limits.request.chatBodyBytes,
    answer: Step,
    answerExample: { ...stepExample, revision: 2, lastMessageNewFormat: "ana@example.com" },
    answerEvents: stepEvents,
    errors: [
      ...sessionErrors,
      "session.ended",
      "session.moved_on",
      "session.busy",
      "workspace.suspended",
      "command.not_found",
      "idempotency.key_invalid",
      "idempotency.key_reused",
      "step.over_budget",
      "server.overloaded",
      "server.save_in_doubt",
      "server.newer_state",
    ],
    isStep: true,
    soften: async (deps, error, { request, params }) => {
      // A client that sends an idempotency key handles errors itself.
      if (request.headers.has("idempotency-key")) return undefined;
      const sessionId = String(params["sessionId"]);
      const step = await softenedStep(deps, error, { sessionId, isRelay: !request.headers.has("origin") });
      return step && jsonAnswer(await withHeldReport(deps, sessionId, JSON.stringify(step)));
    },
    handle: async (deps, { params: { sessionId }, body, headers, answerHeaders, request }) => {
      const origins = originsOf(headers);
      const revision = listeningRevision(body.message);
      const webhookResponse =
        revision !== undefined &&
        (await waitForWebhook(deps, { sessionId, revision, origins, signal: request.signal }));
      if (webhookResponse) return jsonAnswer(webhookResponse);
      const asked = { request, answerHeaders, route: "/api/v1/sessions/:sessionId/continueChat" };
      return stepAnswer(deps, asked, async (reader) => {
        const reply = {
          sessionId,
          message: body.message,
          contentFormat: body.textBubbleContentFormat ?? "richText",
          key: readIdempotencyKey(headers) ?? null,
          origins,
          hops: deps.hops.read(request),
          afterRevision: body.afterRevision,
          ...(body.afterRevision === undefined && { sender: "unaware" as const }),
          reader,
        };
        const take = () => continueChat(deps, reply);
        let answer: ChatAnswer;
        try {
          answer = await take();
        } catch (error) {
          answer = await takeBehindStream(deps, error, { sessionId, signal: request.signal, take });
        }
        const response = withHeldReport(deps, sessionId, answer.response);
        return response === answer.response ? answer : { ...answer, response: await response };
      });
    },
  }),
  operation({
    id: "getSession",
    route: "GET /api/v1/sessions/:sessionId",
    host: "chat",
    isForBuilder: true,
    act: "steps",
    auth: needsNoToken,
    answer: Type.Object({ session: History }),
    answerExample: {
      session: {
        id: exampleId,
        resultId: exampleId,
        createdAt: "2026-08-22T06:05:06.000Z",
        revision: 1,
        expiresAt: "2026-08-23T06:06:00.000Z",
        isEnded: false,
        bot: startedBotExample,
        steps: [
          {
            revision: 1,
            createdAt: "2026-08-22T06:05:06.000Z",
            reply: null,
            messages: stepExample.messages,
            clientSideActions: [],
          },
        ],
        input: stepExample.input,
        progress: 50,
      },
    },
    errors: sessionErrors,
    async handle(deps, { params, headers, answerHeaders }) {
      const session = await readSession(deps, params.sessionId, originsOf(headers));
      answerHeaders["Cache-Control"] = "no-store";
      return jsonAnswer(JSON.stringify({ session }));
    },
  }),
  ...clientLogOperations,
];

type Started = Parameters<typeof stepAnswer>[1] & {
  readonly headers: Headers;
  readonly dialect: Dialect;
  readonly body: Static<typeof StartBody>;
};

/** Responds with the first step of a chat. `take` receives the parameters that all chats share. */
export function startAnswer(
  deps: ChatDependencies,
  { dialect, body, headers, ...asked }: Started,
  take: (first: FirstRequest) => Promise<ChatAnswer>,
): ReturnType<typeof stepAnswer> {
  return stepAnswer(deps, asked, async (reader) => {
    const answer = await take({
      message: body.message,
      isStreamEnabled: body.isStreamEnabled ?? false,
      isOnlyRegistering: body.isOnlyRegistering ?? false,
      prefilledVariables: body.prefilledVariables ?? {},
      reportPrefilled: createReportPrefilled(headers, asked.answerHeaders),
      contentFormat: body.textBubbleContentFormat ?? "richText",
      key: readIdempotencyKey(headers, { minimum: limits.idempotency.startKeyMinCharacters }) ?? null,
      hops: deps.hops.read(asked.request),
      reader,
      dialect,
    });
    return dialect === "typebot" ? { ...answer, response: withReport(answer.response, 1) } : answer;
  });
}
