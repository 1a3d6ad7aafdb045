import { Type } from "@sinclair/typebox";
import { limits } from "../../limits/index.ts";
import { Id, NextCursor, nullable, oneOf, resource, Timestamp } from "../../platform/http/schemas.ts";
import { type Operation, operationFor } from "../operations/operation.ts";
import { getModelUsage, listModelCalls, usageGroups } from "./model-usage.ts";

const operation = operationFor("Models");
const day = (description: string) => Type.String({ examples: ["2026-11-22"], description });

const sums = {
  calls: Type.Number({ description: "Number of calls, including those without a response." }),
  tokensIn: Type.Number({ description: "Input tokens." }),
  tokensCached: Type.Number({ description: "Cached input tokens." }),
  tokensOut: Type.Number({ description: "Output tokens." }),
  money: nullable(Type.Number({ description: "Cost; null if no model had a price." })),
};

const ModelUsageSchema = resource(
  "ModelUsage",
  {
    day: nullable(day("The day, in UTC; null if the usage is not grouped by day.")),
    botId: {
      ...nullable(Id),
      description: "Id of the bot, which may be deleted; null if the usage is not grouped by bot.",
    },
    type: nullable(Type.String({ description: "Type of the credentials; null if the usage is not grouped by model." })),
    model: nullable(Type.String({ description: "Name of the model; null if the usage is not grouped by model." })),
    ...sums,
  },
  "The usage of language models.",
);

const ModelCallSchema = resource(
  "ModelCall",
  {
    id: Id,
    botId: Id,
    resultId: Id,
    sessionId: Id,
    blockId: Type.String(),
    type: Type.String({ description: "Type of the credentials." }),
    model: Type.String({ description: "Name of the model." }),
    ended: Type.String({
      description:
        "Reason why the response ended: `stop`, `length`, `tools`, `filtered` or `cut`. Without a response, the reason for that, such as `key` or `time`.",
    }),
    tries: Type.Integer({ description: "Number of attempts." }),
    firstTextMs: nullable(
      Type.Integer({ description: "Milliseconds until the first piece of text; null if there was no text." }),
    ),
    durationMs: Type.Integer({ description: "Total duration of all attempts in milliseconds." }),
    tokensIn: nullable(Type.Number({ description: "Input tokens; null without a response." })),
    tokensCached: nullable(Type.Number({ description: "Cached input tokens." })),
    tokensOut: nullable(Type.Number({ description: "Output tokens; null without a response." })),
    isEstimated: Type.Boolean({
      description: "Whether the numbers of tokens are estimated because the provider did not report all of them.",
    }),
    money: nullable(Type.Number({ description: "Cost; null if the model has no price." })),
    request: Type.String({
      description: "The request as JSON text, truncated after 64 kB, without keys and without the content of files.",
    }),
    answer: nullable(
      Type.String({
        description:
          "The response, or the reason why there is no response, as JSON text in the same form as the request.",
      }),
    ),
    createdAt: Timestamp,
  },
  "A call of a language model.",
  {
    blockId: "asks",
    type: "openai",
    model: "gpt-5",
    ended: "stop",
    tries: 1,
    firstTextMs: 410,
    durationMs: 2_130,
    tokensIn: 812,
    tokensCached: 0,
    tokensOut: 96,
    isEstimated: false,
    money: 0.0002,
    request: '{"model":"gpt-5","messages":[{"role":"user","content":"Where is my parcel?"}]}',
    answer: '{"text":"It arrives today."}',
  },
);

const usage = { calls: 41, tokensIn: 38_400, tokensCached: 12_000, tokensOut: 9_120, money: 0.13 };
export const modelUsageOperations: readonly Operation[] = [
  operation({
    id: "getModelUsage",
    route: "GET /api/v1/workspaces/:workspaceId/model-usage",
    description:
      `Usage is counted for each day (UTC), bot and model, and kept permanently. Days are in chronological order; bots and models are sorted by tokens, highest first. The list has at most ${limits.modelBudgets.usageRows.toLocaleString("en")} entries, ` +
      "and `total` covers all usage of these days. A call that was repeated after a crash counts twice, as it does at its provider. Tokens that a provider does not report are estimated as one token for every four characters.",
    query: Type.Object({
      from: Type.Optional(day("The first day. Defaults to the first of the 30 days that end with the last day.")),
      to: Type.Optional(day("The last day. Defaults to today, in UTC.")),
      groupBy: Type.Optional({ ...oneOf(usageGroups), default: "day", description: "Grouping of the usage." }),
    }),
    answer: Type.Object({
      usage: Type.Array(ModelUsageSchema, { description: "The usage by group." }),
      total: Type.Object(
        { from: day("The first day."), to: day("The last day."), ...sums },
        { description: "The usage of all these days." },
      ),
    }),
    answerExample: {
      usage: [{ day: "2026-11-22", botId: null, type: null, model: null, ...usage }],
      total: { from: "2026-10-24", to: "2026-11-22", ...usage },
    },
    handle: async (deps, { caller, params, query }) =>
      getModelUsage(deps, caller, params.workspaceId, { ...query, groupBy: query.groupBy ?? "day" }),
  }),
  operation({
    id: "listModelCalls",
    route: "GET /api/v1/bots/:botId/results/:resultId/model-calls",
    query: Type.Object({
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: limits.modelBudgets.callsPageSize,
          default: limits.modelBudgets.callsPageSize,
        }),
      ),
      cursor: Type.Optional(Type.String({ description: "`nextCursor` of the previous page." })),
    }),
    answer: Type.Object({
      modelCalls: Type.Array(ModelCallSchema, { description: "The calls, newest first." }),
      nextCursor: NextCursor,
    }),
    handle: async (deps, { caller, params, query }) => listModelCalls(deps, caller, params, query),
  }),
];
