import { Type } from "@sinclair/typebox";
import { exampleTime, nullable, resource } from "../../platform/http/schemas.ts";
import { type Operation, operationFor } from "../operations/operation.ts";
import { filterQuery, windowQuery } from "../results/result-queries.ts";
import { getInDepthData, getInsight, getStats } from "./insight.ts";
import { countedWindow, windowBeforeFields } from "./schemas.ts";

const operation = operationFor("Insight");
const counted = (description: string) => Type.Integer({ description });
const groupTitle = Type.String({ description: "Title of the group." });

const BlockSchema = resource(
  "BlockInsight",
  {
    blockId: Type.String(),
    groupId: nullable(Type.String({ description: "Id of the group; null if the block is not in the flow." })),
    groupTitle: nullable(Type.String({ description: "Title of the group; null if `groupId` is null." })),
    type: nullable(Type.String({ description: "The block's type; null if `groupId` is null." })),
    reached: counted("Chats that reached the block."),
    answered: counted("Chats that answered the block."),
    answers: counted("Total number of answers. A chat can answer a question in a loop several times."),
    left: counted("Incomplete chats that wait or ended at the block."),
    silent: counted("Those of `left` without any answer: they opened the chat alone."),
    good: counted("Answers of a language model in this bubble that visitors rated as good."),
    bad: counted("Those that they rated as bad."),
    values: Type.Array(
      Type.Object({
        value: nullable(Type.String({ description: "The answer; null for all answers that are not in the flow." })),
        chats: counted("Chats with this answer."),
        answers: counted("Total number of times that it was given."),
      }),
      { description: "Answers to choices and ratings, most frequent first." },
    ),
  },
  "Statistics of one block.",
);

const figures = {
  pageViews: counted("Views of the chat page while `version` was published."),
  views: counted("Results that started in the window: opened chats, including those of widgets and channels."),
  starts: counted("Results with an answer."),
  completions: counted("Complete results."),
  medianSeconds: nullable(
    Type.Number({ description: "Median time from the start to the last answer of complete results, within 1 %." }),
  ),
  p90Seconds: nullable(Type.Number({ description: "90th percentile of the same time." })),
  payments: Type.Array(
    Type.Object({
      currency: Type.String({ description: "Code of the currency." }),
      count: counted("Payments that were made."),
      amount: Type.Number({ description: "Their sum, in whole units of the currency." }),
    }),
    { description: "Payments that were made by chats of the window, whenever the money came, by currency." },
  ),
};

const InsightSchema = resource(
  "Insight",
  {
    ...countedWindow,
    ...figures,
    before: Type.Optional(
      nullable(
        Type.Object(
          { ...windowBeforeFields, ...figures },
          {
            description:
              "The same figures of the window before, with `withBefore=true`: as many days earlier, or the month or year before up to the same moment. Null for a window without a start.",
          },
        ),
      ),
    ),
    blocks: Type.Array(BlockSchema, {
      description:
        "Questions, and other reached blocks, as a chat walks the flow of `version` or the published flow, from its start. Blocks that nothing leads to, and then blocks that the flow lacks, come last.",
    }),
    edges: Type.Array(
      Type.Object({
        edgeId: Type.String({ description: "Id of the edge, inside the flow." }),
        chats: counted("Chats that took the edge."),
        times: counted("Total number of times that it was taken."),
        from: nullable(
          Type.Object(
            {
              groupId: Type.String(),
              groupTitle,
              blockId: Type.String(),
              itemId: nullable(Type.String({ description: "The choice or condition; null for an edge of the block." })),
            },
            { description: "Where the edge leaves; null if the edge is not in the flow." },
          ),
        ),
        to: nullable(
          Type.Object(
            {
              groupId: Type.String(),
              groupTitle,
              blockId: nullable(Type.String({ description: "Null for the group's first block." })),
            },
            { description: "Target of the edge; null if the edge is not in the flow." },
          ),
        ),
      }),
      {
        description:
          "Edges that were taken by a choice or a condition, in the order of `blocks`. Default edges of blocks are not included.",
      },
    ),
  },
  "Statistics of a bot's results that started in a window.",
);

