import { type TSchema, Type } from "@sinclair/typebox";
import { credentialsKinds } from "../../core/credentials/index.ts";
import { limits } from "../../limits/index.ts";
import { nullable, oneOf, resource } from "../../platform/http/schemas.ts";
import { type Operation, operationFor } from "../operations/operation.ts";
import { getModelBudget, getModelPrices, setModelBudget, setModelPrices } from "./model-budgets.ts";

const operation = operationFor("Models");
const budgetPath = "/api/v1/workspaces/:workspaceId/model-budget";
const pricesPath = "/api/v1/workspaces/:workspaceId/model-prices";

const tokens = nullable(
  Type.Integer({
    minimum: 0,
    maximum: limits.modelBudgets.tokens,
    description: "Maximum number of tokens; null means unlimited, and 0 allows no calls.",
  }),
);
const money = nullable(
  Type.Number({
    minimum: 0,
    maximum: limits.modelBudgets.money,
    description: "Maximum cost of models that have a price; null means unlimited, and 0 allows no calls.",
  }),
);
const amounts = (description: string) => Type.Object({ tokens, money }, { description });
const amountsInput = (description: string) =>
  Type.Object({ tokens: Type.Optional(tokens), money: Type.Optional(money) }, { description });
const days = "Budget of each day, in UTC.";
const months = "Budget of each month, in UTC.";
const keepModelCallsDays = Type.Integer({
  minimum: 0,
  maximum: limits.modelBudgets.mostKeepDays,
  default: limits.modelBudgets.keepDays,
  description: "Number of days for which calls are stored with their requests and responses; 0 stores no calls.",
});

const spentAmounts = (description: string) =>
  Type.Object(
    {
      tokens: Type.Number({ description: "Tokens of requests and responses." }),
      money: Type.Number({ description: "Cost, in the currency of the workspace's prices." }),
    },
    { description },
  );

const ModelBudgetSchema = resource(
  "ModelBudget",
  {
    day: amounts(days),
    month: amounts(months),
    keepModelCallsDays,
    spent: Type.Object(
      {
        day: spentAmounts("Usage today, in UTC."),
        month: spentAmounts("Usage this month, in UTC."),
        reserved: spentAmounts("Maximum usage of the calls that are running."),
      },
      { description: "Usage of the workspace." },
    ),
  },
  "A workspace's budget for calls of language models.",
  {
    day: { tokens: 2_000_000, money: null },
    month: { tokens: null, money: 250 },
    keepModelCallsDays: 7,
    spent: {
      day: { tokens: 184_220, money: 1.31 },
      month: { tokens: 4_120_877, money: 32.05 },
      reserved: { tokens: 0, money: 0 },
    },
  },
);

const types = [...credentialsKinds.values()].filter(({ provider }) => provider).map(({ type }) => type);
const type = oneOf(types, { description: "Type of the credentials for the model." });
const model = Type.String({
  minLength: 1,
  maxLength: limits.modelBudgets.modelCharacters,
  description: "Name of the model, exactly as in blocks.",
});
const price = (description: string) => Type.Number({ minimum: 0, maximum: limits.modelBudgets.money, description });
const sent = price("Price of a million input tokens.");
const answered = price("Price of a million output tokens.");
const cached = price("Price of a million cached input tokens.");

const ModelPriceSchema = resource(
  "ModelPrice",
  { type, model, in: sent, cached, out: answered },
  "The price of a model, in the workspace's currency.",
  { type: "openai", model: "gpt-5", in: 1.25, cached: 0.125, out: 10 },
);
const none = { tokens: null, money: null };

export const modelBudgetOperations: readonly Operation[] = [
  operation({
    id: "getModelBudget",
    route: `GET ${budgetPath}`,
    answer: Type.Object({ modelBudget: ModelBudgetSchema }),
    handle: async (deps, { caller, params: { workspaceId } }) => ({
      modelBudget: await getModelBudget(deps, caller, workspaceId),
    }),
  }),
  operation({
    id: "setModelBudget",
    route: `PUT ${budgetPath}`,
    body: Type.Object({
      day: Type.Optional(amountsInput(days)),
      month: Type.Optional(amountsInput(months)),
      keepModelCallsDays: Type.Optional(keepModelCallsDays),
    }),
    answer: Type.Object({ modelBudget: ModelBudgetSchema }),
    handle: async (deps, { caller, params: { workspaceId }, body }) => ({
      modelBudget: await setModelBudget(deps, caller, workspaceId, {
        day: { ...none, ...body.day },
        month: { ...none, ...body.month },
        keepModelCallsDays: body.keepModelCallsDays ?? limits.modelBudgets.keepDays,
      }),
    }),
  }),
  operation({
    id: "getModelPrices",
    route: `GET ${pricesPath}`,
    answer: listOf(ModelPriceSchema),
    handle: async (deps, { caller, params: { workspaceId } }) => ({
      prices: await getModelPrices(deps, caller, workspaceId),
    }),
  }),
  operation({
    id: "setModelPrices",
    route: `PUT ${pricesPath}`,
    body: Type.Object({
      prices: Type.Array(
        Type.Object({
          type,
          model,
          in: sent,
          cached: Type.Optional({ ...cached, description: `${cached.description} Defaults to the price in \`in\`.` }),
          out: answered,
        }),
        { maxItems: limits.modelBudgets.prices, description: "The prices, at most one per model." },
      ),
    }),
    bodyExample: { prices: [ModelPriceSchema.example] },
    answer: listOf(ModelPriceSchema),
    handle: async (deps, { caller, params: { workspaceId }, body }) => ({
      prices: await setModelPrices(deps, caller, workspaceId, body.prices),
    }),
  }),
];

function listOf<Schema extends TSchema>(schema: Schema) {
  return Type.Object({ prices: Type.Array(schema, { description: "The prices, by type and model." }) });
}
