import { Type } from "@sinclair/typebox";
import { limits } from "../../limits/index.ts";
import { exampleRequest, listHttpBlocks, setHttpAddress } from "../../management/bots/http-blocks.ts";
import { readIdempotencyKey } from "../../management/operations/idempotency.ts";
import { type Operation, operationFor } from "../../management/operations/operation.ts";
import { described, idPath, nullable, resource } from "../../platform/http/schemas.ts";
import { resumePreviewWebhook } from "../resume-webhook.ts";
import type { ChatDependencies } from "../steps/dependencies.ts";
import { testCall } from "../test-call.ts";
import { listeningErrors } from "./webhooks.routes.ts";

const operation = operationFor<ChatDependencies>("HTTP blocks");

const BlockPath = Type.Object({ botId: idPath("bot.not_found"), blockId: Type.String({ examples: ["bl1"] }) });

const HttpBlockSchema = resource(
  "HttpBlock",
  {
    id: Type.String(),
    groupId: Type.String(),
    type: Type.String({ description: "`Webhook`, `Zapier`, `Make.com` or `Pabbly`." }),
    label: Type.String({ description: "The title of its group, and its id." }),
    url: described(nullable(Type.String()), "Where it sends them; null until it has an address."),
  },
  "A block of a draft that sends requests.",
  {
    id: "order",
    groupId: "checkout",
    type: "Zapier",
    label: "Checkout > order",
    url: "https://hooks.zapier.com/hooks/catch/1/abc",
  },
);

const HttpAddress = Type.String({
  maxLength: limits.fields.addressCharacters,
  pattern: "^https?://\\S+$",
  expected: "an http or https address",
});

const readErrors = ["workspace.suspended", "block.not_found"] as const;
const writeErrors = [
  "workspace.suspended",
  "workspace.forbidden",
  "bot.archived",
  "bot.conflict",
  "block.not_found",
] as const;

const Headers = Type.Array(
  Type.Object({
    name: Type.String({ description: "Its name, as it came." }),
    value: Type.String({
      description: "Its value, with the names of secrets in their place; the beginning, where it is long.",
    }),
  }),
);

const VariableValue = Type.Union([Type.String(), Type.Array(nullable(Type.String()))]);

