import { limits } from "../../limits/index.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { idBefore, isUnread } from "./result-values.sql.ts";
import type { Queue, QueuePlace } from "./turns.sql.ts";

/** A change is recorded within ten seconds (`management/insight/insight-notes.ts`), and then due within a minute. */
const unseenSeconds = 75;

/**
 * The search for new results runs every minute. Without one for this long, what a bot lacks is looked up in its
 * results.
 */
const behindMinutes = 5;

/** A step is saved within this time of its session's id: it may be found only then. */
const savingMinutes = 5;

/** Everything that was there at this moment is queued, to be read and counted. */
export async function noteFoundUntil(sql: Sql, moment: Date): Promise<void> {
  await sql`
    update insight_progress
    set found_until = greatest(found_until, ${moment}::timestamptz(3))`;
}

type Whose = { readonly botIds: readonly string[] } | { readonly workspaceId: string };

/** The time up to which all results of these bots are counted; null if none was counted so far. */
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
 * The time up to which the index of variables' values knows all results of these bots; null if it has caught up,
 * with all that was there at `at` or else with all that is there now. A change that a chat of a linked bot's result
 * made within the last ten seconds may be missing nevertheless.
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

/** Results of a bot that the index has not read as they are, those first that wait for the longest. */
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

/** Queues what chats of a bot wrote within the last moments, to be read. */
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

/** The first of a bot's results that are due: rows whose bot is yet to be found may be any bot's. */
function dueSince(sql: Sql, queue: Queue): ReturnType<Sql> {
  const first = (owner: ReturnType<Sql>) => sql`(
          select min(queue.next_at)
          from ${sql(queue)} as queue
          where queue.bot_id ${owner}
            and queue.next_at <= clock()
        )`;
  return sql`${first(sql`= wanted.bot_id`)}, ${first(sql`is null`)}`;
}

/** Results of `wanted.bot_id` that wait to be read: of `queue`. */
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

/** Results of `wanted.bot_id` that were written since the last search for new ones, and are not queued: of `made`. */
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
 * `state.is_behind`: new results are not looked for, or not as fast as they come. `state.is_growing`: those of an
 * earlier release are yet to be read.
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
 * When the first result of `wanted.bot_id` began that no search has met, where that may be: while an index is built for
 * the first time. Beyond as many results as a search looks at, the last of these counts for those behind it.
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
