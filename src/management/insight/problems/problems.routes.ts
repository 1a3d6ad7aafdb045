import { Type } from "@sinclair/typebox";
import { exampleId, exampleTime, Id, nullable, resource, Timestamp } from "../../../platform/http/schemas.ts";
import { type Operation, operationFor } from "../../operations/operation.ts";
import { listProblems } from "./problems.ts";

const operation = operationFor("Insight");
const counted = (description: string) => Type.Integer({ description });

const chats = (words: string) =>
  Type.Object(
    { chats: counted("Number of opened chats."), failedChats: counted("Number of chats with an error.") },
    { description: `Numbers of chats that started within ${words}.` },
  );
const times = (words: string) =>
  Type.Object(
    {
      chats: counted("Number of chats with this error."),
      times: counted("Total number of occurrences of this error."),
    },
    { description: `Occurrences in chats that started within ${words}.` },
  );
const [day, week] = ["the last 24 hours", "the last 7 days"];

const ProblemSchema = resource(
  "Problem",
  {
    blockId: nullable(
      Type.String({
        description: "Id of the block that failed; null if the error is not of a block, as for an e-mail.",
      }),
    ),
    blockName: nullable(
      Type.String({
        description: "The block's name in the builder; null if the published flow does not contain the block.",
      }),
    ),
    blockType: nullable(Type.String({ description: "The block's type; null if `blockName` is null." })),
    groupTitle: nullable(Type.String({ description: "Title of the block's group; null if `blockName` is null." })),
    reason: Type.String({
      description:
        "Cause of the error: `http.<status>` or `http.unanswered` (a call), `model.<why>` (a call of a model), `script`, `credentials`, `mail`, `budget` (a step was too long), or `block` (any other error of the block).",
    }),
    lastDay: times(day),
    lastWeek: times(week),
    lastSeenAt: nullable({ ...Timestamp, description: "Time of the last counted occurrence." }),
    lastResultId: nullable({
      ...Id,
      description:
        "Id of the latest result with this error, whose log has the details; null if the result was deleted.",
    }),
  },
  "An error of one block, for one reason.",
  {
    blockId: "order",
    blockName: "HTTP request",
    blockType: "Webhook",
    groupTitle: "Order",
    reason: "http.503",
    lastDay: { chats: 23, times: 31 },
    lastWeek: { chats: 24, times: 32 },
  },
);

const BotProblemsSchema = resource(
  "BotProblems",
  {
    botId: Id,
    botName: Type.String({ description: "The bot's name." }),
    lastDay: chats(day),
    lastWeek: chats(week),
    problems: Type.Array(ProblemSchema, {
      description: "The 20 most frequent errors of the last day, and then the most frequent errors of the week.",
    }),
  },
  "The errors of a bot's chats.",
  {
    botName: "Orders",
    lastDay: { chats: 310, failedChats: 23 },
    lastWeek: { chats: 2_140, failedChats: 24 },
  },
);

export const problemOperations: readonly Operation[] = [
  operation({
    id: "listProblems",
    route: "GET /api/v1/workspaces/:workspaceId/problems",
    summary: "List the errors of a workspace's bots",
    description:
      "Returns the bots whose chats of the last 7 days had errors, at most 200, sorted by errors in the last 24 hours. For each bot, lists the blocks that failed, the cause, and the latest result with the error. Counted as in `insight`: deleted " +
      "results are not counted. Errors that visitors' clients report are not included. A GUEST gets the bots that they collaborate on.",
    answer: Type.Object({
      asOf: nullable({
        ...Timestamp,
        description: "Time up to which errors are counted; null before the first count.",
      }),
      bots: Type.Array(BotProblemsSchema, { description: "Bots with errors." }),
    }),
    answerExample: { asOf: exampleTime, bots: [{ ...BotProblemsSchema.example, botId: exampleId }] },
    handle: async (deps, { caller, params }) => listProblems(deps, caller, params.workspaceId),
  }),
];
