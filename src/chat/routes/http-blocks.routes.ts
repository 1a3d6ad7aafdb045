import { Type } from "@sinclair/typebox";
import { limits } from "../../limits/index.ts";
import { exampleRequest, listHttpBlocks, setHttpAddress } from "../../management/bots/http-blocks.ts";
import { readIdempotencyKey } from "../../management/operations/idempotency.ts";
import { type Operation, operationFor } from "../../management/operations/operation.ts";
import { described, idPath, nullable, resource } from "../../platform/http/schemas.ts";
import { resumePreviewWebhook } from "../callbacks/callbacks.ts";
import type { ChatDependencies } from "../steps/dependencies.ts";
import { testCall } from "../test-calls/test-call.ts";
import { CallAnswer, listeningErrors } from "./webhooks.routes.ts";

const operation = operationFor<ChatDependencies>("HTTP blocks");

const BlockPath = Type.Object({ botId: idPath("bot.not_found"), blockId: Type.String({ examples: ["bl1"] }) });

const HttpBlockSchema = resource(
  "HttpBlock",
  {
    id: Type.String(),
    groupId: Type.String(),
    type: Type.String({ description: "`Webhook`, `Zapier`, `Make.com` or `Pabbly`." }),
    label: Type.String({ description: "The title of its group, and its id." }),
    url: described(nullable(Type.String()), "URL of the requests; null if none is set."),
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
    name: Type.String({ description: "Name of the header." }),
    value: Type.String({
      description: "Value, with names of secrets in place of their values; cut if it is long.",
    }),
  }),
);

const VariableValue = Type.Union([Type.String(), Type.Array(nullable(Type.String()))]);

