import { limits } from "../limits.ts";
import { isRecent } from "./database/spans.ts";
import type { Sql } from "./database/sql.ts";
import { ofWorkspace } from "./model-settings.ts";

/**
 * Gives back what crashes have left taken in a workspace, or in any: calls take minutes at most. They count as calls, since their provider may
 * count them. Returns how many there were.
 */
export async function returnReservations(sql: Sql, workspaceId: string | undefined): Promise<number> {
  const isLeft = sql`not ${isRecent(sql, sql`model_reservations.created_at`, limits.modelBudgets.reservedSeconds)}`;
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
    released as (
      delete from model_reservations
      where workspace_id = (select workspace_id from wanted)
        and ${isLeft}
        and (select count(*) from locked) > 0
      returning bot_id, type, model, tokens, money
    ),
    sums as (
      select bot_id, sum(tokens) as tokens, sum(money) as money
      from released
      group by bot_id
      union all
      select ${ofWorkspace}::uuid, sum(tokens), sum(money)
      from released
    ),
    returned as (
      update model_spending as spending
      set reserved_tokens = spending.reserved_tokens - sums.tokens,
        reserved_money = spending.reserved_money - sums.money
      from sums
      where spending.workspace_id = (select workspace_id from wanted)
        and spending.bot_id = sums.bot_id
        and sums.tokens is not null
    ),
    counted as (
      insert into model_usage (workspace_id, day, bot_id, type, model, calls)
      select wanted.workspace_id, (clock() at time zone 'UTC')::date, released.bot_id, released.type, released.model, count(*)
      from released
      cross join wanted
      group by wanted.workspace_id, released.bot_id, released.type, released.model
      on conflict (workspace_id, day, bot_id, type, model) do update
      set calls = model_usage.calls + excluded.calls
    )
    select count(*)::integer as count
    from released`;
  return row.count;
}
