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
    host: "both",
    isAudited: true,
    isCompatible: true,
    answer: Type.Object({
      message: Type.Literal(success, { description: "The version on which the chat continues." }),
    }),
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
