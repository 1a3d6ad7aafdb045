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
      "Server-sent events: `changes` with the change sets as they come (its `id` is the draft's revision with them), `presence` with who has the draft open, `published`, and `closed` with a " +
      "`reason` (`elsewhere`: you watch it in too many places, do not ask again by yourself), after which nothing comes; a comment every 20 seconds. The stream ends after some minutes, too: ask again with the revision that you have.",
    auth: authentication,
    params: BotPath,
    query: Type.Object({
      after: Type.Integer({ minimum: 0, maximum: 2_147_483_647, description: "The revision that you have." }),
      knows: Knows,
    }),
    answer: Type.String(),
    answerExample: 'event: closed\ndata: {"reason":"renew"}\n\n',
    answerType,
    errors: ["workspace.suspended", "revision.not_found", "server.overloaded"],
    async handle(deps, { caller, params, query, headers, cookie, admission, request }) {
      if (request.method === "HEAD") return new Response(null, { headers: { "Content-Type": answerType } });
      const identify = () => authentication.authenticate(deps, { headers, cookie }, admission);
      const knowsEdits = query.knows === "edit";
      const stream = await watchDraft(deps, caller, params.botId, { after: query.after, knowsEdits, identify });
      return new Response(stream, { headers: { "Content-Type": answerType, "Cache-Control": "no-store" } });
    },
  }),
];
