import { Type } from "@sinclair/typebox";
import { PublicationPath } from "../../management/bots/versions/publications.routes.ts";
import { type Operation, operationFor } from "../../management/operations/operation.ts";
import { originsOf } from "../../management/operations/origins.ts";
import { exampleId } from "../../platform/http/schemas.ts";
import { startVersion } from "../start-chat.ts";
import type { ChatDependencies } from "../steps/dependencies.ts";
import { startAnswer, startBody, startErrors } from "./chat.routes.ts";
import { StartedChat, startedBotExample, stepEvents, stepExample } from "./chat-schemas.ts";

const operation = operationFor<ChatDependencies>("Chat");

export const versionChatOperations: readonly Operation[] = [
  operation({
    id: "startVersionChat",
    route: "POST /api/v1/bots/:botId/publications/:number/startChat",
    host: "chat",
    act: "starts",
    params: PublicationPath,
    body: Type.Object(startBody),
    answer: StartedChat,
    answerExample: { sessionId: exampleId, resultId: exampleId, bot: startedBotExample, ...stepExample },
    answerEvents: stepEvents,
    errors: ["workspace.suspended", "workspace.forbidden", "bot.archived", "origin.not_allowed", ...startErrors],
    isStep: true,
    handle: async (deps, { caller, params, body, admission, ...input }) =>
      startAnswer(deps, { ...input, body, route: "/api/v1/bots/:botId/publications/:number/startChat" }, (first) =>
        startVersion(deps, caller, {
          ...first,
          botId: params.botId,
          number: Number(params.number),
          origins: originsOf(input.headers),
          admission,
        }),
      ),
  }),
];
