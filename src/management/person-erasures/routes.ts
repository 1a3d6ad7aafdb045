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
    userId: Type.String({ description: "Id of the user who requested the erasure." }),
    isDryRun: Type.Boolean({
      description: "Whether the request only counted, and erased nothing. The receipt of such a request is not stored.",
    }),
    outcome: oneOf(erasureOutcomes, {
      description:
        "`erased`: the data was erased. `counted`: a dry run counted the data. `nothing_found`: no result has the value. `unfinished`: there is more data than one request can process.",
    }),
    results: Type.Integer({ description: "Number of erased results of all bots. A dry run only counts." }),
    variable: Type.String({ description: "Name of the variable that identified the person." }),
    match: oneOf(personMatches, { description: "How values were compared." }),
    salt: Type.String({ description: "Random salt of 16 bytes, in hexadecimal digits." }),
    valueHash: Type.String({
      description:
        "SHA-256 of the salt's bytes and the value. With `folded`, the value has the form that a dry run returns in `comparedValue`. With the value, you can verify that this receipt refers to it.",
    }),
    isComplete: Type.Boolean({
      description: "False if there is more data to erase. Send the request again; each request creates a receipt.",
    }),
    bots: Type.Array(
      Type.Object({
        botId: Id,
        name: Type.String(),
        results: Type.Integer({ description: "Number of erased results." }),
        answers: Type.Integer({ description: "Number of answers in these results." }),
        sessions: Type.Integer({ description: "Number of erased sessions." }),
        files: Type.Integer({ description: "Number of erased files." }),
        resultHashes: Type.Array(Type.String(), {
          description: `SHA-256 hashes of the results' ids, for at most ${limits.personErasure.resultHashes.toLocaleString("en")} results in total.`,
        }),
      }),
      { description: "The bots that had data of the person." },
    ),
    exports: Type.Array(
      Type.Object({
        id: Id,
        botId: Id,
        userId: Type.String({ description: "Id of the user who requested the export, and who may have a copy." }),
        format: oneOf(exportFormats, { description: "Format of the file." }),
        fileName: Type.String({ description: "Name of the file." }),
        createdAt: Timestamp,
      }),
      {
        description:
          "The removed exports of these bots, which may contain data of the person. People who downloaded an export must delete their copies themselves.",
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
          description: "The current or a previous name of a variable of at least one bot.",
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
              "`exact` compares character by character. `folded` ignores case, white space at the ends, the number of blanks within the value, invisible characters and the form of characters (Unicode NFKD). " +
              "It also finds a phone number that begins with `+` or `00` in every spelling of the same international number (E.164).",
          }),
        ),
        isDryRun: Type.Optional(
          Type.Boolean({ default: false, description: "Whether to count only, and erase nothing." }),
        ),
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
            value: Type.String({ description: "The beginning of the value, as stored in the results." }),
            results: Type.Integer({ description: "Number of results with this spelling." }),
          }),
          {
            description: `Only for a dry run: the spellings of the value in these results, most frequent first, at most ${limits.personErasure.spellings}.`,
          },
        ),
      ),
      comparedValue: Type.Optional(
        Type.String({
          description: "Only for a dry run: the form of the value that is compared, and hashed for the receipt.",
        }),
      ),
      variables: Type.Optional(
        Type.Array(
          Type.Object({
            botId: Id,
            id: Type.String({ description: "Id of the variable." }),
            names: Type.Array(Type.String(), {
              description: "Name of the variable in the draft, and then its names in versions.",
            }),
          }),
          {
            description:
              "Only for a dry run: the variables that have or had this name. A bot can have several. Empty if only results have the name.",
          },
        ),
      ),
      onlyInAnswers: Type.Optional(
        Type.Integer({
          description:
            "Only for a dry run: number of results that have the value only in answers, such as answers that the visitor removed or replaced.",
        }),
      ),
      isExact: Type.Optional(
        Type.Boolean({
          description:
            "Only for a dry run: whether all data was counted. False if there is more data than one request can process, or if the index of variables' values is still behind the workspace's results.",
        }),
      ),
      asOf: Type.Optional(
        Type.Unsafe<Date | string>({
          ...Timestamp,
          description:
            "Only for a dry run whose index is still behind: the time up to which the index contains all results.",
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