const query = Type.Object(windowQuery);

export const insightOperations: readonly Operation[] = [
  operation({
    id: "getInsight",
    route: "GET /api/v1/bots/:botId/insight",
    summary: "Get the statistics of a bot's results",
    description:
      "Returns views, starts, completions and their duration; for each block the chats that reached, answered and left it; the chosen answers, and payments by currency. Covers results that started in the window, without " +
      "deleted ones. A job updates the counts every minute or two.",
    query: Type.Object({
      ...windowQuery,
      version: filterQuery.version,
      channel: filterQuery.channel,
      withBefore: Type.Optional(
        Type.Boolean({ default: false, description: "Adds `before`, the figures of the window before." }),
      ),
    }),
    answer: Type.Object({ insight: InsightSchema }),
    answerExample: {
      insight: {
        asOf: exampleTime,
        from: exampleTime,
        to: null,
        pageViews: 204,
        views: 120,
        starts: 90,
        completions: 61,
        medianSeconds: 74.2,
        p90Seconds: 210.5,
        payments: [{ currency: "EUR", count: 12, amount: 149.5 }],
        blocks: [
          {
            blockId: "plan",
            groupId: "welcome",
            groupTitle: "Welcome",
            type: "choice input",
            reached: 118,
            answered: 90,
            answers: 93,
            left: 28,
            silent: 20,
            good: 0,
            bad: 0,
            values: [{ value: "Free", chats: 64, answers: 66 }],
          },
        ],
        edges: [
          {
            ...{ edgeId: "to-free", chats: 64, times: 66 },
            from: { groupId: "welcome", groupTitle: "Welcome", blockId: "plan", itemId: "free" },
            to: { groupId: "free", groupTitle: "Free", blockId: null },
          },
        ],
      },
    },
    handle: async (deps, { caller, params, query }) => ({
      insight: await getInsight(deps, caller, params.botId, query),
    }),
  }),
  operation({
    id: "getBotStats",
    route: "GET /api/v1/bots/:botId/analytics/stats",
    summary: "Get a published bot's totals",
    description: "For existing clients. `GET …/insight` has more details.",
    isCompatible: true,
    query,
    answer: Type.Object({
      stats: Type.Object(
        {
          totalViews: counted("Results that started in the window."),
          totalStarts: counted("Results with an answer."),
          totalCompleted: counted("Complete results."),
        },
        { description: "The totals." },
      ),
    }),
    answerExample: { stats: { totalViews: 120, totalStarts: 90, totalCompleted: 61 } },
    errors: ["bot.not_published"],
    handle: async (deps, { caller, params, query }) => ({ stats: await getStats(deps, caller, params.botId, query) }),
  }),
  operation({
    id: "getBotInDepthData",
    route: "GET /api/v1/bots/:botId/analytics/inDepthData",
    summary: "Get a published bot's answers and edges in numbers",
    description:
      "For existing clients: counts every answer to an input of the published flow, and every use of an edge off the default path. `GET …/insight` counts chats.",
    isCompatible: true,
    query,
    answer: Type.Object({
      totalAnswers: Type.Array(Type.Object({ blockId: Type.String(), total: counted("Total number of answers.") }), {
        description: "Each input of the published flow.",
      }),
      offDefaultPathVisitedEdges: Type.Array(
        Type.Object({
          id: Type.String({ description: "Id of the edge." }),
          total: counted("Total number of times that it was taken."),
          to: nullable(
            Type.Object(
              { groupId: Type.String(), blockId: Type.Optional(Type.String()) },
              { description: "Target of the edge; null if the edge is not in the published flow." },
            ),
          ),
        }),
        { description: "Edges off the default path that were taken." },
      ),
    }),
    answerExample: {
      totalAnswers: [{ blockId: "plan", total: 93 }],
      offDefaultPathVisitedEdges: [{ id: "to-free", total: 66, to: { groupId: "free" } }],
    },
    errors: ["bot.not_published"],
    handle: async (deps, { caller, params, query }) => getInDepthData(deps, caller, params.botId, query),
  }),
];
