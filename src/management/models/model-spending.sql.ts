import type { Sql } from "../../platform/database/sql.ts";
import { type BudgetAmounts, type ModelBudget, ofWorkspace } from "./model-settings.sql.ts";

/** The amounts spent from the budgets of a workspace, or of one of its bots. */
export type ModelSpending = {
  /** Null for the spending of the whole workspace. */
  readonly botId: string | null;
  /** The day to which the amounts belong, such as `2026-11-22`. */
  readonly today: string;
  readonly day: Spent;
  readonly month: Spent;
  /** The amounts that running calls have reserved. */
  readonly reserved: Spent;
  /** The mark of the last notice about each budget (`budgetMark`). */
  readonly told: Readonly<Record<string, string>>;
};

type Spent = { readonly [Unit in keyof BudgetAmounts]: number };

type SpendingRow = {
  readonly botId: string;
  readonly today: string;
  readonly dayTokens: number;
  readonly dayMoney: number;
  readonly monthTokens: number;
  readonly monthMoney: number;
  readonly reservedTokens: number;
  readonly reservedMoney: number;
  readonly told: Readonly<Record<string, string>>;
};

/** A bot's call that is about to be made, with its maximum cost. */
export type ModelReservation = {
  readonly id: string;
  readonly workspaceId: string;
  readonly botId: string;
  readonly type: string;
  readonly model: string;
  readonly tokens: number;
  readonly money: number;
  /** The cost of the part that is sent. This amount counts as spent if the outcome of the call is never known. */
  readonly sent: { readonly tokens: number; readonly money: number };
};

/**
 * Reserves the maximum cost of a call from the budgets of its workspace and its bot. `kind` is `refused` if a budget
 * has too little left, and `missing` if the rows must be created first. `spending` contains the amounts that were spent
 * and reserved before.
 *
 * No amount is reserved twice. Each statement that changes a workspace's spending first locks the workspace's own row,
 * and then reads this row and the row of the bot.
 */
export async function reserveSpending(
  sql: Sql,
  reservation: ModelReservation,
  budgets: { readonly ofWorkspace: ModelBudget; readonly ofBot: ModelBudget },
): Promise<{ readonly kind: "taken" | "refused" | "missing"; readonly spending: readonly ModelSpending[] }> {
  const { id, workspaceId, botId, type, model, tokens, money, sent } = reservation;
  const bounds = ({ day, month }: ModelBudget) =>
    sql`${day.tokens}::numeric, ${day.money}::numeric, ${month.tokens}::numeric, ${month.money}::numeric`;
  const rows = await sql<(SpendingRow & { isTaken: boolean })[]>`
    with locked as materialized (
      select *
      from model_spending
      where workspace_id = ${workspaceId}
        and bot_id = any(${[ofWorkspace, botId]}::uuid[])
      order by bot_id
      for update
    ),
    standing as materialized (${standing(sql, sql`locked`)}),
    judged as materialized (
      select
        standing.bot_id,
        ${fits(sql, "day_tokens", tokens)}
          and ${fits(sql, "day_money", money)}
          and ${fits(sql, "month_tokens", tokens)}
          and ${fits(sql, "month_money", money)} as fits
      from standing
      join (
        values
          (${ofWorkspace}::uuid, ${bounds(budgets.ofWorkspace)}),
          (${botId}::uuid, ${bounds(budgets.ofBot)})
      ) as budget (bot_id, day_tokens, day_money, month_tokens, month_money) on budget.bot_id = standing.bot_id
    ),
    taken as (
      update model_spending
      set reserved_tokens = model_spending.reserved_tokens + ${tokens}::bigint,
        reserved_money = model_spending.reserved_money + ${money}::numeric
      from judged
      where model_spending.workspace_id = ${workspaceId}
        and model_spending.bot_id = judged.bot_id
        and (select count(*) = 2 and bool_and(fits) from judged)
      returning 1
    ),
    reserved as (
      insert into model_reservations (workspace_id, id, bot_id, type, model, tokens, money, sent_tokens, sent_money)
      select
        ${workspaceId}::uuid, ${id}::uuid, ${botId}::uuid, ${type}::text, ${model}::text, ${tokens}::bigint,
        ${money}::numeric, ${sent.tokens}::bigint, ${sent.money}::numeric
      where (select count(*) from taken) = 2
      returning 1
    )
    select standing.*, exists (select from reserved) as is_taken
    from standing`;
  const kind = rows.length < 2 ? "missing" : rows.every(({ isTaken }) => isTaken) ? "taken" : "refused";
  return { kind, spending: rows.map(spendingOf) };
}

/**
 * Returns the SQL condition that a budget has room for this additional amount. A budget of 0 has no room, even for a
 * call that costs nothing.
 */
function fits(sql: Sql, name: "day_tokens" | "day_money" | "month_tokens" | "month_money", more: number) {
  const reserved = name.endsWith("tokens") ? sql`standing.reserved_tokens` : sql`standing.reserved_money`;
  const budget = sql`budget.${sql(name)}`;
  return sql`(
          ${budget} is null
          or (${budget} > 0 and standing.${sql(name)} + ${reserved} + ${more}::numeric <= ${budget})
        )`;
}

/** Inserts the rows of a workspace and of a bot that a reservation locks, if they are missing. */
export async function makeSpending(
  sql: Sql,
  { workspaceId, botId }: { workspaceId: string; botId: string },
): Promise<void> {
  await sql`
    insert into model_spending (workspace_id, bot_id)
    select workspaces.id, made.bot_id
    from workspaces
    cross join unnest(${[ofWorkspace, botId]}::uuid[]) as made (bot_id)
    where workspaces.id = ${workspaceId}
    order by made.bot_id
    on conflict (workspace_id, bot_id) do nothing`;
}

