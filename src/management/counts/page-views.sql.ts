import type { Span } from "../../core/measures/spans.ts";
import { bulk, integer, text } from "../../platform/database/bulk.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { spanRows } from "./spans.ts";

export type PageViews = { readonly publicId: string; readonly count: number };

const viewRows = bulk<PageViews>({
  public_id: text(({ publicId }) => publicId),
  count: integer(({ count }) => count),
});

/**
 * Adds views of chat pages to the published version of each bot at the current time, or to version 0 if the bot is not
 * published.
 */
export async function addPageViews(sql: Sql, views: readonly PageViews[]): Promise<void> {
  await sql`
    insert into page_views as p (bot_id, unit, starts_at, version, count)
    select bots.id, spans.unit, spans.starts_at, coalesce(bots.publication_number, 0), i.count
    from ${viewRows(sql, views)} as i
    join bots on lower(bots.public_id) = lower(i.public_id)
    cross join lateral (
      values
        ('quarter', date_bin('15 minutes', clock(), 'epoch')),
        ('day', date_trunc('day', clock(), 'UTC')),
        ('month', date_trunc('month', clock(), 'UTC'))
    ) as spans (unit, starts_at)
    -- In one order, so that two processes do not wait for each other.
    order by bots.id, spans.unit, spans.starts_at
    on conflict (bot_id, unit, starts_at, version) do update
    set count = p.count + excluded.count`;
}

/**
 * Returns the number of views of a bot's chat pages in these spans. If `version` is undefined, views of all versions
 * are counted.
 */
export async function sumPageViews(
  sql: Sql,
  { botId, spans, version }: { botId: string; spans: readonly Span[]; version: number | undefined },
): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select coalesce(sum(page_views.count), 0)::double precision as count
    from ${spanRows(sql, spans)} as spans
    join page_views on page_views.bot_id = ${botId}
      and page_views.unit = spans.unit
      and page_views.starts_at >= spans.starts_from::timestamptz
      and page_views.starts_at < spans.starts_before::timestamptz
      ${version === undefined ? sql`` : sql`and page_views.version = ${version}`}`;
  return row.count;
}
