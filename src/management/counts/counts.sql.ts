import type { Measure } from "../../core/measures/measures.ts";
import type { Span } from "../../core/measures/spans.ts";
import { boolean, bulk, integer, smallint, text, uuid } from "../../platform/database/bulk.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { shardOf } from "../../platform/ids.ts";
import { spanRows } from "./spans.ts";

export type BotMeasure = Measure & { readonly botId: string };

const measureRows = bulk<BotMeasure>({
  bot_id: uuid(({ botId }) => botId),
  kind: text(({ kind }) => kind),
  subject: text(({ subject }) => subject),
  value: text(({ value }) => value),
});

/**
 * Returns the ids of these measures, and creates missing measures. The id is undefined for a measure of a deleted bot,
 * or if another process is creating the measure at the same moment.
 */
export async function findMeasureIds(sql: Sql, measures: readonly BotMeasure[]): Promise<(number | undefined)[]> {
  const rows = await sql<{ index: number; id: number }[]>`
    with wanted as (
      select *
      from ${measureRows(sql, measures)} as i
    ),
    found as (
      select wanted.index, insight_measures.id
      from wanted
      join insight_measures on insight_measures.bot_id = wanted.bot_id
        and insight_measures.kind = wanted.kind
        and insight_measures.subject = wanted.subject
        and insight_measures.value = wanted.value
    ),
    made as (
      insert into insight_measures (bot_id, kind, subject, value)
      select bot_id, kind, subject, value
      from wanted
      where not exists (select from found where found.index = wanted.index)
        and exists (select from bots where bots.id = wanted.bot_id)
      order by bot_id, kind, subject, value
      on conflict do nothing
      returning id, bot_id, kind, subject, value
    )
    select index::integer as index, id
    from found
    union all
    select wanted.index::integer, made.id
    from made
    join wanted on wanted.bot_id = made.bot_id
      and wanted.kind = made.kind
      and wanted.subject = made.subject
      and wanted.value = made.value`;
  const ids = new Map(rows.map(({ index, id }) => [index - 1, id]));
  return measures.map((_, index) => ids.get(index));
}

export type NewCount = {
  readonly resultId: string;
  /** The revision that was read. The count is written only if the row was not changed meanwhile. */
  readonly revision: number;
  /** Null if the result is never counted again. */
  readonly kept: {
    /** Whether the result counts towards the totals now. */
    readonly isStanding: boolean;
    /** Null if the result does not exist. */
    readonly botId: string | null;
    readonly version: number;
    readonly createdAt: Date | null;
    readonly measures: readonly { readonly id: number; readonly times: number }[];
    readonly change: Date | null;
    readonly steps: number;
  } | null;
  readonly nextMinutes: number | null;
};

const countRows = bulk<NewCount>({
  shard: smallint(({ resultId }) => shardOf(resultId)),
  result_id: uuid(({ resultId }) => resultId),
  revision: integer(({ revision }) => revision),
  is_kept: boolean(({ kept }) => kept !== null),
  is_counted: boolean(({ kept }) => kept?.isStanding ?? false),
  bot_id: uuid(({ kept }) => kept?.botId ?? null),
  version: integer(({ kept }) => kept?.version ?? null),
  created_at: text(({ kept }) => kept?.createdAt?.toISOString()),
  measures: text(({ kept }) => listOf(kept?.measures.map(({ id }) => id))),
  times: text(({ kept }) => listOf(kept?.measures.map(({ times }) => times))),
  change: text(({ kept }) => kept?.change?.toISOString()),
  steps: integer(({ kept }) => kept?.steps ?? null),
  next_minutes: integer(({ nextMinutes }) => nextMinutes),
});

function listOf(numbers: readonly number[] = []): string {
  return `{${numbers.join(",")}}`;
}

/**
 * Replaces the counts of these results, and changes the sums by the difference. A single statement does both, so that
 * after a failure either both are written or neither is. If two writers count the same result concurrently, the second
 * does not write this result's count. Returns the number of written counts.
 */