/** A call with its tokens and its cost. */
export type SpentCall = {
  /** False if the call was not made. */
  readonly isMade: boolean;
  readonly in: number;
  readonly cached: number;
  readonly out: number;
  /** Null if the call's model has no price. */
  readonly money: number | null;
  /** Whether the report is repeated after an attempt whose outcome is unknown. */
  readonly isRepeated?: boolean;
};

/**
 * Replaces the reservation of a call with its cost, and counts the call. Returns the new spending, or an empty list if
 * `isRepeated` is set and the call was already settled. A reservation that was held for too long was already released
 * and counted as a call, so only the cost is added.
 */
export async function settleSpending(
  sql: Sql,
  { id, workspaceId, botId, type, model }: Omit<ModelReservation, "tokens" | "money" | "sent">,
  call: SpentCall,
): Promise<ModelSpending[]> {
  const tokens = call.in + call.out;
  const money = call.money ?? 0;
  const isToCount = sql`(${call.isRepeated !== true} or exists (select from released))`;
  const rows = await sql<SpendingRow[]>`
    with locked as materialized (
      select bot_id
      from model_spending
      where workspace_id = ${workspaceId}
        and bot_id = any(${[ofWorkspace, botId]}::uuid[])
      order by bot_id
      for update
    ),
    moment as materialized (select ${today(sql)} as today),
    released as (
      delete from model_reservations
      where workspace_id = ${workspaceId}
        and id = ${id}
        and (select count(*) from locked) > 0
      returning tokens, money
    ),
    counted as (
      insert into model_usage (workspace_id, day, bot_id, type, model, calls, tokens_in, tokens_cached, tokens_out, money)
      select
        ${workspaceId}::uuid, today, ${botId}::uuid, ${type}::text, ${model}::text, (select count(*) from released),
        ${call.in}::bigint, ${call.cached}::bigint, ${call.out}::bigint, ${call.money}::numeric
      from moment
      where ${call.isMade}
        and (select count(*) from locked) > 0
        and ${isToCount}
      on conflict (workspace_id, day, bot_id, type, model) do update
      set calls = model_usage.calls + excluded.calls,
        tokens_in = model_usage.tokens_in + excluded.tokens_in,
        tokens_cached = model_usage.tokens_cached + excluded.tokens_cached,
        tokens_out = model_usage.tokens_out + excluded.tokens_out,
        money = case
          when excluded.money is null then model_usage.money
          else coalesce(model_usage.money, 0) + excluded.money
        end
    ),
    spent as (
      update model_spending as spending
      set day = today,
        day_tokens = case when spending.day = today then spending.day_tokens else 0 end + ${tokens}::bigint,
        day_money = case when spending.day = today then spending.day_money else 0 end + ${money}::numeric,
        month_tokens = case when ${isThisMonth(sql)} then spending.month_tokens else 0 end + ${tokens}::bigint,
        month_money = case when ${isThisMonth(sql)} then spending.month_money else 0 end + ${money}::numeric,
        reserved_tokens = spending.reserved_tokens - coalesce((select tokens from released), 0),
        reserved_money = spending.reserved_money - coalesce((select money from released), 0)
      from locked
      cross join moment
      where spending.workspace_id = ${workspaceId}
        and spending.bot_id = locked.bot_id
        and ${isToCount}
      returning spending.*
    )
    ${standing(sql, sql`spent`)}`;
  return rows.map(spendingOf);
}

/** Returns the spending of a workspace; undefined if the workspace has made no calls. */
export async function findSpending(sql: Sql, workspaceId: string): Promise<ModelSpending | undefined> {
  const [row] = await sql<SpendingRow[]>`
    ${standing(sql, sql`model_spending`)}
    where workspace_id = ${workspaceId}
      and bot_id = ${ofWorkspace}`;
  return row && spendingOf(row);
}

/** Selects the spending of rows as of today. Amounts of an earlier day or month count as zero. */
function standing(sql: Sql, rows: ReturnType<Sql>) {
  return sql`
    select
      bot_id,
      moment.today::text as today,
      case when day = moment.today then day_tokens else 0 end::float8 as day_tokens,
      case when day = moment.today then day_money else 0 end::float8 as day_money,
      case when ${isThisMonth(sql)} then month_tokens else 0 end::float8 as month_tokens,
      case when ${isThisMonth(sql)} then month_money else 0 end::float8 as month_money,
      reserved_tokens::float8 as reserved_tokens,
      reserved_money::float8 as reserved_money,
      told
    from ${rows}
    cross join (select ${today(sql)} as today) as moment`;
}

function today(sql: Sql) {
  return sql`(clock() at time zone 'UTC')::date`;
}

function isThisMonth(sql: Sql) {
  return sql`date_trunc('month', day::timestamp) = date_trunc('month', today::timestamp)`;
}

function spendingOf(row: SpendingRow): ModelSpending {
  return {
    botId: row.botId === ofWorkspace ? null : row.botId,
    today: row.today,
    day: { tokens: row.dayTokens, money: row.dayMoney },
    month: { tokens: row.monthTokens, money: row.monthMoney },
    reserved: { tokens: row.reservedTokens, money: row.reservedMoney },
    told: row.told,
  };
}
