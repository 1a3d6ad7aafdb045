import { limits } from "../../limits/index.ts";
import type { Sql } from "../../platform/database/sql.ts";

// Earlier releases counted chats that were opened and never answered as left at their question, instead of silent.
// These counts are found by the stored data, regardless of the release that wrote them.

/**
 * Searches the next bots after the id `after` for wrongly counted silent chats. Returns the bots that may have such
 * chats. `last` is the id to continue from; null if there are no more bots.
 */
export async function listBotsWithUncountedSilence(
  sql: Sql,
  { after }: { readonly after: string },
): Promise<{ readonly botIds: readonly string[]; readonly last: string | null }> {
  const [row] = await sql<[{ botIds: string[]; last: string | null }]>`
    with looked as materialized (
      select id
      from bots
      where id > ${after}
      order by id
      limit ${limits.insight.recounted.bots}
    ),
    sums as (
      select
        looked.id as bot_id,
        coalesce(sum(entry.chats) filter (where m.kind = 'view'), 0) as opened,
        coalesce(sum(entry.chats) filter (where m.kind = 'start'), 0) as answered,
        coalesce(sum(entry.chats) filter (where m.kind = 'left'), 0) as left_there,
        coalesce(sum(entry.chats) filter (where m.kind = 'silent'), 0) as silent
      from looked
      join insight_counts c on c.bot_id = looked.id and c.unit = 'month'
      cross join unnest(c.measures, c.chats) as entry (measure, chats)
      join insight_measures m on m.id = entry.measure
      where m.kind in ('view', 'start', 'left', 'silent')
      group by looked.id
    )
    select
      array(
        select bot_id
        from sums
        -- Chats that ended without a question, or were brought from elsewhere, are no more than looked at.
        where opened - answered > silent
          and left_there > silent
        order by bot_id
      ) as bot_ids,
      (select max(id::text)::uuid from looked) as last`;
  return row;
}

export type ResultPlace = { readonly createdAt: Date; readonly id: string };

/**
 * Queues wrongly counted silent chats for recounting, newest first. Examines a limited number of the bot's results.
 * `last` is the position to continue from; null if there are no more results.
 */
export async function recountSilence(
  sql: Sql,
  { botId, before }: { readonly botId: string; readonly before: ResultPlace | undefined },
): Promise<{ readonly count: number; readonly last: ResultPlace | null }> {
  const most = limits.insight.recounted.results;
  const has = (kind: "left" | "silent") => sql`exists (
          select
          from unnest(queue.measures) as counted (measure)
          join insight_measures on insight_measures.id = counted.measure
          where insight_measures.kind = ${kind}
        )`;
  const [row] = await sql<[{ count: number; createdAt: Date | null; id: string | null }]>`
    with looked as materialized (
      select shard, id, created_at, not has_started and not is_completed as is_silent
      from results
      where bot_id = ${botId}
        and not is_archived
        ${before === undefined ? sql`` : sql`and (created_at, id) < (${before.createdAt}::timestamptz, ${before.id}::uuid)`}
      order by created_at desc, id desc
      limit ${most}
    ),
    found as (
      select queue.shard, queue.result_id
      from looked
      join insight_results as queue on queue.shard = looked.shard and queue.result_id = looked.id
      where looked.is_silent
        and queue.is_counted
        and (queue.next_at is null or queue.next_at > clock())
        and ${has("left")}
        and not ${has("silent")}
      order by queue.result_id
      for update of queue
    ),
    recounted as (
      update insight_results
      set next_at = clock(),
        counted_steps = null,
        revision = insight_results.revision + 1
      from found
      where insight_results.shard = found.shard
        and insight_results.result_id = found.result_id
      returning 1
    )
    select (select count(*) from recounted)::integer as count, last.created_at, last.id
    from (select) as one
    left join lateral (
      select created_at, id
      from looked
      where (select count(*) from looked) = ${most}
      order by created_at, id
      limit 1
    ) as last on true`;
  const { count, createdAt, id } = row;
  return { count, last: createdAt && id !== null ? { createdAt, id } : null };
}
