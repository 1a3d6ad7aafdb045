import { limits } from "../../limits/index.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { idBefore, isUnread } from "./result-values.sql.ts";
import type { Queue, QueuePlace } from "./turns.sql.ts";

/**
 * The maximum delay of the counts. A change is recorded within ten seconds (`management/insight/insight-notes.ts`), and
 * counted within a minute after that.
 */
const unseenSeconds = 75;

/**
 * The search for new results runs every minute. If it has not run for this long, the missing results of a bot are
 * looked up in the table of results.
 */
const behindMinutes = 5;

/**
 * The first step of a session is saved within this time after the session's id was created. Only a saved step can be
 * found.
 */
const savingMinutes = 5;

/** Records that all results that existed at this moment are queued for reading and counting. */
export async function noteFoundUntil(sql: Sql, moment: Date): Promise<void> {
  await sql`
    update insight_progress
    set found_until = greatest(found_until, ${moment}::timestamptz(3))`;
}

type Whose = { readonly botIds: readonly string[] } | { readonly workspaceId: string };

/**
 * Returns the time up to which all results of these bots are counted. Null if there are no bots, or if no search for
 * results has run yet and no result is missing.
 */
export async function findCountedUntil(sql: Sql, whose: Whose): Promise<Date | null> {
  const [row] = await sql<[{ asOf: Date | null }]>`
    select min(
      case
        when found_until is null then ${missingSince(sql, "insight_results")}
        else least(found_until, ${dueSince(sql, "insight_results")}, ${missingSince(sql, "insight_results")}) - make_interval(secs => ${unseenSeconds})
      end
    ) as as_of
    from (${botsOf(sql, whose)}) as wanted
    cross join insight_progress as progress
    ${isBehind(sql)}`;
  return row.asOf;
}

/**
 * Returns the time up to which the index of variables' values contains all results of these bots. Returns null if the
 * index contains all results that existed at `at`, or all current results if `at` is absent. Changes that a linked
 * bot's chat made to a result in the last ten seconds may still be missing.
 */
export async function findIndexedUntil(
  sql: Sql,
  { at, ...whose }: Whose & { readonly at?: Date | undefined },
): Promise<Date | null> {
  const moment: ReturnType<Sql> = at ? sql`${at}::timestamptz` : sql`clock()`;
  const [row] = await sql<[{ asOf: Date | null }]>`
    select min(
      least(
        case
          when exists (select ${unreadResults(sql, moment)}) or exists (select ${unqueuedResults(sql, moment)})
            then least(coalesce(found_until, clock()), ${dueSince(sql, "results_to_read")}) - make_interval(secs => ${unseenSeconds})
        end,
        ${missingSince(sql, "results_to_read")}
      )
    ) as as_of
    from (${botsOf(sql, whose)}) as wanted
    cross join insight_progress as progress
    ${isBehind(sql)}`;
  return row.asOf;
}

/** Returns up to `limit` results of a bot whose current state the index has not read, sorted by due time. */
export async function listUnread(
  sql: Sql,
  { botId, at, limit }: { botId: string; at: Date; limit: number },
): Promise<QueuePlace[]> {
  return sql<QueuePlace[]>`
    select queue.shard, queue.result_id
    from (${botsOf(sql, { botIds: [botId] })}) as wanted
    cross join lateral (
      select queue.shard, queue.result_id, queue.next_at
      ${unreadResults(sql, sql`${at}::timestamptz`)}
    ) as queue
    order by queue.next_at
    limit ${limit}`;
}

/** Queues the results of a bot that were written since the last search for new results, so that they are read. */
export async function queueUnqueued(sql: Sql, { botId, at }: { botId: string; at: Date }): Promise<void> {
  await sql`
    insert into results_to_read (shard, result_id, bot_id)
    select distinct made.shard, made.result_id, ${botId}::uuid
    from (${botsOf(sql, { botIds: [botId] })}) as wanted
    cross join insight_progress as progress
    cross join lateral (
      select made.shard, made.result_id
      ${unqueuedResults(sql, sql`${at}::timestamptz`)}
    ) as made
    on conflict do nothing`;
}

