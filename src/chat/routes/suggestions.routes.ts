import { Type } from "@sinclair/typebox";
import { limits } from "../../limits/index.ts";
import { needsNoToken } from "../../management/operations/authentication.ts";
import { type Operation, operationFor } from "../../management/operations/operation.ts";
import { originsOf } from "../../management/operations/origins.ts";
import type { ChatDependencies } from "../steps/dependencies.ts";
import { suggest } from "../suggestions/suggest.ts";

const operation = operationFor<ChatDependencies>("Chat");

/** Suggestions for what visitors type. */
export const suggestionOperations: readonly Operation[] = [
  operation({
    id: "listSuggestions",
    route: "POST /api/v1/sessions/:sessionId/suggestions",
    summary: "List suggestions for what a visitor types",
    description:
      "While an `address input` with `hasSuggestions` is open: at most 5 addresses of the service that the bot's author has chosen. " +
      "If that input is not open, and if the service does not answer within a second, the list is empty: visitors can always keep typing. " +
      "Send the `id` of the chosen one, where it has one, as `metadata.replyId` of the reply with its text.",
    host: "chat",
    isForBuilder: true,
    act: "suggestions",
    auth: needsNoToken,
    body: Type.Object({
      blockId: Type.String({ description: "Id of the open input." }),
      text: Type.String({
        minLength: limits.suggestions.characters.least,
        maxLength: limits.suggestions.characters.most,
        description: "The visitor's words so far.",
      }),
    }),
    bodyBytes: limits.suggestions.bytes,
    bodyExample: { blockId: "address", text: "10 Downing" },
    answer: Type.Object({
      suggestions: Type.Array(
        Type.Object({
          text: Type.String({ description: "The address, as one line." }),
          id: Type.Optional(
            Type.String({
              description: "Says which suggestion a reply has chosen. Only where the bot uses its parts.",
            }),
          ),
        }),
        { description: "The best one first." },
      ),
    }),
    answerExample: { suggestions: [{ text: "10 Downing Street, London, SW1A 2AA, United Kingdom" }] },
    errors: ["session.not_found", "origin.not_allowed"],
    handle: async (deps, { params: { sessionId }, body, headers }) => ({
      suggestions: await suggest(deps, { sessionId, ...body, origins: originsOf(headers) }),
    }),
  }),
];
