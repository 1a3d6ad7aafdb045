import { Type } from "@sinclair/typebox";
import { limits } from "../../limits/index.ts";
import { exampleId, Id, pageOf, resource, Timestamp } from "../../platform/http/schemas.ts";
import type { BotDependencies } from "../bots/drafts/dependencies.ts";
import { type Operation, operationFor } from "../operations/operation.ts";
import { erasePerson, listReceipts } from "./person-erasures.ts";

const operation = operationFor<BotDependencies>("Workspaces");

const ErasureSchema = resource(
  "PersonErasure",
  {
    id: Id,
    workspaceId: Id,
    userId: Type.String({ description: "Id of the user who requested it." }),
    variable: Type.String({ description: "Name of the variable that identified the person." }),
    salt: Type.String({ description: "16 bytes, in hexadecimal digits." }),
    valueHash: Type.String({
      description:
        "SHA-256 of the salt's bytes and the value. With the value, you can verify that this receipt refers to it.",
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
    createdAt: Timestamp,
  },
  "A receipt for the erasure of a person's data.",
  {
    userId: exampleId,
    variable: "Name",
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
  },
);

const path = "/api/v1/workspaces/:workspaceId/person-erasures";

export const personErasureOperations: readonly Operation[] = [
  operation({
    id: "erasePerson",
    route: `POST ${path}`,
    summary: "Erase a person",
    description:
      "Permanently and immediately erases every result of the workspace's bots whose variable has exactly this value, with its answers, chats, files, pending deliveries, " +
      "and exports of these bots. Results in the bin are included. The receipt lists the counts and contains neither the value nor ids. Requires the role ADMIN.",
    body: Type.Object({
      variable: Type.String({
        minLength: 1,
        maxLength: limits.lists.searchCharacters,
        description: "The name of a variable of at least one bot.",
      }),
      value: Type.String({
        minLength: 1,
        maxLength: limits.lists.searchCharacters,
        description: "The exact value, or one entry of a list. Case matters.",
      }),
    }),
    bodyExample: { variable: "Name", value: "Ada Lovelace" },
    answer: Type.Object({ personErasure: ErasureSchema }),
    handle: async (deps, { caller, params, body }) => ({
      personErasure: await erasePerson(deps, caller, { ...params, ...body }),
    }),
  }),
  operation({
    id: "listPersonErasures",
    route: `GET ${path}`,
    summary: "List erasures of persons",
    description: "The receipts, newest first. For ADMINs.",
    ...pageOf({ personErasures: Type.Array(ErasureSchema) }),
    handle: async (deps, { caller, params, query }) => listReceipts(deps, caller, params.workspaceId, query),
  }),
];
