import { Type } from "@sinclair/typebox";
import { exampleTime, nullable, resource, Timestamp } from "../../platform/http/schemas.ts";
import { type Operation, operationFor } from "../operations/operation.ts";
import { filterQuery, windowQuery } from "../results/result-queries.ts";
import { getInDepthData, getInsight, getStats } from "./insight.ts";

const operation = operationFor("Insight");
const counted = (description: string) => Type.Integer({ description });

const BlockSchema = resource(
  "BlockInsight",
  {
    blockId: Type.String(),
    groupId: nullable(Type.String({ description: "Null for a block that the flow has not, or has no more." })),
    type: nullable(Type.String({ description: "The block's type; null as `groupId` is." })),
    reached: counted("Chats that were shown or asked it."),
    answered: counted("Chats that answered it."),
    answers: counted("Answers in all: a question in a loop is answered several times in one chat."),
    left: counted("Chats that did not complete and wait at it, or ended there."),
    values: Type.Array(
      Type.Object({
        value: nullable(Type.String({ description: "Null for all that do not stand in the flow." })),
        chats: counted("Chats that answered this."),
        answers: counted("How often it was answered in all."),
      }),
      { description: "What was answered, of choices and ratings; the most frequent first." },
    ),
  },
  "How chats fared at a block.",
);

const InsightSchema = resource(
  "Insight",
  {
    asOf: nullable({
      ...Timestamp,
      description: "What happened before is counted; null before the first count.",
    }),
    from: nullable({ ...Timestamp, description: "The window that was counted, to whole quarters of an hour." }),
    to: nullable({ ...Timestamp, description: "Its end, which is no part of it; null where it has none." }),
    pageViews: counted("How often the chat page was shown, while `version` was what visitors met."),
    views: counted("Results that began in the window: chats, also of widgets and channels, that were opened."),
    starts: counted("Those with an answer."),
    completions: counted("Those that came to an end."),
    medianSeconds: nullable(
      Type.Number({ description: "From the beginning to the last answer of those that came to an end, within 1 %." }),
    ),
    p90Seconds: nullable(Type.Number({ description: "Nine of ten took no longer." })),
    blocks: Type.Array(BlockSchema, {
      description:
        "Questions, and what else was reached, in the order of the flow of `version`, or of what visitors meet.",
    }),
    edges: Type.Array(
      Type.Object({
        edgeId: Type.String({ description: "Id of the edge, inside the flow." }),
        chats: counted("Chats that took it."),
        times: counted("How often it was taken in all."),
        to: nullable(
          Type.Object(
            {
              groupId: Type.String(),
              blockId: nullable(Type.String({ description: "Null for the group's first block." })),
            },
            { description: "Where it leads; null for an edge that the flow has not, or has no more." },
          ),
        ),
      }),
      { description: "Edges that were taken by choice or condition, not those that a block goes on by anyhow." },
    ),
  },
  "Statistics of a bot's results that began in a window.",
);

const query = Type.Object(windowQuery);

export const insightOperations: readonly Operation[] = [
  operation({
    id: "getInsight",
    route: "GET /api/v1/bots/:botId/insight",
    summary: "Get the statistics of a bot's results",
    description:
      "Views, starts, completions and how long they took; for each block how many chats reached, answered and left it; what was chosen. Of results that began in the window, without those that were " +
      "deleted. Read from counts that a job keeps, a minute or two behind.",
    query: Type.Object({ ...windowQuery, version: filterQuery.version }),
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
        blocks: [
          {
            blockId: "plan",
            groupId: "welcome",
            type: "choice input",
            reached: 118,
            answered: 90,
            answers: 93,
            left: 28,
            values: [{ value: "Free", chats: 64, answers: 66 }],
          },
        ],
        edges: [{ edgeId: "to-free", chats: 64, times: 66, to: { groupId: "free", blockId: null } }],
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
    description: "As existing clients know them; `GET …/insight` says more.",
    isCompatible: true,
    query,
    answer: Type.Object({
      stats: Type.Object(
        {
          totalViews: counted("Results that began in the window."),
          totalStarts: counted("Those with an answer."),
          totalCompleted: counted("Those that came to an end."),
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
      "As existing clients know them: every answer to an input of the published flow, and every time an edge off the default path was taken. `GET …/insight` counts chats.",
    isCompatible: true,
    query,
    answer: Type.Object({
      totalAnswers: Type.Array(Type.Object({ blockId: Type.String(), total: counted("Answers in all.") }), {
        description: "Each input of the published flow.",
      }),
      offDefaultPathVisitedEdges: Type.Array(
        Type.Object({
          id: Type.String({ description: "Id of the edge." }),
          total: counted("How often it was taken in all."),
          to: nullable(
            Type.Object(
              { groupId: Type.String(), blockId: Type.Optional(Type.String()) },
              { description: "Where it leads; null for one that the published flow has not." },
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
