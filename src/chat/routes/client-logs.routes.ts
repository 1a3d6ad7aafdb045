import { Type } from "@sinclair/typebox";
import { limits } from "../../limits/index.ts";
import { needsNoToken } from "../../management/operations/authentication.ts";
import { type Operation, operationFor } from "../../management/operations/operation.ts";
import { compatibleTag, type Tag } from "../../management/operations/operation-words.ts";
import { originsOf } from "../../management/operations/origins.ts";
import { idPath } from "../../platform/http/schemas.ts";
import { saveClientLogs } from "../sessions.ts";
import type { ChatDependencies } from "../steps/dependencies.ts";

const operation = operationFor<ChatDependencies>("Chat");

/** Operations that store log entries of visitors' clients. Existing clients send them to version 2 of the path. */
export const clientLogOperations: readonly Operation[] = [
  clientLogs({ id: "saveClientLogs", version: "v1" }),
  clientLogs({ id: "typebotSaveClientLogs", version: "v2", tag: compatibleTag }),
];

function clientLogs({ version, ...named }: { id: string; version: "v1" | "v2"; tag?: Tag }): Operation {
  return operation({
    ...named,
    route: `POST /api/${version}/sessions/:sessionId/clientLogs`,
    summary: "Add a client's logs to the result",
    host: "chat",
    act: "logs",
    auth: needsNoToken,
    params: Type.Object({ sessionId: idPath("session.not_found") }),
    body: Type.Object({
      clientLogs: Type.Array(
        Type.Object({
          status: Type.Optional(
            Type.String({ description: "`success`, `info`, `warning` or `error`. Defaults to `error`." }),
          ),
          description: Type.String({ description: "Description in one sentence." }),
          details: Type.Optional(Type.Unknown({ description: "Further details." })),
          context: Type.Optional(Type.String({ description: "Source of the entry, such as a type of block." })),
        }),
        { description: "Log entries for the author.", maxItems: limits.logs.clientEntries },
      ),
    }),
    bodyBytes: limits.logs.clientBytes,
    bodyExample: { clientLogs: [{ status: "error", description: "A script failed" }] },
    answer: Type.Object({ message: Type.String() }),
    answerExample: { message: "Logs successfully saved." },
    errors: ["session.not_found", "origin.not_allowed"],
    handle: async (deps, { params, body, headers }) => {
      await saveClientLogs(deps, params.sessionId, body.clientLogs, originsOf(headers));
      return { message: "Logs successfully saved." };
    },
  });
}
