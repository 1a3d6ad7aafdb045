import { limits } from "../../limits/index.ts";
import { bulk, double, text } from "../../platform/database/bulk.ts";
import type { Sql } from "../../platform/database/sql.ts";

/** The budgets of a period; null for budgets that are not set. */
export type BudgetAmounts = { readonly tokens: number | null; readonly money: number | null };

/** The budgets for each day and each month, in UTC. */
export type ModelBudget = { readonly day: BudgetAmounts; readonly month: BudgetAmounts };

export type ModelSettings = ModelBudget & {
  /** The number of days for which calls are stored with their content. */
  readonly keepModelCallsDays: number;
};

/** The price of a million tokens of a model. */
export type ModelPrice = {
  readonly type: string;
  readonly model: string;
  readonly in: number;
  /** The price of tokens that the provider cached from an earlier call. */
  readonly cached: number;
  readonly out: number;
};

type SettingsRow = {
  readonly dayTokens: number | null;
  readonly dayMoney: number | null;
  readonly monthTokens: number | null;
  readonly monthMoney: number | null;
  readonly keepCallsDays: number | null;
};

/** Returns a workspace's settings for model calls, with defaults for missing settings. */
export async function findModelSettings(sql: Sql, workspaceId: string): Promise<ModelSettings> {
  const [row] = await sql<SettingsRow[]>`
    select ${settingsColumns(sql)}
    from model_settings
    where workspace_id = ${workspaceId}`;
  return settingsOf(row);
}

/**
 * Saves the settings and resets the notices about the workspace's budgets, so that each notice is sent again when its
 * share is reached.
 */
export async function saveModelSettings(
  sql: Sql,
  workspaceId: string,
  { day, month, keepModelCallsDays }: ModelSettings,
): Promise<void> {
  await sql`
    with saved as (
      insert into model_settings (workspace_id, day_tokens, day_money, month_tokens, month_money, keep_calls_days)
      values (
        ${workspaceId}, ${day.tokens}::bigint, ${day.money}::numeric, ${month.tokens}::bigint, ${month.money}::numeric,
        ${keepModelCallsDays}
      )
      on conflict (workspace_id) do update
      set day_tokens = excluded.day_tokens,
        day_money = excluded.day_money,
        month_tokens = excluded.month_tokens,
        month_money = excluded.month_money,
        keep_calls_days = excluded.keep_calls_days,
        updated_at = clock()
    )
    update model_spending
    set told = '{}'
    where workspace_id = ${workspaceId}
      and bot_id = ${ofWorkspace}`;
}

/**
 * The data that a model call is checked against: the budgets of its workspace and of its bot, and the model's price.
 */
export type ModelTerms = {
  readonly settings: ModelSettings;
  /** The current `settings.models` of the bot, as stored. */
  readonly ofBot: unknown;
  readonly price: Omit<ModelPrice, "type" | "model"> | null;
};

export async function findModelTerms(
  sql: Sql,
  { workspaceId, botId, type, model }: { workspaceId: string; botId: string; type: string; model: string },
): Promise<ModelTerms> {
  const [row] = await sql<(SettingsRow & { ofBot: unknown; price: ModelTerms["price"] })[]>`
    select
      ${settingsColumns(sql)},
      bots.settings -> 'models' as of_bot,
      case
        when model_prices.model is not null then json_build_object(
          'in', model_prices.price_in, 'cached', model_prices.price_cached, 'out', model_prices.price_out
        )
      end as price
    from (select ${workspaceId}::uuid as id) as workspace
    left join model_settings on model_settings.workspace_id = workspace.id
    left join bots on bots.id = ${botId}
    left join model_prices
      on model_prices.workspace_id = workspace.id and model_prices.type = ${type} and model_prices.model = ${model}`;
  return { settings: settingsOf(row), ofBot: row?.ofBot ?? null, price: row?.price ?? null };
}

/** Returns a workspace's prices, sorted by type and model. */
export async function listModelPrices(sql: Sql, workspaceId: string): Promise<ModelPrice[]> {
  return sql<ModelPrice[]>`
    select
      type,
      model,
      price_in::float8 as "in",
      price_cached::float8 as cached,
      price_out::float8 as "out"
    from model_prices
    where workspace_id = ${workspaceId}
    order by type, model`;
}

const priceRows = bulk<ModelPrice>({
  type: text(({ type }) => type),
  model: text(({ model }) => model),
  price_in: double((price) => price.in),
  price_cached: double(({ cached }) => cached),
  price_out: double(({ out }) => out),
});

/** Replaces all prices. Each model must occur only once in the list. */
export async function replaceModelPrices(sql: Sql, workspaceId: string, prices: readonly ModelPrice[]): Promise<void> {
  await sql`
    with given as materialized (
      select *
      from ${priceRows(sql, prices)} as i
    ),
    removed as (
      delete from model_prices
      where workspace_id = ${workspaceId}
        and not exists (select from given where given.type = model_prices.type and given.model = model_prices.model)
    )
    insert into model_prices (workspace_id, type, model, price_in, price_cached, price_out)
    select ${workspaceId}::uuid, type, model, price_in, price_cached, price_out
    from given
    on conflict (workspace_id, type, model) do update
    set price_in = excluded.price_in,
      price_cached = excluded.price_cached,
      price_out = excluded.price_out`;
}

/** The bot id of the row that contains a workspace's own spending. The id sorts before all ids of bots. */
export const ofWorkspace = "0".repeat(26);

function settingsOf(row: SettingsRow | undefined): ModelSettings {
  return {
    day: { tokens: row?.dayTokens ?? null, money: row?.dayMoney ?? null },
    month: { tokens: row?.monthTokens ?? null, money: row?.monthMoney ?? null },
    keepModelCallsDays: row?.keepCallsDays ?? limits.modelBudgets.keepDays,
  };
}

function settingsColumns(sql: Sql) {
  return sql`
    model_settings.day_tokens::float8 as day_tokens,
    model_settings.day_money::float8 as day_money,
    model_settings.month_tokens::float8 as month_tokens,
    model_settings.month_money::float8 as month_money,
    model_settings.keep_calls_days`;
}
