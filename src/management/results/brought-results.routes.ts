import { Type } from "@sinclair/typebox";
import { limits } from "../../limits/index.ts";
import { described, exampleTime, NameInput, nullable, TimestampInput } from "../../platform/http/schemas.ts";
import { type Operation, operationFor } from "../operations/operation.ts";
import { bringResults } from "./brought-results.ts";

const Text = Type.String({ maxLength: limits.broughtResults.characters });
const Name = Type.String({ maxLength: limits.broughtResults.nameCharacters });

const operation = operationFor("Results");

export const broughtResultOperations: readonly Operation[] = [
  operation({
    id: "importResults",
    route: "POST /api/v1/bots/:botId/results/import",
    summary: "Import results from another service",
    description:
      `Up to ${limits.broughtResults.perRequest} at once, as lists of results show them. \`source\` names where they come from: a result of the same source and id is the same one, however often it is ` +
      "sent, and does not change here, also in the bin. URLs of files do not change. Imported results send no events.",
    body: Type.Object({
      source: described(NameInput, "Source of the results, such as the address of the other server."),
      results: Type.Array(
        Type.Object({
          id: Type.String({
            minLength: 1,
            maxLength: limits.fields.nameCharacters,
            description: "Id of the result at the source.",
          }),
          createdAt: described(TimestampInput, "Time at which the chat started."),
          variables: Type.Optional(
            Type.Array(
              Type.Object({
                id: Name,
                name: Name,
                value: described(Type.Union([Text, Type.Array(nullable(Text))]), "Value at the end of the chat."),
              }),
              {
                maxItems: limits.broughtResults.variables,
                description: "Variables of the result.",
              },
            ),
          ),
          hasStarted: described(
            Type.Optional(nullable(Type.Boolean())),
            "Whether the visitor answered; absent: true if there are answers.",
          ),
          isCompleted: Type.Optional(Type.Boolean({ default: false, description: "Whether the chat is complete." })),
          answers: Type.Optional(
            Type.Array(
              Type.Object({
                createdAt: described(
                  Type.Optional(TimestampInput),
                  "Time of the answer; absent: time of the chat's start.",
                ),
                blockId: Name,
                groupId: Type.Optional(nullable(Name)),
                variableId: Type.Optional(nullable(Name)),
                content: described(Text, "The visitor's answer."),
                attachedFileUrls: described(
                  Type.Optional(nullable(Type.Array(Text, { maxItems: limits.broughtResults.files }))),
                  "URLs of files, stored unchanged.",
                ),
              }),
              { maxItems: limits.broughtResults.answers, description: "The answers, in order." },
            ),
          ),
        }),
        { minItems: 1, maxItems: limits.broughtResults.perRequest, description: "The results." },
      ),
    }),
    bodyExample: {
      source: "https://chat.example.org",
      results: [
        {
          id: "cm3k2l1a0000108l4f9yz1b2c",
          createdAt: exampleTime,
          isCompleted: true,
          variables: [{ id: "name", name: "Name", value: "Ada" }],
          answers: [{ blockId: "name", content: "Ada" }],
        },
      ],
    },
    answer: Type.Object({
      added: Type.Integer({ description: "Number of new results." }),
      known: Type.Integer({ description: "Number of results that already existed." }),
    }),
    answerExample: { added: 1, known: 0 },
    errors: ["workspace.forbidden", "bot.archived"],
    handle: async (deps, { caller, params, body }) => bringResults(deps, caller, params.botId, body),
  }),
];
