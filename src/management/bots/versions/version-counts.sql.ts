import type { Sql } from "../../../platform/database/sql.ts";

export type CountedVersion = {
  readonly number: number;
  readonly views: number;
  readonly starts: number;
  readonly completions: number;
};

/**
 * Returns the counted outcomes of the chats that started on versions of a bot. Leaves out versions without outcomes.
 */
export async function countVersions(
  sql: Sql,
  { botId, numbers }: { botId: string; numbers: readonly number[] },
): Promise<CountedVersion[]> {
  return sql<CountedVersion[]>`
    select
      counts.version as number,
      coalesce(sum(entry.chats) filter (where measure.kind = 'view'), 0)::double precision as views,
      coalesce(sum(entry.chats) filter (where measure.kind = 'start'), 0)::double precision as starts,
      coalesce(sum(entry.chats) filter (where measure.kind = 'completion'), 0)::double precision as completions
    from insight_measures as measure
    join insight_counts as counts on counts.bot_id = measure.bot_id
      and counts.unit = 'month'
      and counts.version = any(${[...numbers]}::integer[])
    cross join lateral unnest(counts.measures, counts.chats) as entry (measure_id, chats)
    where measure.bot_id = ${botId}
      and measure.kind in ('view', 'start', 'completion')
      and measure.subject = ''
      and measure.value = ''
      and entry.measure_id = measure.id
    group by counts.version`;
}
