import { Type } from "@sinclair/typebox";
import { writtenSchemas } from "../../../core/results/result-fields.ts";
import { limits } from "../../../limits/index.ts";
import { mainOrigin } from "../../../platform/http/main-origin.ts";
import {
  described,
  exampleId,
  exampleTime,
  NameInput,
  nullable,
  TimestampInput,
} from "../../../platform/http/schemas.ts";
import type { FileDependencies } from "../../files/dependencies.ts";
import { type Operation, operationFor } from "../../operations/operation.ts";
import { bringFiles } from "./imported-files.ts";
import { bringResults } from "./imported-results.ts";

const Text = Type.String({ maxLength: limits.importedResults.characters });
const Name = Type.String({ maxLength: limits.importedResults.nameCharacters });

const operation = operationFor<FileDependencies>("Results");

const Source = described(NameInput, "Source of the results, such as the address of the other server.");
const foreignResult = {
  id: Type.String({
    minLength: 1,
    maxLength: limits.fields.nameCharacters,
    description: "Id of the result at the source.",
  }),
  createdAt: described(TimestampInput, "Time at which the chat started."),
};
const count = (description: string) => Type.Integer({ description });

export const importedResultOperations: readonly Operation[] = [
  operation({
    id: "importResults",
    route: "POST /api/v1/bots/:botId/results/import",
    description:
      `Up to ${limits.importedResults.perRequest} results in one request, in the form of the list of results. \`source\` names their origin. A result with the same source and id is imported only once, however often it is ` +
      "sent, and does not change, even if it is in the bin. URLs of files do not change. Imported results send no events.",
    body: Type.Object({
      source: Source,
      update: Type.Optional(
        Type.Boolean({
          default: false,
          description:
            "Whether existing results get the answers, variables and states of this request. Fields that people set, such as tags, are only set if they are empty.",
        }),
      ),
      results: Type.Array(
        Type.Object({
          ...foreignResult,
          variables: Type.Optional(
            Type.Array(
              Type.Object({
                id: Name,
                name: Name,
                value: described(Type.Union([Text, Type.Array(nullable(Text))]), "Value at the end of the chat."),
              }),
              {
                maxItems: limits.importedResults.variables,
                description: "Variables of the result.",
              },
            ),
          ),
          hasStarted: described(
            Type.Optional(nullable(Type.Boolean())),
            "Whether the visitor answered. Defaults to true if there are answers.",
          ),
          isCompleted: Type.Optional(Type.Boolean({ default: false, description: "Whether the chat is complete." })),
          publicationNumber: Type.Optional(
            nullable(
              Type.Integer({
                minimum: 1,
                maximum: 2_147_483_647,
                description:
                  "Number of the publication on which the chat started. Omitted if the bot does not have this number.",
              }),
            ),
          ),
          ...writtenSchemas(),
          answers: Type.Optional(
            Type.Array(
              Type.Object({
                createdAt: described(
                  Type.Optional(TimestampInput),
                  "Time of the answer. Defaults to the time at which the chat started.",
                ),
                blockId: Name,
                groupId: Type.Optional(nullable(Name)),
                variableId: Type.Optional(nullable(Name)),
                content: described(Text, "The visitor's answer."),
                attachedFileUrls: described(
                  Type.Optional(nullable(Type.Array(Text, { maxItems: limits.importedResults.files }))),
                  "URLs of files, stored unchanged.",
                ),
              }),
              { maxItems: limits.importedResults.answers, description: "The answers, oldest first." },
            ),
          ),
          ratings: Type.Optional(
            Type.Array(
              Type.Object({
                sessionId: described(Name, "Id of the chat at the source."),
                revision: Type.Integer({
                  minimum: 1,
                  maximum: 2_147_483_647,
                  description: "The number of the step that showed the answer.",
                }),
                blockId: Name,
                isGood: Type.Boolean({ description: "Whether the visitor rated the answer as good." }),
                words: described(
                  Type.Optional(nullable(Type.String({ maxLength: limits.ratings.wordsCharacters }))),
                  "The visitor's comment on the rating.",
                ),
                ratedAt: described(
                  Type.Optional(TimestampInput),
                  "Time of the rating. Defaults to the time at which the chat started.",
                ),
              }),
              {
                maxItems: limits.ratings.perResult,
                description:
                  "The visitor's ratings of models' answers. Without this field, existing ratings do not change.",
              },
            ),
          ),
        }),
        { minItems: 1, maxItems: limits.importedResults.perRequest, description: "The results." },
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
      added: count("Number of new results."),
      changed: count("Number of results that `update` changed."),
      known: count("Number of results that already existed, including changed results."),
      stored: Type.Object(
        {
          results: count("Number of results."),
          answers: count("Number of answers in these results."),
          files: count("Number of files in these results."),
        },
        { description: "The sent results that this service has stored, without deleted results." },
      ),
      outdated: Type.Object(
        {
          results: count("Number of results."),
          days: nullable(Type.Integer({ description: "Number of days for which the bot keeps results." })),
        },
        { description: "The results that are older than the bot's retention: they are erased within the hour." },
      ),
    }),
    answerExample: {
      ...{ added: 1, changed: 0, known: 0, stored: { results: 1, answers: 1, files: 0 } },
      outdated: { results: 0, days: null },
    },
    errors: ["workspace.forbidden"],
    handle: async (deps, { caller, params, body }) => bringResults(deps, caller, params.botId, body),
  }),
  operation({
    id: "importResultFiles",
    route: "POST /api/v1/bots/:botId/results/import/files",
    description:
      `Up to ${limits.importedResults.files} files that a visitor uploaded at the source. Send the content of each file to its \`uploadUrl\` by PUT within ten minutes. A file that is already stored has no \`uploadUrl\`. ` +
      "Then import the result again with `update`, so that its answers and variables get the new URLs.",
    body: Type.Object({
      source: Source,
      result: Type.Object(foreignResult, { description: "The result, which must already be imported." }),
      files: Type.Array(
        Type.Object({
          id: Type.String({
            minLength: 1,
            maxLength: limits.fields.nameCharacters,
            description: "Id of the file at the source.",
          }),
          createdAt: described(TimestampInput, "Time of the upload."),
          blockId: Name,
          name: Type.String({ maxLength: limits.importedResults.nameCharacters, description: "Name of the file." }),
          type: Type.String({
            maxLength: limits.importedResults.nameCharacters,
            description: "MIME type of the file.",
          }),
          bytes: Type.Integer({
            minimum: 1,
            maximum: limits.uploads.fileMegabytes * 1024 * 1024,
            description: "Size of the file.",
          }),
          isPublic: Type.Boolean({ description: "Whether anyone with the URL can open the file." }),
        }),
        { minItems: 1, maxItems: limits.importedResults.files, description: "The files, oldest first." },
      ),
    }),
    bodyExample: {
      source: "https://chat.example.org",
      result: { id: "cm3k2l1a0000108l4f9yz1b2c", createdAt: exampleTime },
      files: [
        {
          id: exampleId,
          createdAt: exampleTime,
          blockId: "photo",
          name: "photo.png",
          type: "image/png",
          bytes: 48_210,
          isPublic: false,
        },
      ],
    },
    shows: true,
    answer: Type.Object({
      files: Type.Array(
        Type.Object({
          id: Type.String({ description: "Id of the file at the source." }),
          url: Type.String({ description: "New URL of the file in this service." }),
          isStored: Type.Boolean({ description: "Whether the file's content is already stored." }),
          uploadUrl: nullable(
            Type.String({
              description: "URL to which you send the content. Null if the content is already stored or was erased.",
            }),
          ),
        }),
        { description: "The files, in the order of the request." },
      ),
    }),
    answerExample: {
      files: [
        {
          id: exampleId,
          url: `https://chat.example.com/api/v1/bots/${exampleId}/results/${exampleId}/files/${exampleId}.png`,
          isStored: false,
          uploadUrl: `https://chat.example.com/api/uploads/${exampleId}.Zx3k`,
        },
      ],
    },
    errors: ["workspace.forbidden", "result.not_found", "upload.too_many"],
    handle: async (deps, { caller, params, body, request }) => ({
      files: await bringFiles(deps, caller, params.botId, { ...body, requestOrigin: mainOrigin(deps, request) }),
    }),
  }),
];
