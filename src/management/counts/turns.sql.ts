import { limits } from "../../limits/index.ts";
import { bulk, smallint, uuid } from "../../platform/database/bulk.ts";
import type { Sql } from "../../platform/database/sql.ts";

/**
 * Queues of results that wait to be counted, or whose values wait to be read. Workspaces have turns of
 * `limits.insight.perTurn` results, so that a workspace with very many results (an import, a copy) delays the others by
 * one turn at most. The owner of the next turn is:
 *
 *     a turn is not complete, and results remain ─→ the same workspace
 *     a turn is complete, or no result remains ───→ the next workspace by id, or the first after the last
 */
export type Queue = "insight_results" | "results_to_read";

const columnsOf = {
  insight_results: { turn: "count_turn", taken: "count_taken" },
  results_to_read: { turn: "read_turn", taken: "read_taken" },
} as const;

/**
 * An id that sorts before all other ids. Represents the bot of rows whose result is missing, and the workspace of rows
 * whose bot is missing.
 */
export const nobody = "00000000-0000-0000-0000-000000000000";

/** The key of a row of a queue. */
export type QueuePlace = { readonly shard: number; readonly resultId: string };

/** A due result, with the workspace of its bot. */
export type Taken = QueuePlace & { readonly workspaceId: string };

/** Passes rows of a queue as a table with `shard` and `id`. */
export const queuePlaces = bulk<QueuePlace>({
  shard: smallint(({ shard }) => shard),
  id: uuid(({ resultId }) => resultId),
});

/**
 * Returns the next due results. Starts with the workspace whose turn it is, and continues with the following workspaces
 * until the limit is reached.
 */
export async function takeDue(sql: Sql, queue: Queue, limit: number): Promise<Taken[]> {
  await nameBots(sql, queue, limit);
  const { turn, taken } = columnsOf[queue];
  const most = limits.insight.perTurn;
  const due = await sql<Taken[]>`
    with recursive waiting as (
      (
        select bot_id, next_at
        from ${sql(queue)}
        where bot_id is not null
          and next_at is not null
        order by bot_id, next_at
        limit 1
      )
      union all
      select found.bot_id, found.next_at
      from waiting
      cross join lateral (
        select bot_id, next_at
        from ${sql(queue)} as queue
        where queue.bot_id > waiting.bot_id
          and queue.next_at is not null
        order by queue.bot_id, queue.next_at
        limit 1
      ) as found
    ),
    owners as (
      select coalesce(bots.workspace_id, ${nobody}) as workspace_id, array_agg(waiting.bot_id) as bot_ids
      from waiting
      left join bots on bots.id = waiting.bot_id
      where waiting.next_at <= clock()
      group by 1
    ),
    places as (
      select
        owners.*,
        case
          -- Nobody else waits.
          when count(*) over () = 1 then ${limit}
          when owners.workspace_id = progress.turn and progress.taken < ${most} then ${most} - progress.taken
          else ${most}
        end as room,
        case
          when owners.workspace_id = progress.turn and progress.taken < ${most} then 0
          when owners.workspace_id > progress.turn then 1
          else 2
        end as round
      from owners
      cross join (
        select coalesce(${sql(turn)}, ${nobody}) as turn, ${sql(taken)} as taken
        from insight_progress
      ) as progress
    )
    select due.shard, due.result_id, place.workspace_id
    from (
      select *
      from places
      order by round, workspace_id
    ) as place
    -- One place after the other, until there are enough.
    cross join lateral (
      select of_bot.*
      from unnest(place.bot_ids) as owner (bot_id)
      cross join lateral (
        select shard, result_id, next_at
        from ${sql(queue)} as queue
        where queue.bot_id = owner.bot_id
          and queue.next_at <= clock()
        order by queue.next_at
        limit ${limit}
      ) as of_bot
      order by of_bot.next_at
      limit place.room
    ) as due
    limit ${limit}`;
  await noteTurn(sql, queue, due);
  return due;
}

/**
 * Records whose turn it is, and how many results of this turn were returned. Turns are meant for one process: two
 * concurrent processes would get the same due results.
 */
async function noteTurn(sql: Sql, queue: Queue, due: readonly Taken[]): Promise<void> {
  const last = due.at(-1);
  if (!last) return;
  const { turn, taken } = columnsOf[queue];
  const count = due.filter(({ workspaceId }) => workspaceId === last.workspaceId).length;
  await sql`
    update insight_progress
    set ${sql(turn)} = ${last.workspaceId},
      ${sql(taken)} = ${count} + case when ${sql(turn)} = ${last.workspaceId} and ${sql(taken)} < ${limits.insight.perTurn} then ${sql(taken)} else 0 end`;
}

/**
 * Finds the bots of due results that a node of an earlier release queued, or that were queued before their result
 * existed.
 */
async function nameBots(sql: Sql, queue: Queue, limit: number): Promise<void> {
  await sql`
    with unowned as materialized (
      select shard, result_id
      from ${sql(queue)}
      where bot_id is null
        and next_at <= clock()
      order by next_at
      limit ${limit}
      for update skip locked
    ),
    -- As a list, of which every plan expects few rows: without the limit at hand it would read the whole queue to join them.
    listed as materialized (
      select *
      from unnest(
        (select array_agg(shard) from unowned),
        (select array_agg(result_id) from unowned)
      ) as listed (shard, result_id)
    ),
    owned as (
      select listed.*, coalesce(results.bot_id, ${nobody}) as bot_id
      from listed
      left join results on results.shard = listed.shard and results.id = listed.result_id
    )
    update ${sql(queue)} as queue
    set bot_id = owned.bot_id
    from owned
    where queue.shard = owned.shard
      and queue.result_id = owned.result_id`;
}
