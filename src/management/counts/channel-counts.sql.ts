import type { CountedWindow } from "../../core/measures/spans.ts";
import { bulk, integer, text } from "../../platform/database/bulk.ts";
import type { Sql } from "../../platform/database/sql.ts";
import type { Sum } from "./counts.sql.ts";
import { type PointSum, totalKinds } from "./points.sql.ts";

/** The results of a bot from one messenger, of one version or of all versions. */
export type ChannelResults = {
  readonly botId: string;
  readonly channel: string;
  readonly version: number | undefined;
};

/**
 * Returns the sums over results of one messenger that started in a window. Reads the counts of single results, because
 * the counts of time spans combine all channels.
 */
export async function sumChannelCounts(
  sql: Sql,
  { from, to, ...whose }: ChannelResults & CountedWindow,
): Promise<Sum[]> {
  return sql<Sum[]>`
    select kind, subject, value, chats, times
    from (
      select entry.measure, count(*)::double precision as chats, sum(entry.times)::double precision as times
      from ${countedResults(sql, whose)}
      where (${from}::timestamptz is null or r.created_at >= ${from})
        and (${to}::timestamptz is null or r.created_at < ${to})
      group by entry.measure
    ) as sums
    join insight_measures on insight_measures.id = sums.measure`;
}

const windowRows = bulk<CountedWindow & { readonly point: number }>({
  point: integer(({ point }) => point),
  starts_from: text(({ from }) => from?.toISOString() ?? "-infinity"),
  starts_before: text(({ to }) => to?.toISOString() ?? "infinity"),
});

/**
 * Returns the totals of results of one messenger that started in each of these windows, in the format of `sumTotals`.
 */
export async function sumChannelTotals(
  sql: Sql,
  { windows, ...whose }: ChannelResults & { readonly windows: readonly CountedWindow[] },
): Promise<PointSum[]> {
  const rows = windows.map((window, point) => ({ ...window, point }));
  return sql<PointSum[]>`
    select null::text as bot_id, w.point, m.kind, count(*)::double precision as chats
    from ${countedResults(sql, whose)}
    join ${windowRows(sql, rows)} as w on r.created_at >= w.starts_from::timestamptz
      and r.created_at < w.starts_before::timestamptz
    join insight_measures m on m.id = entry.measure and m.kind = any(${[...totalKinds]}::text[])
    group by w.point, m.kind`;
}

/** Selects the counted results as `r`, each with its counted measures as `entry`. */
function countedResults(sql: Sql, { botId, channel, version }: ChannelResults) {
  return sql`(
    select results.created_at, counted.measures, counted.times
    from results
    join insight_results counted on counted.shard = results.shard
      and counted.result_id = results.id
      and counted.is_counted
    where results.bot_id = ${botId}
      and results.channel = ${channel}
      ${version === undefined ? sql`` : sql`and counted.version = ${version}`}
  ) as r
  cross join unnest(r.measures, r.times) as entry (measure, times)`;
}
