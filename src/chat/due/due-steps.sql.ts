import { limits } from "../../limits/index.ts";
import { bulk, smallint, uuid } from "../../platform/database/bulk.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { shardOf } from "../../platform/ids.ts";

/** A row of `due_steps`: a step or an action that runs without a request. */
export type DueRow = {
  readonly sessionId: string;
  readonly id: string;
  readonly botId: string;
  /** Null if the bot was deleted. */
  readonly workspaceId: string | null;
  readonly kind: string;
  /** The visit of the block to which the step belongs; null if any visit is accepted. */
  readonly visit: string | null;
  readonly content: unknown;
  /** The number of attempts, including the current attempt. */
  readonly attempts: number;
  /** Seconds since the row became due. `findTimer` always returns 0. */
  readonly lateSeconds: number;
};

/** Leases up to `limit` due rows for `holder`, oldest first. Rows that a living process holds are skipped. */
export async function leaseDueSteps(
  sql: Sql,
  { holder, seconds, limit }: { holder: string; seconds: number; limit: number },
): Promise<DueRow[]> {
  return sql<DueRow[]>`
    with free as materialized (
      select shard, session_id, id
      from due_steps
      where held_until <= clock()
      order by held_until
      limit ${limit}
      for update skip locked
    ),
    leased as (
      update due_steps d
      set
        held_by = ${holder},
        held_until = clock() + make_interval(secs => ${seconds}),
        attempts = d.attempts + 1
      from unnest(
        (select array_agg(shard) from free), (select array_agg(session_id) from free), (select array_agg(id) from free)
      ) as f (shard, session_id, id)
      where d.shard = f.shard
        and d.session_id = f.session_id
        and d.id = f.id
      returning d.session_id, d.id, d.bot_id, d.kind, d.visit, d.content, d.attempts, d.due
    )
    select l.session_id, l.id, l.bot_id, b.workspace_id, l.kind, l.visit, l.content, l.attempts,
      extract(epoch from clock() - l.due)::double precision as late_seconds
    from leased l
    left join bots b on b.id = l.bot_id
    order by l.due`;
}

type Key = { readonly sessionId: string; readonly id: string };

const keyRows = bulk<Key>({
  shard: smallint(({ sessionId }) => shardOf(sessionId)),
  session_id: uuid(({ sessionId }) => sessionId),
  id: uuid(({ id }) => id),
});

/** Renews the leases of these rows, if the holder has not lost them. */
export async function renewDueSteps(
  sql: Sql,
  rows: readonly Key[],
  { holder, seconds }: { holder: string; seconds: number },
): Promise<void> {
  await sql`
    update due_steps d
    set held_until = clock() + make_interval(secs => ${seconds})
    from ${keyRows(sql, rows)} as i
    where d.shard = i.shard
      and d.session_id = i.session_id
      and d.id = i.id
      and d.held_by = ${holder}`;
}

/** Releases a row, so that it is retried after a pause. */
export async function postponeDueStep(
  sql: Sql,
  { sessionId, id }: Key,
  { holder, seconds }: { holder: string; seconds: number },
): Promise<void> {
  await sql`
    update due_steps
    set held_by = null, held_until = clock() + make_interval(secs => ${seconds})
    where shard = ${shardOf(sessionId)}
      and session_id = ${sessionId}
      and id = ${id}
      and held_by = ${holder}`;
}

/** Finds the row of a session's timer, even if the row is not yet due. */
export async function findTimer(
  sql: Sql,
  { sessionId, kind, visit }: { sessionId: string; kind: string; visit: string },
): Promise<DueRow | undefined> {
  const [row] = await sql<DueRow[]>`
    select d.session_id, d.id, d.bot_id, b.workspace_id, d.kind, d.visit, d.content, d.attempts,
      0::double precision as late_seconds
    from due_steps d
    left join bots b on b.id = d.bot_id
    where d.shard = ${shardOf(sessionId)}
      and d.session_id = ${sessionId}
      and d.kind = ${kind}
      and d.visit = ${visit}`;
  return row;
}

/** Deletes a row whose step is no longer needed. */
export async function removeDueStep(sql: Sql, { sessionId, id }: Key): Promise<void> {
  await sql`
    delete from due_steps
    where shard = ${shardOf(sessionId)} and session_id = ${sessionId} and id = ${id}`;
}

/**
 * Counts the due rows and returns the age of the oldest row. The age of a call that `goBack` kept starts when the call
 * is woken. The count stops at 10,000.
 */
export async function countDueSteps(sql: Sql): Promise<{ readonly count: number; readonly oldestSeconds: number }> {
  const [row] = await sql<[{ count: number; oldestSeconds: number }]>`
    select
      count(*)::integer as count,
      coalesce(extract(epoch from clock() - min(case when kind = 'keptCall' then held_until else due end)), 0)::double precision as oldest_seconds
    from (
      select due, kind, held_until
      from due_steps
      where held_until <= clock()
      order by held_until
      limit 10000
    ) as waiting`;
  return row;
}

/**
 * Shortens leases and pauses that would end too late because the clock has stepped back. Rows without an attempt, such
 * as timers, are not changed.
 */
export async function endOldFutureOfDueSteps(sql: Sql): Promise<void> {
  const seconds = limits.timers.lastPauseSeconds;
  await sql`
    update due_steps
    set held_until = clock() + make_interval(secs => ${seconds})
    where attempts > 0
      and held_until > clock() + make_interval(secs => ${seconds})`;
}
