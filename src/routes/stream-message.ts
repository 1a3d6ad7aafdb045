import { Type } from "@sinclair/typebox";
import { streamMessage } from "../compatibility/stream-message.ts";
import { needsNoToken } from "./http/authentication.ts";
import { type Operation, operation } from "./http/operation.ts";
import { originsOf } from "./http/origins.ts";
import { idPath } from "./http/schemas.ts";
import { compatibleTag } from "./http/tags.ts";

const answerType = "text/plain; charset=utf-8";

/** The endpoint of streamed answers that existing clients know. */
export const streamMessageOperations: readonly Operation[] = [
  operation({
    id: "typebotStreamMessage",
    method: "POST",
    path: "/api/v2/sessions/:sessionId/streamMessage",
    tag: compatibleTag,
    summary: "Stream an answer",
    description:
      "For clients that ask for it: no chat tells them to. The answer is lines of a code, a colon and JSON, of which `0` is text.",
    host: "chat",
    act: "steps",
    auth: needsNoToken,
    params: Type.Object({ sessionId: idPath("session.not_found") }),
    body: Type.Object({ messages: Type.Optional(Type.Unknown({ description: "Not looked at." })) }),
    bodyExample: {},
    answer: Type.String(),
    answerExample: '0:"There is no answer at the moment."\n',
    answerType,
    errors: ["session.not_found", "origin.not_allowed"],
    async handle(deps, { params, headers }) {
      const lines = await streamMessage(deps, params.sessionId, originsOf(headers));
      return new Response(lines, { headers: { "Content-Type": answerType, "Cache-Control": "no-store" } });
    },
  }),
];
