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
    summary: "Report what contacts of a messenger wrote",
    description:
      "Messengers call it. The call is signed with a secret of the connection, as the messenger documents it; nothing of any other is read or stored. A call that is answered with 200 is stored, and a bot answers it afterwards; the same event twice is one. On 429 and 503 the same call is to be sent again.",
    auth: needsNoToken,
    host: "both",
    params: Type.Object({ connectionId: idPath("channel_connection.not_found") }),
    bodyType: "*/*",
    isAudited: false,
    answer: Type.Object({ received: Type.Literal(true, { description: "All of it is stored." }) }),
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
