import { Type } from "@sinclair/typebox";
import { exampleId, exampleTime, Id, nullable, resource, Timestamp } from "../../../platform/http/schemas.ts";
import { type Operation, operationFor } from "../../operations/operation.ts";
import { getFigures } from "./figures.ts";

const operation = operationFor("Insight");
const counted = (description: string) => Type.Integer({ description });

const week = {
  starts: counted("Number of chats with an answer."),
  completions: counted("Number of complete chats."),
  failedChats: counted("Number of chats with an error."),
};
const totals = (description: string) =>
  Type.Object({ ...week, failingBots: counted("Number of bots that had chats with an error.") }, { description });

const WorkspaceFiguresSchema = resource(
  "WorkspaceFigures",
  {
    asOf: nullable({ ...Timestamp, description: "Time up to which chats are counted; null before the first count." }),
    from: { ...Timestamp, description: "Start of the last week, rounded to a quarter of an hour." },
    lastWeek: totals("Chats that started within the last 7 days."),
    weekBefore: totals("Chats that started in the 7 days before that."),
    bots: Type.Array(
      Type.Object({
        botId: Id,
        botName: Type.String({ description: "The bot's name." }),
        botIcon: nullable(Type.String({ description: "The bot's icon." })),
        ...week,
      }),
      {
        description:
          "The bots with chats in the last 7 days, at most 200, sorted by number of answered chats, highest first.",
      },
    ),
  },
  "The statistics of a workspace's bots.",
  {
    lastWeek: { starts: 812, completions: 590, failedChats: 4, failingBots: 1 },
    weekBefore: { starts: 740, completions: 481, failedChats: 31, failingBots: 2 },
  },
);

export const figureOperations: readonly Operation[] = [
  operation({
    id: "getWorkspaceFigures",
    route: "GET /api/v1/workspaces/:workspaceId/figures",
    summary: "Get the statistics of a workspace's bots",
    description:
      "Returns the numbers of answered chats, complete chats and chats with errors in the last 7 days and in the 7 days before that. They come from the same counts as `insight`. Archived bots and deleted results are not counted. A GUEST gets the " +
      "statistics of the bots that they collaborate on.",
    answer: Type.Object({ figures: WorkspaceFiguresSchema }),
    answerExample: {
      figures: {
        ...{ asOf: exampleTime, from: exampleTime },
        lastWeek: WorkspaceFiguresSchema.example.lastWeek,
        weekBefore: WorkspaceFiguresSchema.example.weekBefore,
        bots: [{ botId: exampleId, botName: "Orders", botIcon: "📦", starts: 310, completions: 262, failedChats: 4 }],
      },
    },
    handle: async (deps, { caller, params }) => ({ figures: await getFigures(deps, caller, params.workspaceId) }),
  }),
];
