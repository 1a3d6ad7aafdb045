import { Type } from "@sinclair/typebox";
import { needsToken } from "../../operations/authentication.ts";
import { type Operation, operationFor } from "../../operations/operation.ts";
import type { BotDependencies } from "./dependencies.ts";
import { BotPath, Knows } from "./draft-changes.routes.ts";
import { watchDraft } from "./live-drafts.ts";

const operation = operationFor<BotDependencies>("Bots");

const answerType = "text/event-stream";
const authentication = needsToken("read");

export const liveOperations: readonly Operation[] = [
  operation({
    id: "watchDraft",
    route: "GET /api/v1/bots/:botId/live",
    summary: "Watch a draft",
    description:
      "Returns server-sent events: `changes` with new change sets (its `id` is the draft's revision after them), `presence` with the people who have the draft open, `published`, `comments` when comments have changed, and `closed` with a " +
      "`reason`, which ends the stream (`elsewhere`: you watch the draft in too many places, so do not reconnect automatically). A comment comes every 20 seconds. The stream also ends after some minutes: connect again with your current revision.",
    auth: authentication,
    params: BotPath,
    query: Type.Object({
      after: Type.Integer({ minimum: 0, maximum: 2_147_483_647, description: "Your current revision." }),
      knows: Knows,
    }),
    answer: Type.String(),
    answerExample: 'event: closed\ndata: {"reason":"renew"}\n\n',
    answerType,
    errors: ["workspace.suspended", "revision.not_found", "server.overloaded"],
    async handle(deps, { caller, params, query, headers, cookie, admission, request }) {
      if (request.method === "HEAD") return new Response(null, { headers: { "Content-Type": answerType } });
      const identify = async () => authentication.authenticate(deps, { headers, cookie }, admission);
      const knowsEdits = query.knows === "edit";
      const stream = await watchDraft(deps, caller, params.botId, { after: query.after, knowsEdits, identify });
      return new Response(stream, { headers: { "Content-Type": answerType, "Cache-Control": "no-store" } });
    },
  }),
];
