import { Type } from "@sinclair/typebox";
import { limits } from "../../limits/index.ts";
import { exampleId, exampleTime, Id, oneOf, pageOf, resource, Timestamp } from "../../platform/http/schemas.ts";
import type { BotDependencies } from "../bots/drafts/dependencies.ts";
import { type Operation, operationFor } from "../operations/operation.ts";
import { exportFormats } from "../results/exports/result-exports.ts";
import { erasePerson, erasureOutcomes, listReceipts, personMatches } from "./person-erasures.ts";

const operation = operationFor<BotDependencies>("Workspaces");

const ErasureSchema = resource(
  "PersonErasure",
  {
    id: Id,
    workspaceId: Id,
    userId: Type.String({ description: "Id of the user who requested it." }),
    isDryRun: Type.Boolean({ description: "Whether it only counted. Such a receipt is not kept." }),
    outcome: oneOf(erasureOutcomes, {
      description:
        "`erased`; `counted` by a dry run; `nothing_found` where no result has the value; `unfinished` where there is more than one request may do.",
    }),
    results: Type.Integer({ description: "Results that were erased, of all bots." }),
    variable: Type.String({ description: "Name of the variable that identified the person." }),
    match: oneOf(personMatches, { description: "How values were compared." }),
    salt: Type.String({ description: "16 bytes, in hexadecimal digits." }),
    valueHash: Type.String({
      description:
        "SHA-256 of the salt's bytes and the value, with `folded` as a dry run shows it in `comparedValue`. With the value, you can verify that this receipt refers to it.",
    }),
    isComplete: Type.Boolean({
      description: "False if there is more. Send the request again; it creates another receipt.",
    }),
    bots: Type.Array(
      Type.Object({
        botId: Id,
        name: Type.String(),
        results: Type.Integer({ description: "Results that were erased." }),
        answers: Type.Integer({ description: "Answers in these results." }),
        sessions: Type.Integer({ description: "Sessions that were erased." }),
        files: Type.Integer({ description: "Files that were erased." }),
        resultHashes: Type.Array(Type.String(), {
          description: `SHA-256 of the results' ids; of ${limits.personErasure.resultHashes.toLocaleString("en")} in all.`,
        }),
      }),
      { description: "The bots that had data of the person." },
    ),
    exports: Type.Array(
      Type.Object({
        id: Id,
        botId: Id,
        userId: Type.String({ description: "Id of the user who requested it, and may have a copy." }),
        format: oneOf(exportFormats, { description: "Format of the file." }),
        fileName: Type.String({ description: "Name of the file." }),
        createdAt: Timestamp,
      }),
      {
        description:
          "The exports of these bots, which are removed since they may hold the person. Copies that people downloaded are theirs to delete.",
      },
    ),
    createdAt: Timestamp,
  },
  "A receipt for the erasure of a person's data.",
  {
    userId: exampleId,
    isDryRun: false,
    outcome: "erased",
    results: 1,
    variable: "Name",
    match: "exact",
    salt: "5f3a0c1b2d4e6f708192a3b4c5d6e7f8",
    valueHash: "9c56cc51b374c3ba189210d5b6d4bf57790d351c96c47c02190ecf1e430635ab",
    isComplete: true,
    bots: [
      {
        botId: exampleId,
        name: "Survey",
        results: 1,
        answers: 5,
        sessions: 1,
        files: 1,
        resultHashes: ["6ca13d52ca70c883e0f0bb101e425a89e8624de51db2d2392593af6a84118090"],
      },
    ],
    exports: [
      {
        id: exampleId,
        botId: exampleId,
        userId: exampleId,
        format: "csv",
        fileName: "results-survey-2026-08-22.csv",
        createdAt: exampleTime,
      },
    ],
  },
);

const path = "/api/v1/workspaces/:workspaceId/person-erasures";

export const personErasureOperations: readonly Operation[] = [
  operation({
    id: "erasePerson",
    route: `POST ${path}`,
    body: Type.Object(
      {
        variable: Type.String({
          minLength: 1,
          maxLength: limits.lists.searchCharacters,
          description: "The name of a variable of at least one bot, or one that it had.",
        }),
        value: Type.String({
          minLength: 1,
          maxLength: limits.lists.searchCharacters,
          description: "The whole value, or one entry of a list.",
        }),
        match: Type.Optional(
          oneOf(personMatches, {
            default: "exact",
            description:
              "`exact` compares character by character. With `folded`, case, white space at the ends, the number of blanks within, invisible characters and the form of characters (Unicode NFKD) " +
              "do not matter, and a phone number that begins with `+` or `00` is found in every spelling that does, as E.164.",
          }),
        ),
        isDryRun: Type.Optional(Type.Boolean({ default: false, description: "Whether to count only." })),
      },
      { additionalProperties: false },
    ),
    // Spellings are texts of visitors, while a receipt contains only counts.
    shows: ({ isDryRun }) => isDryRun === true,
    answer: Type.Object({
      personErasure: ErasureSchema,
      spellings: Type.Optional(
        Type.Array(
          Type.Object({
            value: Type.String({ description: "The value as results have it, its first characters." }),
            results: Type.Integer({ description: "Results with this spelling." }),
          }),
          {
            description: `Of a dry run: how the value is spelled in these results, the most frequent first; the first ${limits.personErasure.spellings}.`,
          },
        ),
      ),
      comparedValue: Type.Optional(
        Type.String({ description: "Of a dry run: the value as it is compared, and hashed for the receipt." }),
      ),
      variables: Type.Optional(
        Type.Array(
          Type.Object({
            botId: Id,
            id: Type.String({ description: "Id of the variable." }),
            names: Type.Array(Type.String(), {
              description: "Its name in the draft, then those that it had in versions.",
            }),
          }),
          {
            description:
              "Of a dry run: the variables that are meant, which have the name or had it. A bot may have several. Empty if only results have the name.",
          },
        ),
      ),
      onlyInAnswers: Type.Optional(
        Type.Integer({
          description:
            "In a dry run: results that have the value only in answers, such as those that visitors took back or replaced.",
        }),
      ),
      isExact: Type.Optional(
        Type.Boolean({
          description:
            "Of a dry run: whether all was counted. False if there is more than one request may do, or the index of variables' values has not caught up with the workspace's results.",
        }),
      ),
      asOf: Type.Optional(
        Type.Unsafe<Date | string>({
          ...Timestamp,
          description:
            "Of a dry run, while that index has not caught up: the time up to which it surely has all results.",
        }),
      ),
    }),
    isAudited: ({ isDryRun }) => !isDryRun,
    handle: async (deps, { caller, params, body: { match = "exact", isDryRun = false, ...person } }) =>
      erasePerson(deps, caller, { ...params, ...person, match, isDryRun }),
  }),
  operation({
    id: "listPersonErasures",
    route: `GET ${path}`,
    ...pageOf({ personErasures: Type.Array(ErasureSchema) }),
    handle: async (deps, { caller, params, query }) => listReceipts(deps, caller, params.workspaceId, query),
  }),
];
