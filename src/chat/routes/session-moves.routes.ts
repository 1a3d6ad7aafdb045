import { Type } from "@sinclair/typebox";
import { type Operation, operationFor } from "../../management/operations/operation.ts";
import { moveSession } from "../session-moves.ts";
import type { ChatDependencies } from "../steps/dependencies.ts";

const operation = operationFor<ChatDependencies>("Chat");

const success = "success" as const;

export const sessionMoveOperations: readonly Operation[] = [
  operation({
    id: "moveChatToPublishedBot",
    route: "POST /api/v1/sessions/:sessionId/updateBot",
    summary: "Let a running chat go on in what visitors meet now",
    description:
      "From its next input on the chat runs on the version that visitors of its bot meet: its answers, its variables and its open input stay. Where that version " +
      "does not have that input, or a place that the chat comes back to, the answer is 409 with the obstacle, and the chat stays as it is.",
    host: "both",
    isAudited: true,
    isCompatible: true,
    answer: Type.Object({ message: Type.Literal(success, { description: "It goes on there." }) }),
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
