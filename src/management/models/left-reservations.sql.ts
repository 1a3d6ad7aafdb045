import { limits } from "../../limits/index.ts";
import { isRecent } from "../../platform/database/spans.sql.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { ofWorkspace } from "./model-settings.sql.ts";

/**
 * Releases reservations that crashes left behind in the given workspace or, if `workspaceId` is undefined, in one
 * workspace that has some. Calls take minutes at most, so older reservations are no longer in use. Each reservation
 * counts as a call with the amount that was sent, because the provider charges this amount. Returns the number of
 * released reservations.
 */
export async function returnReservations(sql: Sql, workspaceId: string | undefined): Promise<number> {
  const isLeft = sql`not ${isRecent(sql, sql`model_reservations.created_at`, limits.modelBudgets.reservedSeconds)}`;
  const isThisMonth = sql`date_trunc('month', spending.day::timestamp) = date_trunc('month', today::timestamp)`;
  const [row] = await sql<[{ count: number }]>`
    with wanted as materialized (
      select workspace_id
      from model_reservations
      where ${isLeft}
        ${workspaceId === undefined ? sql`` : sql`and workspace_id = ${workspaceId}`}
      limit 1
    ),
    locked as materialized (
      select workspace_id, bot_id
      from model_spending
      where workspace_id = (select workspace_id from wanted)
        and (
          bot_id = ${ofWorkspace}
          or bot_id in (
            select bot_id from model_reservations where workspace_id = (select workspace_id from wanted) and ${isLeft}
          )
        )
      order by bot_id
      for update
    ),
    moment as materialized (select (clock() at time zone 'UTC')::date as today),
    released as (
      delete from model_reservations
      where workspace_id = (select workspace_id from wanted)
        and ${isLeft}
        and (select count(*) from locked) > 0
      returning bot_id, type, model, tokens, money, sent_tokens, sent_money
    ),
    sums as (
      select bot_id, sum(tokens) as tokens, sum(money) as money, sum(sent_tokens) as sent_tokens, sum(sent_money) as sent_money
      from released
      group by bot_id
      union all
      select ${ofWorkspace}::uuid, sum(tokens), sum(money), sum(sent_tokens), sum(sent_money)
      from released
    ),
    returned as (
      update model_spending as spending
      set day = today,
        day_tokens = case when spending.day = today then spending.day_tokens else 0 end + sums.sent_tokens,
        day_money = case when spending.day = today then spending.day_money else 0 end + sums.sent_money,
        month_tokens = case when ${isThisMonth} then spending.month_tokens else 0 end + sums.sent_tokens,
        month_money = case when ${isThisMonth} then spending.month_money else 0 end + sums.sent_money,
        reserved_tokens = spending.reserved_tokens - sums.tokens,
        reserved_money = spending.reserved_money - sums.money
      from sums
      cross join moment
      where spending.workspace_id = (select workspace_id from wanted)
        and spending.bot_id = sums.bot_id
        and sums.tokens is not null
    ),
    counted as (
      insert into model_usage (workspace_id, day, bot_id, type, model, calls, tokens_in, money)
      select
        wanted.workspace_id, today, released.bot_id, released.type, released.model, count(*), sum(sent_tokens),
        nullif(sum(sent_money), 0)
      from released
      cross join wanted
      cross join moment
      group by wanted.workspace_id, today, released.bot_id, released.type, released.model
      on conflict (workspace_id, day, bot_id, type, model) do update
      set calls = model_usage.calls + excluded.calls,
        tokens_in = model_usage.tokens_in + excluded.tokens_in,
        money = case
          when excluded.money is null then model_usage.money
          else coalesce(model_usage.money, 0) + excluded.money
        end
    )
    select count(*)::integer as count
    from released`;
  return row.count;
}
