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
    description: "The most tokens; null: any number. 0: no call is made.",
  }),
);
const money = nullable(
  Type.Number({
    minimum: 0,
    maximum: limits.modelBudgets.money,
    description: "The most money, of models that have a price; null: any sum. 0: no call is made.",
  }),
);
const amounts = (description: string) => Type.Object({ tokens, money }, { description });
const amountsInput = (description: string) =>
  Type.Object({ tokens: Type.Optional(tokens), money: Type.Optional(money) }, { description });
const days = "Each day, in UTC.";
const months = "Each month, in UTC.";
const keepModelCallsDays = Type.Integer({
  minimum: 0,
  maximum: limits.modelBudgets.mostKeepDays,
  default: limits.modelBudgets.keepDays,
  description: "For how many days calls are kept with what was sent and answered; 0: none is.",
});

const spentAmounts = (description: string) =>
  Type.Object(
    {
      tokens: Type.Number({ description: "Tokens, of what was sent and of what was answered." }),
      money: Type.Number({ description: "In the money of the workspace's prices." }),
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
        day: spentAmounts("Today, in UTC."),
        month: spentAmounts("This month, in UTC."),
        reserved: spentAmounts("The most that running calls may cost."),
      },
      { description: "What the workspace's calls cost." },
    ),
  },
  "The budget of a workspace's calls of language models.",
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
const type = oneOf(types, { description: "Type of the credentials that it is called with." });
const model = Type.String({
  minLength: 1,
  maxLength: limits.modelBudgets.modelCharacters,
  description: "Its name, exactly as blocks have it.",
});
const price = (description: string) => Type.Number({ minimum: 0, maximum: limits.modelBudgets.money, description });
const sent = price("Of a million tokens that are sent.");
const answered = price("Of a million tokens that are answered.");
const cached = price("Of a million tokens that the provider had kept from an earlier call.");

const ModelPriceSchema = resource(
  "ModelPrice",
  { type, model, in: sent, cached, out: answered },
  "What a model costs, in money of the workspace's own.",
  { type: "openai", model: "gpt-5", in: 1.25, cached: 0.125, out: 10 },
);
const none = { tokens: null, money: null };

export const modelBudgetOperations: readonly Operation[] = [
  operation({
    id: "getModelBudget",
    route: `GET ${budgetPath}`,
    summary: "Get the model budget, and what is spent",
    answer: Type.Object({ modelBudget: ModelBudgetSchema }),
    handle: async (deps, { caller, params: { workspaceId } }) => ({
      modelBudget: await getModelBudget(deps, caller, workspaceId),
    }),
  }),
  operation({
    id: "setModelBudget",
    route: `PUT ${budgetPath}`,
    summary: "Set the model budget",
    description:
      "For ADMINs; it counts at once, for chats under way, too. What is left out bounds nothing. A call is made where each budget has room for the most that it may come " +
      "to: a token for three characters that are sent, 1,000 for a picture, and the block's `maxTokens` (16,384 where it has none). Bots have budgets of their own, in `settings.models`.",
    body: Type.Object({
      day: Type.Optional(amountsInput(days)),
      month: Type.Optional(amountsInput(months)),
      keepModelCallsDays: Type.Optional(keepModelCallsDays),
    }),
    bodyExample: { day: { tokens: 2_000_000 }, month: { money: 250 } },
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
    summary: "Get the prices of models",
    answer: listOf(ModelPriceSchema),
    handle: async (deps, { caller, params: { workspaceId } }) => ({
      prices: await getModelPrices(deps, caller, workspaceId),
    }),
  }),
  operation({
    id: "setModelPrices",
    route: `PUT ${pricesPath}`,
    summary: "Set the prices of models",
    description:
      "For ADMINs. These are all of them: others are removed. None is built in, and what was spent before stays as it was counted. Any currency, the same for all and for budgets.",
    body: Type.Object({
      prices: Type.Array(
        Type.Object({
          type,
          model,
          in: sent,
          cached: Type.Optional({ ...cached, description: `${cached.description} Absent: as \`in\`.` }),
          out: answered,
        }),
        { maxItems: limits.modelBudgets.prices, description: "Each model once." },
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
  return Type.Object({ prices: Type.Array(schema, { description: "By type and model." }) });
}
