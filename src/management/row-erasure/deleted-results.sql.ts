import { limits } from "../../limits/index.ts";
import { shardedIds } from "../../platform/database/bulk.ts";
import type { Position } from "../../platform/database/owned-rows.sql.ts";
import { countOf, first, type Sql } from "../../platform/database/sql.ts";
import { wakeResults } from "../counts/counted-results.sql.ts";
import { botEvents } from "../events/bot-events.sql.ts";

export type BinnedResultRow = {
  readonly id: string;
  readonly createdAt: Date;
  readonly hasStarted: boolean;
  readonly isCompleted: boolean;
  readonly deletedAt: Date;
  readonly erasedAt: Date;
};

/** Moves these results to the bin. Returns the number of moved results. */
export async function binResults(
  sql: Sql,
  { botId, resultIds }: { botId: string; resultIds: readonly string[] },
): Promise<number> {
  return countOf(sql`
    with locked as (
      -- Whatever the plan, two that meet lock in the same order.
      select results.shard, results.id, results.bot_id, results.has_started
      from ${shardedIds(sql, resultIds)} as wanted
      join results on results.shard = wanted.shard and results.id = wanted.id
      where results.bot_id = ${botId}
        and not results.is_archived
      order by results.id
      for update of results
    ),
    ${wakeResults(sql, { using: "locked" })}
    ${deletedEvents(sql)},
    binned as (
      update results
      set is_archived = true,
        erase_after = clock() + make_interval(days => ${limits.erasure.graceDays}),
        updated_at = greatest(clock(), results.updated_at + interval '1 millisecond')
      from locked
      where results.shard = locked.shard
        and results.id = locked.id
      returning results.id
    )
    select
    from binned`);
}

/**
 * The event has the key of the result's session, if the session still exists, so that it follows the other events of
 * the chat.
 */
function deletedEvents(sql: Sql) {
  const from = sql`(
        select locked.bot_id, locked.id, chat.id as session_id
        from locked
        left join lateral (
          select sessions.id
          from sessions
          where sessions.shard = locked.shard
            and sessions.result_id = locked.id
          order by sessions.id desc
          limit 1
        ) chat on true
        where locked.has_started
      ) deleted`;
  return botEvents(sql, {
    type: "result.deleted",
    from,
    botId: sql`deleted.bot_id`,
    result: { id: sql`deleted.id`, sessionId: sql`deleted.session_id` },
    orderKey: sql`coalesce(deleted.session_id, deleted.id)`,
    content: {},
  });
}

/**
 * Restores these results from the bin, unless their time in the bin has ended. Returns the number of restored results.
 */
export async function restoreResults(
  sql: Sql,
  { botId, resultIds }: { botId: string; resultIds: readonly string[] },
): Promise<number> {
  return countOf(sql`
    with locked as (
      select results.shard, results.id
      from ${shardedIds(sql, resultIds)} as wanted
      join results on results.shard = wanted.shard and results.id = wanted.id
      where results.bot_id = ${botId}
        and results.erase_after > clock()
      order by results.id
      for update of results
    ),
    ${wakeResults(sql, { using: "locked" })}
    update results
    set is_archived = false,
      erase_after = null,
      updated_at = greatest(clock(), results.updated_at + interval '1 millisecond')
    from locked
    where results.shard = locked.shard
      and results.id = locked.id`);
}

/**
 * Returns the given results that belong to the bot and are in the bin. `createdAt` is the time at which a result is
 * erased.
 */
export async function findBinnedResults(
  sql: Sql,
  { botId, resultIds }: { botId: string; resultIds: readonly string[] },
): Promise<Position[]> {
  return sql<Position[]>`
    select results.id, results.erase_after as created_at
    from ${shardedIds(sql, resultIds)} as wanted
    join results on results.shard = wanted.shard and results.id = wanted.id
    where results.bot_id = ${botId}
      and results.erase_after is not null`;
}

/**
 * Returns a bot's results in the bin, in the order of deletion, newest first. `createdAt` of the position is the time
 * at which a result is erased.
 */
export async function listBinnedResults(
  sql: Sql,
  { botId, after, limit }: { botId: string; after: Position | undefined; limit: number },
): Promise<BinnedResultRow[]> {
  return sql<BinnedResultRow[]>`
    select id, created_at, has_started, is_completed, updated_at as deleted_at, erase_after as erased_at
    from results
    where bot_id = ${botId}
      and erase_after is not null
      ${after ? sql`and (erase_after, id) < (${after.createdAt}, ${after.id})` : sql``}
    order by erase_after desc, id desc
    limit ${limit}`;
}

/** Returns a bot with up to `limit` of its results whose time in the bin has ended. Undefined if there are none. */
export async function findResultsToErase(
  sql: Sql,
  limit: number,
): Promise<{ botId: string; resultIds: string[] } | undefined> {
  return first(sql<{ botId: string; resultIds: string[] }[]>`
    with due as (
      select bot_id, id
      from results
      where erase_after <= clock()
      order by erase_after
      limit ${limit}
    )
    select bot_id, array_agg(id) as result_ids
    from due
    group by bot_id
    limit 1`);
}
