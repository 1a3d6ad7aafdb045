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
    label: Type.String({ description: "The title of the block's group, and the block's id." }),
    url: described(nullable(Type.String()), "URL of the block's requests; null if no URL is set."),
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
      description: "Value of the header, with names in place of secrets; truncated if it is long.",
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
      resultExample: Type.Record(Type.String(), Type.String(), { description: "Sample values by name." }),
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
          description: "Values by variable name.",
        }),
      ),
      mayWrite: Type.Optional(
        Type.Boolean({
          default: false,
          description: "Whether a block that inserts, changes or sends data may do so.",
        }),
      ),
    }),
    shows: true,
    answer: Type.Object({
      request: Type.Object(
        {
          service: described(
            nullable(Type.String()),
            "The type of the credentials that the request uses; null for the requests of HTTP blocks.",
          ),
          method: Type.String({ description: "HTTP method of the request." }),
          url: Type.String({
            description:
              "URL of the request, with names in place of secrets. For a call of a service, the path at that service.",
          }),
          headers: described(
            Headers,
            "Headers of the block, with names in place of secrets. Headers that Parley adds are not included.",
          ),
          body: nullable(Type.String({ description: "Body of the request; truncated if it is long." })),
        },
        { description: "The request." },
      ),
      outcome: Type.Union(
        [Type.Literal("answered"), Type.Literal("refused"), Type.Literal("unreachable"), Type.Literal("timedOut")],
        {
          description:
            "The outcome. If it is not `answered`, the status does not come from the server: Parley blocked the call (`refused`), the call got no usable response (`unreachable`), or it took too long (`timedOut`).",
        },
      ),
      refusal: described(
        nullable(
          Type.Object({
            reason: Type.String({ description: "The reason why the call was blocked, in one sentence." }),
            setting: described(
              nullable(Type.Literal("OUTGOING_ALLOW")),
              "The setting with which the operator can allow the call; null if there is no such setting.",
            ),
            lines: Type.Array(Type.String(), {
              description:
                "The lines that the operator must add to the existing settings to allow the call, such as `OUTGOING_ALLOW=crm.internal`. Empty if no setting allows the call.",
            }),
          }),
        ),
        "Details of a blocked call; null for other outcomes.",
      ),
      statusCode: described(
        nullable(Type.Integer()),
        "The status for mappings: the server's status, 400 for a blocked request, 408 for a timeout, or 500 for no response. Null for services whose status blocks cannot read.",
      ),
      data: Type.Unknown({
        description: "The response body, parsed if it is JSON. A long body is truncated and returned as text.",
      }),
      headers: described(Headers, "Headers of the response; empty if there was no response."),
      isCut: Type.Boolean({ description: "Whether `data` is truncated." }),
      durationMs: Type.Integer({ description: "Duration including retries, in milliseconds." }),
      variables: Type.Array(
        Type.Object({
          id: Type.String(),
          name: Type.String(),
          value: described(nullable(VariableValue), "The new value; null if the variable is empty."),
        }),
        {
          description: "Variables that the block's mappings set.",
        },
      ),
      logs: Type.Array(
        Type.Object({
          status: Type.String({ description: "`error` or `info`." }),
          description: Type.String({ description: "A sentence." }),
          details: described(nullable(Type.String()), "Details, without keys."),
        }),
        { description: "Errors and notes that the block added to the log." },
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
