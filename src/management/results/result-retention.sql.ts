import { shardedIds } from "../../platform/database/bulk.ts";
import { first, type Sql } from "../../platform/database/sql.ts";

/** Returns the number of days for which a bot stores results; null if they are stored until people delete them. */
export async function findRetention(sql: Sql, botId: string): Promise<number | null> {
  const [row] = await sql<{ days: number | null }[]>`
    select results_retention_days as days
    from bots
    where id = ${botId}`;
  return row?.days ?? null;
}

/** Changes a bot's retention. The time of the bot's last change stays the same, because its draft did not change. */
export async function updateRetention(
  sql: Sql,
  { botId, days }: { botId: string; days: number | null },
): Promise<void> {
  await sql`
    update bots
    set results_retention_days = ${days}
    where id = ${botId}`;
}

/**
 * Returns a bot with up to `limit` of its results that are older than its retention. Includes results in the bin and
 * bots in the bin. Undefined if there are no such results.
 */
export async function findOutdatedResults(
  sql: Sql,
  limit: number,
): Promise<{ botId: string; resultIds: string[] } | undefined> {
  return first(sql<{ botId: string; resultIds: string[] }[]>`
    select bots.id as bot_id, outdated.result_ids
    from bots
    cross join lateral (
      select array_agg(id) as result_ids
      from (
        (
          select id
          from results
          where bot_id = bots.id
            and not is_archived
            and created_at <= clock() - make_interval(days => bots.results_retention_days)
          order by created_at
          limit ${limit}
        )
        union all
        (
          select id
          from results
          where bot_id = bots.id
            and erase_after is not null
            and created_at <= clock() - make_interval(days => bots.results_retention_days)
          order by created_at
          limit ${limit}
        )
      ) as found
    ) as outdated
    where bots.results_retention_days is not null
      and outdated.result_ids is not null
    limit 1`);
}

/** A bot's retention, and the number of results that are older. */
export type Outdated = {
  readonly results: number;
  /** The number of days for which the bot stores results; null if they are stored until people delete them. */
  readonly days: number | null;
};

/**
 * Returns a bot's retention in days, and how many of these results are older. Results in the bin are not counted. The
 * older results are erased within the hour.
 */
export async function countOutdatedOf(
  sql: Sql,
  { botId, resultIds }: { botId: string; resultIds: readonly string[] },
): Promise<Outdated> {
  const [row] = await sql<Outdated[]>`
    select
      bots.results_retention_days as days,
      (
        select count(*)::integer
        from ${shardedIds(sql, resultIds)} as given
        join results on results.shard = given.shard and results.id = given.id
        where results.bot_id = bots.id
          and not results.is_archived
          and results.created_at <= clock() - make_interval(days => bots.results_retention_days)
      ) as results
    from bots
    where bots.id = ${botId}`;
  return row ?? { results: 0, days: null };
}

/**
 * Counts the bot's results that a retention of `days` would erase, up to `most`. Results in the bin are not counted.
 */
export async function countOutdated(
  sql: Sql,
  { botId, days, most }: { botId: string; days: number; most: number },
): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::integer as count
    from (
      select
      from results
      where bot_id = ${botId}
        and not is_archived
        and created_at <= clock() - make_interval(days => ${days})
      limit ${most}
    ) as counted`;
  return row.count;
}