export async function saveCounts(sql: Sql, counts: readonly NewCount[]): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    with before as (
      -- Whatever the plan, two that meet lock in the same order.
      select
        r.shard, r.result_id, r.bot_id, r.version, r.created_at, r.measures, r.times, r.is_counted,
        given.is_kept,
        given.is_counted as now_counted,
        given.bot_id as new_bot_id,
        given.version as new_version,
        given.created_at::timestamptz(3) as new_created_at,
        given.measures::integer[] as new_measures,
        given.times::integer[] as new_times,
        given.change::timestamptz(3) as change,
        given.steps,
        given.next_minutes
      from ${countRows(sql, counts)} as given
      join insight_results r on r.shard = given.shard and r.result_id = given.result_id
      where r.revision = given.revision
      order by r.result_id
      for update of r
    ),
    saved as (
      update insight_results r
      set bot_id = before.new_bot_id,
        version = before.new_version,
        created_at = before.new_created_at,
        measures = before.new_measures,
        times = before.new_times,
        is_counted = before.now_counted,
        revision = r.revision + 1,
        counted_change = before.change,
        counted_steps = before.steps,
        next_at = clock() + make_interval(mins => before.next_minutes)
      from before
      where r.shard = before.shard
        and r.result_id = before.result_id
        and before.is_kept
    ),
    removed as (
      delete from insight_results r
      using before
      where r.shard = before.shard
        and r.result_id = before.result_id
        and not before.is_kept
    ),
    changes as (
      select before.bot_id, before.version, before.created_at, entry.measure, -1 as chats, -entry.times as times
      from before
      cross join unnest(before.measures, before.times) as entry (measure, times)
      where before.is_counted
      union all
      select new_bot_id, new_version, new_created_at, entry.measure, 1, entry.times
      from before
      cross join unnest(new_measures, new_times) as entry (measure, times)
      where now_counted
    ),
    sums as (
      select bot_id, unit, starts_at, version, measure, sum(chats)::integer as chats, sum(times)::integer as times
      from changes
      cross join lateral (
        values
          ('quarter', date_bin('15 minutes', created_at, 'epoch')),
          ('day', date_trunc('day', created_at, 'UTC')),
          ('month', date_trunc('month', created_at, 'UTC'))
      ) as spans (unit, starts_at)
      group by bot_id, unit, starts_at, version, measure
      having sum(chats) <> 0 or sum(times) <> 0
    ),
    counted as (
      insert into insight_counts as c (bot_id, unit, starts_at, version, measures, chats, times)
      select bot_id, unit, starts_at, version, array_agg(measure), array_agg(chats), array_agg(times)
      from sums
      where exists (select from bots where bots.id = sums.bot_id)
      group by bot_id, unit, starts_at, version
      order by bot_id, unit, starts_at, version
      on conflict (bot_id, unit, starts_at, version) do update
      set (measures, chats, times) = (
        select coalesce(array_agg(measure), '{}'), coalesce(array_agg(chats), '{}'), coalesce(array_agg(times), '{}')
        from (
          select measure, sum(chats)::integer as chats, sum(times)::integer as times
          from (
            select *
            from unnest(c.measures, c.chats, c.times)
            union all
            select *
            from unnest(excluded.measures, excluded.chats, excluded.times)
          ) as entry (measure, chats, times)
          group by measure
          having sum(chats) <> 0 or sum(times) <> 0
        ) as together
      )
    )
    select count(*)::integer as count
    from before`;
  return row.count;
}

/** Reschedules results that have not changed. */
export async function postponeCounts(
  sql: Sql,
  results: readonly Pick<NewCount, "resultId" | "revision" | "nextMinutes">[],
): Promise<void> {
  await sql`
    with locked as (
      select r.shard, r.result_id, given.next_minutes
      from ${postponedRows(sql, results)} as given
      join insight_results r on r.shard = given.shard and r.result_id = given.result_id
      where r.revision = given.revision
      order by r.result_id
      for update of r
    )
    update insight_results r
    set next_at = clock() + make_interval(mins => locked.next_minutes),
      revision = r.revision + 1
    from locked
    where r.shard = locked.shard
      and r.result_id = locked.result_id`;
}

const postponedRows = bulk<Pick<NewCount, "resultId" | "revision" | "nextMinutes">>({
  shard: smallint(({ resultId }) => shardOf(resultId)),
  result_id: uuid(({ resultId }) => resultId),
  revision: integer(({ revision }) => revision),
  next_minutes: integer(({ nextMinutes }) => nextMinutes),
});

/**
 * Records that everything before this moment is counted. Only nodes of earlier releases read this time; current nodes
 * use `findCountedUntil`.
 */
export async function noteCountedUntil(sql: Sql, moment: Date): Promise<void> {
  await sql`
    update insight_progress
    set counted_until = ${moment}`;
}

export type Sum = Measure & { readonly chats: number; readonly times: number };

/**
 * Returns the sums over a bot's results that started in these spans. If `version` is undefined, all versions are
 * included.
 */
export async function sumCounts(
  sql: Sql,
  { botId, spans, version }: { botId: string; spans: readonly Span[]; version: number | undefined },
): Promise<Sum[]> {
  return sql<Sum[]>`
    select kind, subject, value, chats, times
    from (
      select entry.measure, sum(entry.chats)::double precision as chats, sum(entry.times)::double precision as times
      from ${spanRows(sql, spans)} as spans
      join insight_counts on insight_counts.bot_id = ${botId}
        and insight_counts.unit = spans.unit
        and insight_counts.starts_at >= spans.starts_from::timestamptz
        and insight_counts.starts_at < spans.starts_before::timestamptz
        ${version === undefined ? sql`` : sql`and insight_counts.version = ${version}`}
      cross join unnest(insight_counts.measures, insight_counts.chats, insight_counts.times) as entry (measure, chats, times)
      group by entry.measure
      having sum(entry.chats) <> 0
    ) as sums
    join insight_measures on insight_measures.id = sums.measure`;
}
