import { Type } from "@sinclair/typebox";
import { limits } from "../../limits/index.ts";
import { Id, NextCursor, nullable, oneOf, resource, Timestamp } from "../../platform/http/schemas.ts";
import { type Operation, operationFor } from "../operations/operation.ts";
import { getModelUsage, listModelCalls, usageGroups } from "./model-usage.ts";

const operation = operationFor("Models");
const day = (description: string) => Type.String({ examples: ["2026-11-22"], description });

const sums = {
  calls: Type.Number({ description: "Calls that were made, those without an answer included." }),
  tokensIn: Type.Number({ description: "Tokens that were sent." }),
  tokensCached: Type.Number({ description: "How many of them the provider had kept from an earlier call." }),
  tokensOut: Type.Number({ description: "Tokens that were answered." }),
  money: nullable(Type.Number({ description: "What they cost; null where no model had a price." })),
};

const ModelUsageSchema = resource(
  "ModelUsage",
  {
    day: nullable(day("The day, in UTC; null where it is not grouped by days.")),
    botId: {
      ...nullable(Id),
      description: "Id of the bot, which may be deleted; null where it is not grouped by bots.",
    },
    type: nullable(Type.String({ description: "Type of the credentials; null where it is not grouped by models." })),
    model: nullable(Type.String({ description: "Name of the model; null where it is not grouped by models." })),
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
        "`stop`, `length`, `tools`, `filtered` or `cut`; where there is no answer, the reason, such as `key` or `time`.",
    }),
    tries: Type.Integer({ description: "How often it was sent." }),
    firstTextMs: nullable(
      Type.Integer({ description: "Milliseconds to the first piece of text; null where there was none." }),
    ),
    durationMs: Type.Integer({ description: "Milliseconds of all tries together." }),
    tokensIn: nullable(Type.Number({ description: "Tokens that were sent; null where there is no answer." })),
    tokensCached: nullable(
      Type.Number({ description: "How many of them the provider had kept from an earlier call." }),
    ),
    tokensOut: nullable(Type.Number({ description: "Tokens that were answered; null where there is no answer." })),
    isEstimated: Type.Boolean({ description: "Whether the provider did not tell all of the tokens." }),
    money: nullable(Type.Number({ description: "What it cost; null where the model has no price." })),
    request: Type.String({
      description: "What was sent, as JSON text; cut after 64 kB, without keys, and without what files hold.",
    }),
    answer: nullable(Type.String({ description: "What was answered, or why there is no answer, likewise." })),
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
    summary: "Get the usage of models",
    description:
      `Counted for each day (UTC), bot and model, and kept for good. Days are listed in their order, bots and models by their tokens, the most first: ${limits.modelBudgets.usageRows.toLocaleString("en")} of them at most, ` +
      "while `total` has all. A call that a crash cut off and that was made again counts twice, as at its provider. Tokens that a provider does not tell are estimated: one for four characters.",
    query: Type.Object({
      from: Type.Optional(day("The first day; absent: 30 days with the last one.")),
      to: Type.Optional(day("The last day; absent: today, in UTC.")),
      groupBy: Type.Optional({ ...oneOf(usageGroups), default: "day", description: "What it is added up by." }),
    }),
    answer: Type.Object({
      usage: Type.Array(ModelUsageSchema, { description: "What was used, group by group." }),
      total: Type.Object(
        { from: day("The first day."), to: day("The last day."), ...sums },
        { description: "All of these days." },
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
    summary: "List a result's calls of models",
    description:
      "Newest first, with what was sent and answered: for `keepModelCallsDays` of the workspace, and no longer than the result. Keys, and what looks like one, read `•••`.",
    query: Type.Object({
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: limits.modelBudgets.callsPageSize,
          default: limits.modelBudgets.callsPageSize,
        }),
      ),
      cursor: Type.Optional(Type.String({ description: "`nextCursor` of the page before." })),
    }),
    answer: Type.Object({
      modelCalls: Type.Array(ModelCallSchema, { description: "Newest first." }),
      nextCursor: NextCursor,
    }),
    handle: async (deps, { caller, params, query }) => listModelCalls(deps, caller, params, query),
  }),
];
