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
    auth: authentication,
    params: BotPath,
    query: Type.Object({
      after: Type.Integer({ minimum: 0, maximum: 2_147_483_647, description: "Your current revision." }),
      knows: Knows,
    }),
    answer: Type.String(),
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
