import { Type } from "@sinclair/typebox";
import { limits } from "../../limits/index.ts";
import { needsNoToken } from "../../management/operations/authentication.ts";
import { type Operation, operationFor } from "../../management/operations/operation.ts";
import { originsOf } from "../../management/operations/origins.ts";
import type { ChatDependencies } from "../steps/dependencies.ts";
import { suggest } from "../suggestions/suggest.ts";

const operation = operationFor<ChatDependencies>("Chat");

/** Operations that suggest completions for a visitor's text. */
export const suggestionOperations: readonly Operation[] = [
  operation({
    id: "listSuggestions",
    route: "POST /api/v1/sessions/:sessionId/suggestions",
    host: "chat",
    isForBuilder: true,
    act: "suggestions",
    auth: needsNoToken,
    body: Type.Object({
      blockId: Type.String({ description: "Id of the open input." }),
      text: Type.String({
        minLength: limits.suggestions.characters.least,
        maxLength: limits.suggestions.characters.most,
        description: "The visitor's text so far.",
      }),
    }),
    bodyBytes: limits.suggestions.bytes,
    answer: Type.Object({
      suggestions: Type.Array(
        Type.Object({
          text: Type.String({ description: "The address as one line." }),
          id: Type.Optional(
            Type.String({
              description:
                "Id of the suggestion, which you send with the reply. Present only if the bot uses the parts of the address.",
            }),
          ),
        }),
        { description: "The suggestions, in the order of the service." },
      ),
    }),
    errors: ["session.not_found", "origin.not_allowed"],
    handle: async (deps, { params: { sessionId }, body, headers }) => ({
      suggestions: await suggest(deps, { sessionId, ...body, origins: originsOf(headers) }),
    }),
  }),
];
