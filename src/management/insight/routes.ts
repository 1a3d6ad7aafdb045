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
    groupId: nullable(Type.String({ description: "Id of the group; null if the flow does not contain the block." })),
    groupTitle: nullable(Type.String({ description: "Title of the group; null if `groupId` is null." })),
    type: nullable(Type.String({ description: "The block's type; null if `groupId` is null." })),
    reached: counted("Number of chats that reached the block."),
    answered: counted("Number of chats that answered the block."),
    answers: counted("Total number of answers. A chat can answer a question in a loop several times."),
    left: counted("Number of incomplete chats that wait or ended at the block."),
    silent: counted("Number of chats in `left` without any answer: the visitor only opened the chat."),
    good: counted("Number of answers of a language model in this bubble that visitors rated as good."),
    bad: counted("Number of answers of a language model in this bubble that visitors rated as bad."),
    values: Type.Array(
      Type.Object({
        value: nullable(Type.String({ description: "The answer; null for all answers that the flow does not list." })),
        chats: counted("Number of chats with this answer."),
        answers: counted("Total number of times that this answer was given."),
      }),
      { description: "Answers to choices and ratings, most frequent first." },
    ),
  },
  "Statistics of one block.",
);

const figures = {
  pageViews: counted("Number of views of the chat page while `version` was published."),
  views: counted(
    "Number of results that started in the window, which are opened chats, including chats of widgets and channels.",
  ),
  starts: counted("Number of results with an answer."),
  completions: counted("Number of complete results."),
  medianSeconds: nullable(
    Type.Number({ description: "Median time from the start to the last answer of complete results, accurate to 1 %." }),
  ),
  p90Seconds: nullable(
    Type.Number({
      description:
        "90th percentile of the time from the start to the last answer of complete results, accurate to 1 %.",
    }),
  ),
  payments: Type.Array(
    Type.Object({
      currency: Type.String({ description: "Code of the currency." }),
      count: counted("Number of successful payments."),
      amount: Type.Number({ description: "Sum of the payments, in the main unit of the currency." }),
    }),
    { description: "Payments by chats that started in the window, regardless of when the money arrived, by currency." },
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
              "The same statistics for the previous window, with `withBefore=true`. The previous window is as many days earlier, or the previous month or year up to the same moment. Null for a window without a start.",
          },
        ),
      ),
    ),
    blocks: Type.Array(BlockSchema, {
      description:
        "Questions and other reached blocks, in the order in which a chat runs the flow of `version` or the published flow. Blocks that no edge leads to, and then blocks that the flow no longer contains, come last.",
    }),
    edges: Type.Array(
      Type.Object({
        edgeId: Type.String({ description: "Id of the edge within the flow." }),
        chats: counted("Number of chats that followed the edge."),
        times: counted("Total number of times that the edge was followed."),
        from: nullable(
          Type.Object(
            {
              groupId: Type.String(),
              groupTitle,
              blockId: Type.String(),
              itemId: nullable(
                Type.String({ description: "Id of the choice or condition; null for an edge of the block itself." }),
              ),
            },
            { description: "Source of the edge; null if the flow does not contain the edge." },
          ),
        ),
        to: nullable(
          Type.Object(
            {
              groupId: Type.String(),
              groupTitle,
              blockId: nullable(Type.String({ description: "Id of the block; null for the group's first block." })),
            },
            { description: "Target of the edge; null if the flow does not contain the edge." },
          ),
        ),
      }),
      {
        description:
          "Edges that chats followed because of a choice or a condition, in the order of `blocks`. Default edges of blocks are not included.",
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
      "Returns views, starts, completions and their duration; for each block the numbers of chats that reached, answered and left it; the chosen answers; and payments by currency. Covers results that started in the window, without " +
      "deleted results. A job updates the counts every minute or two.",
    query: Type.Object({
      ...windowQuery,
      version: filterQuery.version,
      channel: filterQuery.channel,
      withBefore: Type.Optional(
        Type.Boolean({ default: false, description: "Adds `before`, the statistics of the previous window." }),
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
          totalViews: counted("Number of results that started in the window."),
          totalStarts: counted("Number of results with an answer."),
          totalCompleted: counted("Number of complete results."),
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
    summary: "Get the counts of a published bot's answers and edges",
    description:
      "For existing clients. Counts every answer to an input of the published flow, and every use of an edge off the default path. `GET …/insight` counts chats instead.",
    isCompatible: true,
    query,
    answer: Type.Object({
      totalAnswers: Type.Array(Type.Object({ blockId: Type.String(), total: counted("Total number of answers.") }), {
        description: "The inputs of the published flow with their numbers of answers.",
      }),
      offDefaultPathVisitedEdges: Type.Array(
        Type.Object({
          id: Type.String({ description: "Id of the edge." }),
          total: counted("Total number of times that the edge was followed."),
          to: nullable(
            Type.Object(
              { groupId: Type.String(), blockId: Type.Optional(Type.String()) },
              { description: "Target of the edge; null if the published flow does not contain the edge." },
            ),
          ),
        }),
        { description: "Edges off the default path that chats followed." },
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
