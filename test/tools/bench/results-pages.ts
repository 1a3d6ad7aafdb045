import { Type } from "@sinclair/typebox";
import { findWindow, type TimeFilter } from "../../../src/management/results/results.sql.ts";
import type { Position } from "../../../src/platform/database/owned-rows.sql.ts";
import { cutPage, readPage } from "../../../src/platform/http/requests/cursor.ts";
import { authorisation, type Bench } from "./bench.ts";
import type { LoadReport } from "./load.ts";

export const pageSize = 50;

/** A page of a bot's results that can be requested repeatedly. */
export type ResultsPage = {
  readonly timeFilter: TimeFilter;
  readonly place: "first" | "deep";
  /** The position after which a deep page begins. */
  readonly after: Position | undefined;
  load(options: { concurrency: number }): Promise<LoadReport>;
};

const Page = Type.Object({ results: Type.Array(Type.Unknown()), nextCursor: Type.Optional(Type.String()) });

/**
 * Returns the first page and a middle page of the results for each time filter. A filter with fewer than two pages is
 * omitted, for example "today" soon after midnight.
 */
export async function resultsPages(
  bench: Bench,
  botId: string,
  timeFilters: readonly TimeFilter[],
): Promise<ResultsPage[]> {
  const pages: ResultsPage[] = [];
  const load = (line: string) => (options: { concurrency: number }) =>
    bench.load({ kind: "requests", lines: [`GET ${line}`], headers: authorisation }, options);
  for (const timeFilter of timeFilters) {
    const path = `/api/v1/bots/${botId}/results?limit=${pageSize}&timeFilter=${timeFilter}`;
    const first = await bench.service.get(path, Page);
    if (first.nextCursor === undefined) continue;
    // The cursor contains the time window that the first page fixed.
    const page = readPage("results", { cursor: first.nextCursor }, [botId, false]);
    const after = await findMiddle(bench, botId, timeFilter);
    const rows = [after, after];
    const { nextCursor } = cutPage({ rows, page: { ...page, size: 1 }, window: page.part.after?.window ?? "" });
    const deepPath = `${path}&cursor=${nextCursor}`;
    const deep = await bench.service.get(deepPath, Page);
    if (deep.results.length < pageSize) continue;
    pages.push({ timeFilter, place: "first", after: undefined, load: load(path) });
    pages.push({ timeFilter, place: "deep", after, load: load(deepPath) });
  }
  return pages;
}

async function findMiddle({ floors: { sql } }: Bench, botId: string, timeFilter: TimeFilter): Promise<Position> {
  const { from, to } = await findWindow(sql, { timeFilter, timeZone: "UTC" });
  const [middle] = await sql<{ id: string; createdAt: Date }[]>`
    with listed as (
      select created_at, id
      from results
      where bot_id = ${botId} and not is_archived
        and created_at >= ${from ?? new Date(0)} and created_at < ${to ?? new Date(8_640_000_000_000)}
    )
    select id, created_at
    from listed
    order by created_at desc, id desc
    offset (select count(*) / 2 from listed)
    limit 1`;
  if (!middle) throw new Error(`There are no results of ${timeFilter}.`);
  return { createdAt: middle.createdAt, id: middle.id };
}