function botsOf(sql: Sql, whose: Whose): ReturnType<Sql> {
  return "workspaceId" in whose
    ? sql`select id as bot_id from bots where workspace_id = ${whose.workspaceId}`
    : sql`select bot_id from unnest(${[...whose.botIds]}::uuid[]) as given (bot_id)`;
}

/**
 * Selects the time of the first due result of a bot. A row whose bot is not known yet may belong to any bot, so it
 * counts for all bots.
 */
function dueSince(sql: Sql, queue: Queue): ReturnType<Sql> {
  const first = (owner: ReturnType<Sql>) => sql`(
          select min(queue.next_at)
          from ${sql(queue)} as queue
          where queue.bot_id ${owner}
            and queue.next_at <= clock()
        )`;
  return sql`${first(sql`= wanted.bot_id`)}, ${first(sql`is null`)}`;
}

/** Returns a query, without its `select`, for the unread results of `wanted.bot_id` as `queue`. */
function unreadResults(sql: Sql, at: ReturnType<Sql>): ReturnType<Sql> {
  return sql`
            from results_to_read as queue
            join results on results.shard = queue.shard and results.id = queue.result_id
            where (queue.bot_id = wanted.bot_id or (queue.bot_id is null and results.bot_id = wanted.bot_id))
              and (not results.is_archived or results.erase_after is not null)
              and results.created_at <= ${at}
              and (queue.read_at is null or queue.read_at < ${at})
              and ${isUnread(sql, sql`queue.read_at`)}`;
}

/**
 * Returns a query, without its `select`, for the results of `wanted.bot_id` as `made` that were written since the last
 * search for new results and are not queued.
 */
function unqueuedResults(sql: Sql, at: ReturnType<Sql>): ReturnType<Sql> {
  const since: ReturnType<Sql> = sql`progress.found_until - make_interval(mins => ${savingMinutes})`;
  return sql`
            from (
              select sessions.shard, sessions.result_id, sessions.created_at
              from sessions
              where sessions.bot_id = wanted.bot_id
                and sessions.result_id is not null
                and sessions.id >= ${idBefore(sql, since)}
              union all
              select results.shard, results.id, results.created_at
              from results
              where results.bot_id = wanted.bot_id
                and not results.is_archived
                and results.created_at >= ${since}
                and results.id >= ${idBefore(sql, since)}
            ) as made
            where made.created_at <= ${at}
              and exists (
                select
                from results
                where results.shard = made.shard
                  and results.id = made.result_id
                  and not results.is_archived
              )
              and not exists (
                select
                from results_to_read as queue
                where queue.shard = made.shard
                  and queue.result_id = made.result_id
              )`;
}

/**
 * Joins `state`. `is_behind`: the search for new results does not run or cannot keep up. `is_growing`: some results of
 * an earlier release have not been read yet.
 */
function isBehind(sql: Sql): ReturnType<Sql> {
  return sql`
    cross join (
      select
        coalesce(found_until < clock() - make_interval(mins => ${behindMinutes}), true) as is_behind,
        exists (select from result_walks where answers_from is not null) as is_growing
      from insight_progress
    ) as state`;
}

/**
 * Selects the start time of the first result of `wanted.bot_id` that no search has found. Such results can exist if the
 * search is behind, or while an index is built for the first time. If there are more results than a search examines,
 * the last examined result represents all later results.
 */
function missingSince(sql: Sql, queue: Queue): ReturnType<Sql> {
  const most = limits.lists.searchedResults;
  const isGrowing: ReturnType<Sql> = queue === "results_to_read" ? sql`state.is_growing` : sql`false`;
  return sql`(
          select min(looked.created_at)
          from (
            select shard, id, created_at, row_number() over (order by created_at, id) as number
            from results
            where results.bot_id = wanted.bot_id
              and not results.is_archived
              and (state.is_behind or ${isGrowing})
            order by created_at, id
            limit ${most + 1}
          ) as looked
          join result_walks as walk on walk.shard = looked.shard
          where looked.number > ${most}
            or (${isGrowing} and looked.id > walk.answers_from)
            or (
              state.is_behind
              and looked.id > walk.result_id
              and not exists (
                select
                from ${sql(queue)} as queue
                where queue.shard = looked.shard
                  and queue.result_id = looked.id
              )
            )
        )`;
}