export const httpBlockOperations: readonly Operation[] = [
  operation({
    id: "listHttpBlocks",
    route: "GET /api/v1/bots/:botId/webhookBlocks",
    summary: "List the blocks of a draft that send requests",
    isCompatible: true,
    answer: Type.Object({ webhookBlocks: Type.Array(HttpBlockSchema, { description: "In the order of the flow." }) }),
    handle: async (deps, { caller, params }) => ({ webhookBlocks: await listHttpBlocks(deps, caller, params.botId) }),
  }),
  operation({
    id: "getHttpBlockExample",
    route: "GET /api/v1/bots/:botId/webhookBlocks/:blockId/getResultExample",
    summary: "Show what such a block sends",
    description:
      "The JSON of a block without a body of its own, with sample answers to the questions that may come before it.",
    isCompatible: true,
    params: BlockPath,
    answer: Type.Object({
      resultExample: Type.Record(Type.String(), Type.String(), { description: "Names and sample values." }),
    }),
    answerExample: {
      resultExample: {
        message: "An example: these are no visitor's answers.",
        submittedAt: "2026-08-22T06:05:06.000Z",
        Name: "Ada",
      },
    },
    errors: readErrors,
    handle: async (deps, { caller, params }) => ({ resultExample: await exampleRequest(deps, caller, params) }),
  }),
  operation({
    id: "subscribeHttpBlock",
    route: "POST /api/v1/bots/:botId/webhookBlocks/:blockId/subscribe",
    summary: "Give such a block its address",
    description: "The draft is changed; visitors meet it when the bot is published.",
    isCompatible: true,
    params: BlockPath,
    body: Type.Object({ url: described(HttpAddress, "Where the block shall send its requests.") }),
    bodyExample: { url: "https://hooks.zapier.com/hooks/catch/1/abc" },
    answer: Type.Object({ id: Type.String(), url: Type.String({ description: "The address that it has now." }) }),
    answerExample: { id: "order", url: "https://hooks.zapier.com/hooks/catch/1/abc" },
    errors: writeErrors,
    async handle(deps, { caller, params, body: { url }, dialect }) {
      await setHttpAddress(deps, caller, { ...params, url, dialect });
      return { id: params.blockId, url };
    },
  }),
  operation({
    id: "unsubscribeHttpBlock",
    route: "POST /api/v1/bots/:botId/webhookBlocks/:blockId/unsubscribe",
    summary: "Take such a block its address",
    isCompatible: true,
    params: BlockPath,
    answer: Type.Object({ id: Type.String(), url: Type.Null({ description: "It has none now." }) }),
    answerExample: { id: "order", url: null },
    errors: writeErrors,
    async handle(deps, { caller, params, dialect }) {
      await setHttpAddress(deps, caller, { ...params, url: null, dialect });
      return { id: params.blockId, url: null };
    },
  }),
  operation({
    id: "testHttpBlock",
    route: "POST /api/v1/bots/:botId/blocks/:blockId/testCall",
    summary: "Try the request of a block",
    description:
      "Sends the request of the draft's block as a chat would: with its retries, its time limit, the workspace's secrets and the same addresses refused. `variables` are " +
      "values by name; the others have those of the block's `variablesForTest`, else what the flow gives them. The answer has what came back, and what the block's mappings " +
      "make of it. Secrets are named, never shown. A block whose request is the visitor's browser's to send is tried from here.",
    isCompatible: true,
    params: BlockPath,
    body: Type.Object({
      variables: Type.Optional(
        Type.Record(Type.String(), VariableValue, {
          maxProperties: limits.flow.testedVariables,
          description: "Values by the names of variables.",
        }),
      ),
    }),
    bodyExample: { variables: { City: "Lyon" } },
    answer: Type.Object({
      request: Type.Object(
        {
          method: Type.String({ description: "Its HTTP method." }),
          url: Type.String({ description: "Where it went, with the names of secrets." }),
          headers: described(
            Headers,
            "Those of the block, with the names of secrets. What this service adds of its own is left out.",
          ),
          body: nullable(Type.String({ description: "The beginning, where it is long." })),
        },
        { description: "What was sent." },
      ),
      outcome: Type.Union(
        [Type.Literal("answered"), Type.Literal("refused"), Type.Literal("unreachable"), Type.Literal("timedOut")],
        {
          description:
            "Whether the server `answered`. Otherwise no status is the server's: the call was `refused` by this service, got no answer that can be used (`unreachable`), or took too long (`timedOut`).",
        },
      ),
      refusal: described(
        nullable(
          Type.Object({
            reason: Type.String({ description: "Why this service refused the call, in a sentence." }),
            setting: described(
              nullable(Type.Literal("OUTGOING_ALLOW")),
              "The setting by which the operator can allow it; null where there is none.",
            ),
          }),
        ),
        "Of a refused call; null of every other.",
      ),
      statusCode: Type.Integer({
        description: "What mappings get: 400 for a refused request, 408 for one that took too long, 500 for no answer.",
      }),
      data: Type.Unknown({
        description: "The answer, parsed where it is JSON; where it is long, its beginning as a text.",
      }),
      headers: described(Headers, "Headers of the answer; none where nothing answered."),
      isCut: Type.Boolean({ description: "Whether `data` is only the beginning of the answer." }),
      durationMs: Type.Integer({ description: "How long it took, with retries, in milliseconds." }),
      variables: Type.Array(
        Type.Object({
          id: Type.String(),
          name: Type.String(),
          value: described(nullable(VariableValue), "Null where it got none."),
        }),
        {
          description: "What the block's mappings write.",
        },
      ),
    }),
    answerExample: {
      request: {
        method: "GET",
        url: "https://api.example.com/weather?city=Lyon",
        headers: [{ name: "Authorization", value: "Bearer {{secret.WEATHER_KEY}}" }],
        body: null,
      },
      outcome: "answered",
      refusal: null,
      statusCode: 200,
      data: { degrees: 21 },
      headers: [{ name: "content-type", value: "application/json" }],
      isCut: false,
      durationMs: 183,
      variables: [{ id: "degrees", name: "Degrees", value: "21" }],
    },
    errors: [
      "workspace.forbidden",
      "bot.archived",
      "block.not_found",
      "block.no_address",
      "step.over_budget",
      "server.overloaded",
    ],
    handle: async (deps, { caller, params, body, request }) =>
      testCall(deps, caller, { ...params, variables: body.variables ?? {}, hops: deps.hops.read(request) }),
  }),
  operation({
    id: "executeTestWebhook",
    route: "POST /api/v1/bots/:botId/blocks/:blockId/web/executeTestWebhook",
    summary: "Answer your own preview that listens for a call",
    description: "As `executeWebhook`, for the newest preview of yours that waits at this `webhook` block.",
    host: "both",
    isCompatible: true,
    params: BlockPath,
    body: Type.Record(Type.String(), Type.Unknown()),
    bodyBytes: limits.request.webhookBodyBytes,
    bodyExample: { orderNumber: "A-17", isPaid: true },
    answer: Type.Object({ message: Type.String({ description: "`OK`." }) }),
    answerExample: { message: "OK" },
    errors: [...listeningErrors, "idempotency.key_invalid", "idempotency.key_reused"],
    async handle(deps, { caller, params, body, headers, request }) {
      await resumePreviewWebhook(deps, caller, {
        ...params,
        body,
        key: readIdempotencyKey(headers) ?? null,
        hops: deps.hops.read(request),
      });
      return { message: "OK" };
    },
  }),
];
