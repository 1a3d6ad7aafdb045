import type { Sql } from "../../platform/database/sql.ts";

export const usageGroups = ["day", "bot", "model"] as const;
export type UsageGroup = (typeof usageGroups)[number];

/** The cost of model calls of a day, a bot, or a model. Fields by which the cost is not grouped are null. */
export type ModelUsageRow = {
  readonly day: string | null;
  readonly botId: string | null;
  readonly type: string | null;
  readonly model: string | null;
  readonly calls: number;
  readonly tokensIn: number;
  readonly tokensCached: number;
  readonly tokensOut: number;
  /** Null if none of the calls had a price. */
  readonly money: number | null;
};

/**
 * The first and the last day, both inclusive. If `to` is null, the range ends today. If `from` is null, the range has
 * 30 days.
 */
export type UsageDays = { readonly from: string | null; readonly to: string | null };

/**
 * Returns the cost of a workspace's calls in a range of days. Days are sorted by date; bots and models are sorted by
 * their tokens, largest first.
 */
export async function listModelUsage(
  sql: Sql,
  { workspaceId, groupBy, days, limit }: { workspaceId: string; groupBy: UsageGroup; days: UsageDays; limit: number },
): Promise<ModelUsageRow[]> {
  const [ofDay, ofBot, ofModel] = usageGroups.map((group) => group === groupBy);
  const order = ofDay ? sql`day` : sql`sum(tokens_in + tokens_out) desc, sum(calls) desc, bot_id, type, model`;
  return sql<ModelUsageRow[]>`
    select
      day::text as day,
      bot_id,
      type,
      model,
      ${sums(sql)}
    from (
      select
        case when ${ofDay ?? false}::boolean then day end as day,
        case when ${ofBot ?? false}::boolean then bot_id end as bot_id,
        case when ${ofModel ?? false}::boolean then type end as type,
        case when ${ofModel ?? false}::boolean then model end as model,
        calls,
        tokens_in,
        tokens_cached,
        tokens_out,
        money
      from model_usage
      where workspace_id = ${workspaceId}
        and ${within(sql, days)}
    ) as used
    group by day, bot_id, type, model
    order by ${order}
    limit ${limit}`;
}

/** Returns the total cost of a workspace's calls in a range of days. */
export async function sumModelUsage(
  sql: Sql,
  { workspaceId, days }: { workspaceId: string; days: UsageDays },
): Promise<Omit<ModelUsageRow, UsageGroup | "botId" | "type"> & { readonly from: string; readonly to: string }> {
  const [row] = await sql<
    [Omit<ModelUsageRow, UsageGroup | "botId" | "type"> & { readonly from: string; readonly to: string }]
  >`
    select
      (${firstDay(sql, days)})::text as "from",
      (${lastDay(sql, days)})::text as "to",
      ${sums(sql)}
    from model_usage
    where workspace_id = ${workspaceId}
      and ${within(sql, days)}`;
  return row;
}

function sums(sql: Sql) {
  return sql`
      coalesce(sum(calls), 0)::float8 as calls,
      coalesce(sum(tokens_in), 0)::float8 as tokens_in,
      coalesce(sum(tokens_cached), 0)::float8 as tokens_cached,
      coalesce(sum(tokens_out), 0)::float8 as tokens_out,
      sum(money)::float8 as money`;
}

function within(sql: Sql, days: UsageDays) {
  return sql`day between ${firstDay(sql, days)} and ${lastDay(sql, days)}`;
}

function firstDay(sql: Sql, days: UsageDays) {
  return sql`coalesce(${days.from}::date, ${lastDay(sql, days)} - 29)`;
}

function lastDay(sql: Sql, { to }: UsageDays) {
  return sql`coalesce(${to}::date, (clock() at time zone 'UTC')::date)`;
}
