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
      "sent, and stays as it is here, also in the bin. Addresses of files stay as they are. No event is told of them.",
    body: Type.Object({
      source: described(NameInput, "Where they come from, such as the address of the other server."),
      results: Type.Array(
        Type.Object({
          id: Type.String({ minLength: 1, maxLength: limits.fields.nameCharacters, description: "Its id there." }),
          createdAt: described(TimestampInput, "When its chat began."),
          variables: Type.Optional(
            Type.Array(
              Type.Object({
                id: Name,
                name: Name,
                value: described(Type.Union([Text, Type.Array(nullable(Text))]), "What it held at the end."),
              }),
              {
                maxItems: limits.broughtResults.variables,
                description: "What the chat had written.",
              },
            ),
          ),
          hasStarted: described(
            Type.Optional(nullable(Type.Boolean())),
            "Whether its visitor answered; absent: where there are answers.",
          ),
          isCompleted: Type.Optional(
            Type.Boolean({ default: false, description: "Whether its visitor came to the end." }),
          ),
          answers: Type.Optional(
            Type.Array(
              Type.Object({
                createdAt: described(Type.Optional(TimestampInput), "When it was given; absent: with the chat."),
                blockId: Name,
                groupId: Type.Optional(nullable(Name)),
                variableId: Type.Optional(nullable(Name)),
                content: described(Text, "What the visitor said."),
                attachedFileUrls: described(
                  Type.Optional(nullable(Type.Array(Text, { maxItems: limits.broughtResults.files }))),
                  "Addresses of files; they stay as they are.",
                ),
              }),
              { maxItems: limits.broughtResults.answers, description: "In their order." },
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
      added: Type.Integer({ description: "How many are new here." }),
      known: Type.Integer({ description: "How many were here already." }),
    }),
    answerExample: { added: 1, known: 0 },
    errors: ["workspace.forbidden", "bot.archived"],
    handle: async (deps, { caller, params, body }) => bringResults(deps, caller, params.botId, body),
  }),
];
