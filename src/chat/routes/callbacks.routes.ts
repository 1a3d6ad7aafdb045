import { Type } from "@sinclair/typebox";
import { cleanText, parseJson } from "../../core/documents/incoming-json.ts";
import { isJsonObject } from "../../core/interpreter/flow.ts";
import { AppError } from "../../errors.ts";
import { limits } from "../../limits/index.ts";
import { needsNoToken } from "../../management/operations/authentication.ts";
import { readIdempotencyKey } from "../../management/operations/idempotency.ts";
import { type Operation, operationFor } from "../../management/operations/operation.ts";

import { countAnnounced, readBytes } from "../../platform/http/body.ts";
import { takeCallback } from "../callbacks/callbacks.ts";
import type { ChatDependencies } from "../steps/dependencies.ts";
import { listeningErrors } from "./webhooks.routes.ts";

const operation = operationFor<ChatDependencies>("Chat");

/** Operations for the callback URLs that flows pass to other programs. */
export const callbackOperations: readonly Operation[] = [
  operation({
    id: "callChat",
    route: "POST /api/v1/callbacks/:callbackToken",
    description:
      "The address comes from the preset `Callback address` of a `Set variable` block. The body is a JSON object, or a text (any other content type). The mappings of the `webhook` block read the body as `data`; a JSON " +
      "body with a key `data` is used as a whole. `Idempotency-Key` or `webhook-id` identifies the call, so that a repeated call does not run a second step. The call continues the chat that created the address. If that chat has ended or expired, or has run no step since its start and does not wait at the block, the call continues the chat of the same result that waits at the block, or the newest open chat. A call that arrives before the chat reaches its block waits for up to " +
      `${limits.earlyCalls.seconds} seconds (\`isWaiting\`).`,
    host: "chat",
    act: "calls",
    auth: needsNoToken,
    params: Type.Object({
      callbackToken: Type.String({
        description: "The last part of the address.",
        examples: [
          "2.WKdEjQ2W3ykP1QWeO31E_BcFAocn8BHpjArZlDHZbx-_LYVaQoVmVuqOfQzNbvNRqfO5ExC-vi634ID-PKeJkabYqDTJm7fq",
        ],
      }),
    }),
    bodyType: "*/*",
    answer: Type.Object({
      message: Type.String({ description: "`OK`." }),
      isWaiting: Type.Boolean({
        description: "Whether the chat has not reached the block yet, and the call waits for it.",
      }),
    }),
    errors: [
      ...listeningErrors.filter((code) => !["workspace.forbidden", "session.not_found"].includes(code)),
      ...([
        "callback.not_found",
        "callback.over",
        "request.malformed",
        "request.invalid",
        "request.too_large",
      ] as const),
      ...(["request.too_slow", "idempotency.key_invalid", "idempotency.key_reused"] as const),
    ],
    async handle(deps, { params, headers, request, admission }) {
      await countAnnounced(request, admission);
      const body = await readCallBody(request, {
        maxBytes: limits.request.webhookBodyBytes,
        clock: deps.clock,
        countFor: admission,
      });
      const key = readIdempotencyKey(headers) ?? readIdempotencyKey(renamed(headers)) ?? null;
      const { isWaiting } = await takeCallback(deps, {
        ...{ token: params.callbackToken, body, key },
        hops: deps.hops.read(request),
        admit: (callback) => admission.admit("calls", { callback }),
      });
      return { message: "OK", isWaiting };
    },
  }),
];

async function readCallBody(
  request: Request,
  bounds: Parameters<typeof readBytes>[1],
): Promise<Readonly<Record<string, unknown>> | string> {
  const type = request.headers.get("content-type");
  const text = new TextDecoder().decode(await readBytes(request, bounds));
  if (type !== null && !/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(type.trim())) return cleanText(text);
  if (text.trim() === "") return {};
  const body = parseJson(text);
  if (isJsonObject(body)) return body;
  throw new AppError("request.invalid", { data: { issues: [{ path: "", message: "must be an object" }] } });
}

/**
 * Returns headers with only an `Idempotency-Key`, which is the message id of Standard Webhooks (`webhook-id`), if any.
 */
function renamed(headers: Headers): Headers {
  const id = headers.get("webhook-id");
  return new Headers(id === null ? {} : { "idempotency-key": id });
}
