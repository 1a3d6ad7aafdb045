import { limits } from "../../limits/index.ts";
import { bulk, hex, text, uuid } from "../../platform/database/bulk.ts";
import { contentDeletedWith, deletedWith } from "../../platform/database/deleted.sql.ts";
import { lasts } from "../../platform/database/spans.sql.ts";
import { countOf, type Sql } from "../../platform/database/sql.ts";

// Rows to delete are passed as arrays. For an array, the planner expects few elements and looks up each element,
// regardless of the limit. For an unknown limit, as in prepared statements, it expects a tenth of the table, and would
// read the whole table for each batch.

/**
 * Deletes sessions that expired more than an hour ago, with their steps. Results and answers remain. A session with a
 * running step is skipped. Returns the number of deleted rows.
 */
export async function deleteExpiredSessions(sql: Sql, limit: number): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    with expired as (
      select shard, id
      from sessions
      where expires_hour < date_trunc('hour', clock())
        and not ${isClaimed(sql)}
      order by expires_hour
      limit ${limit}
      for update skip locked
    ),
    ended as (
      delete from sessions
      using unnest((select array_agg(shard) from expired), (select array_agg(id) from expired)) as gone (shard, id)
      where sessions.shard = gone.shard
        and sessions.id = gone.id
      returning sessions.shard, sessions.id
    ),
    forgotten as (${deletedWith(sql, "steps", { using: "ended" })}),
    timers_gone as (${deletedWith(sql, "due_steps", { using: "ended" })})
    select count(*)::integer as count
    from ended`;
  return row.count;
}

/**
 * Deletes the keys of starts that are older than a day, unless a running start has claimed the key. Returns the number
 * of deleted rows.
 */
export async function deleteOldStartKeys(sql: Sql, limit: number): Promise<number> {
  return countOf(sql`
    with old as (
      select scope, key
      from start_keys
      where created_at <= clock() - make_interval(hours => ${limits.idempotency.hours})
        and not ${isClaimed(sql)}
      order by created_at
      limit ${limit}
      for update skip locked
    )
    delete from start_keys
    using unnest((select array_agg(scope) from old), (select array_agg(key) from old)) as gone (scope, key)
    where start_keys.scope = gone.scope
      and start_keys.key = gone.key`);
}

/** Deletes stored reports of effects that are older than a day. Returns the number of deleted rows. */
export async function deleteOldReports(sql: Sql, limit: number): Promise<number> {
  return countOf(sql`
    with old as (
      select shard, session_id, key
      from effect_reports
      where created_at <= clock() - interval '1 day'
      order by created_at
      limit ${limit}
      for update skip locked
    )
    delete from effect_reports
    using unnest(
      (select array_agg(shard) from old), (select array_agg(session_id) from old), (select array_agg(key) from old)
    ) as gone (shard, session_id, key)
    where effect_reports.shard = gone.shard
      and effect_reports.session_id = gone.session_id
      and effect_reports.key = gone.key`);
}

/**
 * Deletes answers in progress that were last written more than `seconds` ago: their process died. Returns the number of
 * deleted rows.
 */
export async function deleteOldAnswers(
  sql: Sql,
  { seconds, limit }: { seconds: number; limit: number },
): Promise<number> {
  return countOf(sql`
    with old as (
      select session_id
      from answers_under_way
      where written_at <= clock() - make_interval(secs => ${seconds})
      limit ${limit}
      for update skip locked
    )
    delete from answers_under_way
    using unnest((select array_agg(session_id) from old)) as gone (session_id)
    where answers_under_way.session_id = gone.session_id`);
}

/** Returns the SQL condition that a claim on a row has not expired. */
function isClaimed(sql: Sql) {
  return lasts(sql, sql`claim_until`, limits.claims.formerSeconds);
}

/**
 * Deletes the rows that remain of results that were erased more than a day ago. Returns the number of deleted results.
 */
export async function deleteErasedResults(sql: Sql, limit: number): Promise<number> {
  return removeResults(
    sql,
    sql`is_archived and erase_after is null and updated_at <= clock() - interval '1 day'`,
    limit,
  );
}

/**
 * Deletes up to `limit` results that the condition `which` selects, with the content that a start or a step added while
 * they were being erased. Returns the number of deleted results.
 */
export async function removeResults(sql: Sql, which: ReturnType<Sql>, limit: number): Promise<number> {
  return countOf(sql`
    with erased as (
      select shard, id
      from results
      where ${which}
      limit ${limit}
    ),
    gone as materialized (
      select *
      from unnest((select array_agg(shard) from erased), (select array_agg(id) from erased)) as gone (shard, id)
    ),
    ended as (
      ${deletedWith(sql, "sessions", { using: "gone" })}
      returning sessions.shard, sessions.id
    ),
    ${contentDeletedWith(sql, { using: "gone" })}
    steps_gone as (${deletedWith(sql, "steps", { using: "ended" })})
    delete from results
    using gone
    where results.shard = gone.shard
      and results.id = gone.id`);
}

/** A flow by its bot and hash. */
export type FlowPlace = { readonly botId: string; readonly hash: string };

/**
 * Reads the next `limit` flows, sorted by key. Returns the flows that were not used for a day and to which no
 * publication and no session refers. The next call continues from `last`, which is undefined if there are no more
 * flows.
 */
export async function findForgottenFlows(
  sql: Sql,
  { after, limit }: { after: FlowPlace | undefined; limit: number },
): Promise<{ forgotten: FlowPlace[]; last: FlowPlace | undefined }> {
  const places = await sql<(FlowPlace & { isForgotten: boolean })[]>`
    select
      f.bot_id,
      encode(f.hash, 'hex') as hash,
      f.used_at <= clock() - interval '1 day'
        and not exists (select from publications p where p.bot_id = f.bot_id and p.flow_hash = f.hash)
        and not ${hasSession(sql)} as is_forgotten
    from (
      select bot_id, hash, used_at
      from flows
      ${after ? sql`where (bot_id, hash) > (${after.botId}, decode(${after.hash}, 'hex'))` : sql``}
      order by bot_id, hash
      limit ${limit}
    ) as f
    order by f.bot_id, f.hash`;
  return {
    forgotten: places.filter(({ isForgotten }) => isForgotten).map(({ botId, hash }) => ({ botId, hash })),
    last: places.length < limit ? undefined : places.at(-1),
  };
}

const flowPlaces = bulk<FlowPlace>({
  bot_id: uuid(({ botId }) => botId),
  hash: hex(({ hash }) => hash),
  program: text(({ botId, hash }) => `${botId}:${hash}`),
});

/**
 * Deletes those of the flows that were not used for a day, unless a publication, a session or the state of a preview
 * refers to them. Returns the number of deleted flows.
 */
export async function deleteForgottenFlows(sql: Sql, flows: readonly FlowPlace[]): Promise<number> {
  return countOf(sql`
    with linked as materialized (
      select distinct named.program[1] as program
      from sessions s
      cross join regexp_matches(s.state, '"program":"([0-9a-z]+:[0-9a-f]+)"', 'g') as named (program)
      where s.publication_number is null
        and not s.is_ended
    )
    delete from flows f
    using ${flowPlaces(sql, flows)} as wanted
    where f.bot_id = wanted.bot_id
      and f.hash = decode(wanted.hash, 'hex')
      and f.used_at <= clock() - interval '1 day'
      and wanted.program not in (select program from linked)
      and not exists (select from publications p where p.bot_id = f.bot_id and p.flow_hash = f.hash)
      and not ${hasSession(sql)}`);
}

/**
 * Returns the SQL condition that a session uses the flow `f`. Reads the first entry of the index at or after the flow's
 * key. With `exists`, the planner may expect an early match if most sessions belong to one bot, and would read all
 * sessions if there is no match.
 */
function hasSession(sql: Sql) {
  return sql`coalesce(
    (
      select (s.bot_id, s.flow_hash) = (f.bot_id, f.hash)
      from sessions s
      where (s.bot_id, s.flow_hash) >= (f.bot_id, f.hash)
      order by s.bot_id, s.flow_hash
      limit 1
    ),
    false
  )`;
}