export const httpBlockOperations: readonly Operation[] = [
  operation({
    id: "listHttpBlocks",
    route: "GET /api/v1/bots/:botId/webhookBlocks",
    isCompatible: true,
    answer: Type.Object({
      webhookBlocks: Type.Array(HttpBlockSchema, { description: "The blocks, in the order of the flow." }),
    }),
    handle: async (deps, { caller, params }) => ({ webhookBlocks: await listHttpBlocks(deps, caller, params.botId) }),
  }),
  operation({
    id: "getHttpBlockExample",
    route: "GET /api/v1/bots/:botId/webhookBlocks/:blockId/getResultExample",
    isCompatible: true,
    params: BlockPath,
    answer: Type.Object({
      resultExample: Type.Record(Type.String(), Type.String(), { description: "Names and sample values." }),
    }),
    errors: readErrors,
    handle: async (deps, { caller, params }) => ({ resultExample: await exampleRequest(deps, caller, params) }),
  }),
  operation({
    id: "subscribeHttpBlock",
    route: "POST /api/v1/bots/:botId/webhookBlocks/:blockId/subscribe",
    isCompatible: true,
    params: BlockPath,
    body: Type.Object({ url: described(HttpAddress, "The URL for the block's requests.") }),
    answer: Type.Object({ id: Type.String(), url: Type.String({ description: "The new URL." }) }),
    errors: writeErrors,
    async handle(deps, { caller, params, body: { url }, dialect }) {
      await setHttpAddress(deps, caller, { ...params, url, dialect });
      return { id: params.blockId, url };
    },
  }),
  operation({
    id: "unsubscribeHttpBlock",
    route: "POST /api/v1/bots/:botId/webhookBlocks/:blockId/unsubscribe",
    isCompatible: true,
    params: BlockPath,
    answer: Type.Object({ id: Type.String(), url: Type.Null({ description: "Always null." }) }),
    errors: writeErrors,
    async handle(deps, { caller, params, dialect }) {
      await setHttpAddress(deps, caller, { ...params, url: null, dialect });
      return { id: params.blockId, url: null };
    },
  }),
  operation({
    id: "testHttpBlock",
    route: "POST /api/v1/bots/:botId/blocks/:blockId/testCall",
    isCompatible: true,
    params: BlockPath,
    body: Type.Object({
      variables: Type.Optional(
        Type.Record(Type.String(), VariableValue, {
          maxProperties: limits.flow.testedVariables,
          description: "Values by the names of variables.",
        }),
      ),
      mayWrite: Type.Optional(
        Type.Boolean({
          default: false,
          description: "Whether a block that inserts, changes or sends something may do so.",
        }),
      ),
    }),
    shows: true,
    answer: Type.Object({
      request: Type.Object(
        {
          service: described(
            nullable(Type.String()),
            "The type of the credentials that it is sent with; null for the requests of HTTP blocks.",
          ),
          method: Type.String({ description: "Its HTTP method." }),
          url: Type.String({
            description: "URL, with names of secrets in place of their values. For calls of a service, its path there.",
          }),
          headers: described(
            Headers,
            "Headers of the block, with names of secrets in place of their values. Headers that the service adds are not included.",
          ),
          body: nullable(Type.String({ description: "Body; cut if it is long." })),
        },
        { description: "The request." },
      ),
      outcome: Type.Union(
        [Type.Literal("answered"), Type.Literal("refused"), Type.Literal("unreachable"), Type.Literal("timedOut")],
        {
          description:
            "The outcome. If it is not `answered`, the status does not come from the server: this service `refused` the call, the call got no usable response (`unreachable`), or it took too long (`timedOut`).",
        },
      ),
      refusal: described(
        nullable(
          Type.Object({
            reason: Type.String({ description: "The reason of the refusal, in one sentence." }),
            setting: described(
              nullable(Type.Literal("OUTGOING_ALLOW")),
              "The setting with which the operator can allow the call; null if there is none.",
            ),
            lines: Type.Array(Type.String(), {
              description:
                "The lines for the operator's settings that allow the call, such as `OUTGOING_ALLOW=crm.internal`; they come beside what is set. Empty if none does.",
            }),
          }),
        ),
        "Details of a refused call; otherwise null.",
      ),
      statusCode: described(
        nullable(Type.Integer()),
        "The status for mappings: the server's, 400 for a refused request, 408 for a timeout, or 500 for no response. Null for services whose answers have none that blocks read.",
      ),
      data: Type.Unknown({
        description: "The response body, parsed if it is JSON. A long body is cut and returned as a text.",
      }),
      headers: described(Headers, "Headers of the response; empty without a response."),
      isCut: Type.Boolean({ description: "Whether `data` has only the beginning of the response." }),
      durationMs: Type.Integer({ description: "Duration including retries, in milliseconds." }),
      variables: Type.Array(
        Type.Object({
          id: Type.String(),
          name: Type.String(),
          value: described(nullable(VariableValue), "The new value; null if there is none."),
        }),
        {
          description: "Variables that the block's mappings write.",
        },
      ),
      logs: Type.Array(
        Type.Object({
          status: Type.String({ description: "`error` or `info`." }),
          description: Type.String({ description: "A sentence." }),
          details: described(nullable(Type.String()), "Details, without keys."),
        }),
        { description: "Errors and notes that the block wrote into the log." },
      ),
    }),
    errors: [
      "workspace.forbidden",
      "bot.archived",
      "block.not_found",
      "block.no_address",
      "block.no_call",
      "block.writes",
      "step.over_budget",
      "server.overloaded",
    ],
    handle: async (deps, { caller, params, body, request }) =>
      testCall(deps, caller, {
        ...params,
        variables: body.variables ?? {},
        mayWrite: body.mayWrite ?? false,
        hops: deps.hops.read(request),
      }),
  }),
  operation({
    id: "executeTestWebhook",
    route: "POST /api/v1/bots/:botId/blocks/:blockId/web/executeTestWebhook",
    host: "both",
    isCompatible: true,
    params: BlockPath,
    body: Type.Record(Type.String(), Type.Unknown()),
    bodyBytes: limits.request.webhookBodyBytes,
    answer: CallAnswer,
    errors: [...listeningErrors, "idempotency.key_invalid", "idempotency.key_reused"],
    async handle(deps, { caller, params, body, headers, request }) {
      const { isWaiting } = await resumePreviewWebhook(deps, caller, {
        ...params,
        body,
        key: readIdempotencyKey(headers) ?? null,
        hops: deps.hops.read(request),
      });
      return { message: "OK", ...(isWaiting && { isWaiting }) };
    },
  }),
];
