import { Type } from "@sinclair/typebox";
import { exampleId, exampleTime, Id, nullable } from "../../platform/http/schemas.ts";
import { type Operation, operationFor } from "../operations/operation.ts";
import { filterQuery, windowQuery } from "../results/result-queries.ts";
import { countedWindow, series, stepQuery, totals, windowBeforeFields } from "./schemas.ts";
import { getSeries } from "./series.ts";
import { getWorkspaceInsight } from "./workspace-insight.ts";

const operation = operationFor("Insight");

const example = { views: 120, starts: 90, completions: 61, failedChats: 2 };
const examplePoints = [{ from: exampleTime, to: "2026-08-23T06:05:06.000Z", ...example }];
const exampleWindow = { asOf: exampleTime, from: exampleTime, to: null };

export const seriesOperations: readonly Operation[] = [
  operation({
    id: "getInsightSeries",
    route: "GET /api/v1/bots/:botId/insight/series",
    summary: "Get the totals of a bot's results over time",
    description:
      "Returns views, starts and completions by the hour, day, week or month in which the results started. Counted as in `insight`: the sums of all points are its totals.",
    query: Type.Object({
      ...windowQuery,
      version: filterQuery.version,
      channel: filterQuery.channel,
      ...stepQuery,
    }),
    answer: Type.Object({ series: Type.Object({ ...countedWindow, ...series }, { description: "The series." }) }),
    answerExample: { series: { ...exampleWindow, step: "day", points: examplePoints } },
    handle: async (deps, { caller, params, query }) => ({ series: await getSeries(deps, caller, params.botId, query) }),
  }),
  operation({
    id: "getWorkspaceInsight",
    route: "GET /api/v1/workspaces/:workspaceId/insight",
    summary: "Get the totals of all bots of a workspace",
    description:
      "Returns views, starts, completions and chats with errors of results that started in the window and in the previous window: in total, over time, and for each bot, sorted by views, highest first (at most 200 bots, including archived bots). Counted as in " +
      "`insight` of a bot. A GUEST gets the bots that they collaborate on.",
    query: Type.Object({ ...windowQuery, ...stepQuery }),
    answer: Type.Object({
      insight: Type.Object(
        {
          ...countedWindow,
          ...totals,
          before: nullable(
            Type.Object(
              { ...windowBeforeFields, ...totals },
              {
                description:
                  "The same totals for the previous window, which is as many days earlier, or the previous month or year up to the same moment. Null for a window without a start.",
              },
            ),
          ),
          ...series,
          bots: Type.Array(
            Type.Object({
              botId: Id,
              botName: Type.String({ description: "The bot's name." }),
              isArchived: Type.Boolean({ description: "Whether the bot is archived." }),
              ...totals,
              before: nullable(Type.Object(totals, { description: "The bot's totals in the previous window." })),
              trend: Type.Array(Type.Integer(), { description: "The bot's number of views at each of `points`." }),
            }),
            { description: "The bots with their totals." },
          ),
        },
        { description: "The totals." },
      ),
    }),
    answerExample: {
      insight: {
        ...{ ...exampleWindow, ...example, before: { from: exampleTime, to: exampleTime, ...example } },
        ...{ step: "day", points: examplePoints },
        bots: [{ botId: exampleId, botName: "Orders", isArchived: false, ...example, before: example, trend: [120] }],
      },
    },
    handle: async (deps, { caller, params, query }) => ({
      insight: await getWorkspaceInsight(deps, caller, params.workspaceId, query),
    }),
  }),
];
