import { limits } from "../../limits/index.ts";
import { bulk, smallint, uuid } from "../../platform/database/bulk.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { shardOf } from "../../platform/ids.ts";

/** A step that no request takes, as its holding process reads it. */
export type DueRow = {
  readonly sessionId: string;
  readonly id: string;
  readonly botId: string;
  /** Null when the bot is deleted. */
  readonly workspaceId: string | null;
  readonly kind: string;
  /** The visit of the block that the step is for; null for any visit. */
  readonly visit: string | null;
  readonly content: unknown;
  /** Includes this attempt. */
  readonly attempts: number;
  /** Seconds since the row was due. */
  readonly lateSeconds: number;
};

/**
 * Takes up to `limit` due rows that no living process holds, the oldest first, with a lease in the name of `holder`.
 */
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

/** Renews the leases of these rows, if this holder still has them. */
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

/** Releases a row for another attempt after a pause. */
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

/** The row of a session's timer, whether or not it is due. */
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

/** Removes a row whose step is no longer taken. */
export async function removeDueStep(sql: Sql, { sessionId, id }: Key): Promise<void> {
  await sql`
    delete from due_steps
    where shard = ${shardOf(sessionId)} and session_id = ${sessionId} and id = ${id}`;
}

/**
 * The number of due rows, and the age of the oldest; a call that going back kept is due when it is woken. Counts at
 * most some thousands, since beyond that the age is enough.
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

/** After the clock stepped back, shortens leases and pauses that end in the old future. Timers are due by the clock. */
export async function endOldFutureOfDueSteps(sql: Sql): Promise<void> {
  const seconds = limits.timers.lastPauseSeconds;
  await sql`
    update due_steps
    set held_until = clock() + make_interval(secs => ${seconds})
    where attempts > 0
      and held_until > clock() + make_interval(secs => ${seconds})`;
}
