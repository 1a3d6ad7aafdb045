import { type Issue, invalidInput } from "../../platform/http/requests/invalid-input.ts";
import { type Caller, requireWorkspace } from "../access/access.ts";
import type { ManagementDependencies } from "../access/dependencies.ts";
import {
  findModelSettings,
  listModelPrices,
  type ModelPrice,
  type ModelSettings,
  replaceModelPrices,
  saveModelSettings,
} from "./model-settings.sql.ts";
import { findSpending, type ModelSpending } from "./model-spending.sql.ts";

/** The settings for a workspace's model calls, and the amounts spent. */
export type ModelBudgetView = ModelSettings & {
  readonly spent: Pick<ModelSpending, "day" | "month" | "reserved">;
};

/** Returns the settings for model calls and the amounts spent. Requires ADMIN or MEMBER. */
export async function getModelBudget(
  deps: ManagementDependencies,
  caller: Caller,
  workspaceId: string,
): Promise<ModelBudgetView> {
  await requireWorkspace(deps, caller, workspaceId, "work");
  return await viewOf(deps, workspaceId);
}

/** Replaces the settings for model calls. A budget that is null is unlimited. Requires ADMIN. */
export async function setModelBudget(
  deps: ManagementDependencies,
  caller: Caller,
  workspaceId: string,
  settings: ModelSettings,
): Promise<ModelBudgetView> {
  await requireWorkspace(deps, caller, workspaceId, "administer");
  await saveModelSettings(deps.sql, workspaceId, settings);
  return await viewOf(deps, workspaceId);
}

/** Returns the prices of models. Requires ADMIN or MEMBER. */
export async function getModelPrices(
  deps: ManagementDependencies,
  caller: Caller,
  workspaceId: string,
): Promise<ModelPrice[]> {
  await requireWorkspace(deps, caller, workspaceId, "work");
  return await listModelPrices(deps.sql, workspaceId);
}

/** Replaces all prices. Throws `request.invalid` if a model occurs twice. Requires ADMIN. */
export async function setModelPrices(
  deps: ManagementDependencies,
  caller: Caller,
  workspaceId: string,
  prices: readonly (Omit<ModelPrice, "cached"> & { readonly cached?: number })[],
): Promise<ModelPrice[]> {
  await requireWorkspace(deps, caller, workspaceId, "administer");
  const names = prices.map(({ type, model }) => `${type} ${model}`);
  const issues = names.flatMap((name, index): Issue[] =>
    names.indexOf(name) < index
      ? [{ path: `prices[${index}].model`, message: "already has a price in this list" }]
      : [],
  );
  if (issues.length > 0) throw invalidInput(issues);
  await replaceModelPrices(
    deps.sql,
    workspaceId,
    prices.map((price) => ({ ...price, cached: price.cached ?? price.in })),
  );
  return await listModelPrices(deps.sql, workspaceId);
}

async function viewOf({ sql }: ManagementDependencies, workspaceId: string): Promise<ModelBudgetView> {
  const [settings, spending] = await Promise.all([findModelSettings(sql, workspaceId), findSpending(sql, workspaceId)]);
  const { day, month, reserved } = spending ?? { day: nothing, month: nothing, reserved: nothing };
  return { ...settings, spent: { day, month, reserved } };
}

const nothing = { tokens: 0, money: 0 };
