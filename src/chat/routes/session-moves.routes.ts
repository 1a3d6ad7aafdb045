import { Type } from "@sinclair/typebox";
import { needsToken } from "../../management/operations/authentication.ts";
import { type Operation, operationFor } from "../../management/operations/operation.ts";
import { idPath } from "../../platform/http/schemas.ts";
import { moveSession } from "../session-moves.ts";
import type { ChatDependencies } from "../steps/dependencies.ts";

const operation = operationFor<ChatDependencies>();

const success = "success" as const;

export const sessionMoveOperations: readonly Operation[] = [
  operation({
    id: "moveChatToPublishedBot",
    method: "POST",
    path: "/api/v1/sessions/:sessionId/updateBot",
    tag: "Chat",
    summary: "Let a running chat go on in what visitors meet now",
    description:
      "From its next input on the chat runs on the version that visitors of its bot meet: its answers, its variables and its open input stay. Where that version " +
      "does not have that input, or a place that the chat comes back to, the answer is 409 with the obstacle, and the chat stays as it is.",
    host: "both",
    isAudited: true,
    isCompatible: true,
    auth: needsToken("write"),
    params: Type.Object({ sessionId: idPath("session.not_found") }),
    answer: Type.Object({ message: Type.Literal(success, { description: "It goes on there." }) }),
    answerExample: { message: success },
    errors: [
      "workspace.forbidden",
      "workspace.suspended",
      "bot.not_published",
      "session.ended",
      "session.expired",
      "session.busy",
      "session.not_movable",
      "server.newer_state",
    ],
    handle: async (deps, { caller, params }) => {
      await moveSession(deps, caller, params.sessionId);
      return { message: success };
    },
  }),
];
