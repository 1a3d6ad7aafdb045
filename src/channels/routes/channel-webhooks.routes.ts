import { Type } from "@sinclair/typebox";
import { needsNoToken } from "../../management/operations/authentication.ts";
import { type Operation, operationFor } from "../../management/operations/operation.ts";
import { idPath } from "../../platform/http/schemas.ts";
import type { ChannelDependencies } from "../dependencies.ts";

const operation = operationFor<ChannelDependencies>("Channels");

export const channelWebhookOperations: readonly Operation[] = [
  operation({
    id: "receiveChannelCall",
    route: "POST /api/v1/channels/:connectionId/webhook",
    summary: "Receive events from a messenger",
    description:
      "Messengers call this endpoint. Each call must be signed with a secret of the connection, as the messenger documents it; other calls are neither read nor stored. A call that gets status 200 is stored, and a bot answers it afterwards. A repeated event is handled only once. After 429 or 503, the messenger must send the same call again.",
    auth: needsNoToken,
    host: "both",
    params: Type.Object({ connectionId: idPath("channel_connection.not_found") }),
    bodyType: "*/*",
    isAudited: false,
    answer: Type.Object({ received: Type.Literal(true, { description: "All events of the call are stored." }) }),
    errors: [
      "channel_connection.not_found",
      "channel_connection.not_signed",
      "channel_connection.unreadable",
      "rate_limit.exceeded",
      "request.too_large",
      "request.too_slow",
      "request.incomplete",
    ],
    async handle(deps, { params, request, admission }) {
      const answer = await deps.receiver.receive(params.connectionId, request, admission);
      return answer ?? ({ received: true } as const);
    },
  }),
];
