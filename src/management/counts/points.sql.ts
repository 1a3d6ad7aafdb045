import { type CountedWindow, type Span, spansOf } from "../../core/measures/spans.ts";
import { bulk, integer, text } from "../../platform/database/bulk.ts";
import type { Sql } from "../../platform/database/sql.ts";

/** The kinds of totals: all results, results with an answer, completed results, and results with errors. */
export const totalKinds = ["view", "start", "completion", "failed"] as const;
export type TotalKind = (typeof totalKinds)[number];

/** A total of a point of a series, or of a bot. `point` is the index of the point; null for the total of a bot. */
export type PointSum = {
  readonly botId: string | null;
  readonly point: number | null;
  readonly kind: TotalKind;
  readonly chats: number;
};

/** The bots of a workspace that are not in the bin. With `userId`, only bots on which this user collaborates. */
export type CountedBots = { readonly workspaceId: string; readonly userId: string | undefined };
type Whose = { readonly botIds: readonly string[] } | CountedBots;

const pointSpanRows = bulk<Span & { readonly point: number }>({
  unit: text(({ unit }) => unit),
  starts_from: text(({ from }) => from?.toISOString() ?? "-infinity"),
  starts_before: text(({ to }) => to?.toISOString() ?? "infinity"),
  point: integer(({ point }) => point),
});

/**
 * Returns the totals of results that started in these windows: for each window over all bots, and for each bot over all
 * windows. The windows must not overlap.
 */
export async function sumTotals(
  sql: Sql,
  { windows, version, ...whose }: Whose & { windows: readonly CountedWindow[]; version?: number | undefined },
): Promise<PointSum[]> {
  const sums = sql`${totalKinds.map((kind) => sql`, sum(${sql(kind)})::double precision as ${sql(kind)}`)}`;
  const entries = totalKinds.map((kind) => sql`select ${kind}::text as kind, summed.${sql(kind)} as chats`);
  return sql<PointSum[]>`
    select summed.bot_id, summed.point, entry.kind, entry.chats
    from (
      select counted.bot_id, counted.point ${sums}
      from (${countedIn(sql, { windows, version, whose, kinds: totalKinds })}) as counted
      group by grouping sets ((counted.bot_id), (counted.point))
    ) as summed
    cross join lateral (${entries.reduce((all, entry) => sql`${all} union all ${entry}`)}) as entry
    where entry.chats <> 0`;
}

/** Returns the number of results of each bot that started in each window. Zeros are left out. */
export async function listTrends(
  sql: Sql,
  { windows, botIds }: { windows: readonly CountedWindow[]; botIds: readonly string[] },
): Promise<{ readonly botId: string; readonly point: number; readonly chats: number }[]> {
  return sql<{ botId: string; point: number; chats: number }[]>`
    select counted.bot_id, counted.point, sum(counted.view)::double precision as chats
    from (${countedIn(sql, { windows, version: undefined, whose: { botIds }, kinds: ["view"] })}) as counted
    group by counted.bot_id, counted.point
    having sum(counted.view) <> 0`;
}

type CountedIn = {
  readonly windows: readonly CountedWindow[];
  readonly version: number | undefined;
  readonly whose: Whose;
  readonly kinds: readonly TotalKind[];
};

/**
 * Selects totals with one column per kind. Reads each total at its position in a row's arrays. Expanding the arrays
 * would be slow, because a row may contain the counts of thousands of blocks, edges and answers.
 */
function countedIn(sql: Sql, { windows, version, whose, kinds }: CountedIn): ReturnType<Sql> {
  const rows = windows.flatMap((window, point) => spansOf(window).map((span) => ({ ...span, point })));
  const idOf = (kind: TotalKind) => sql(`${kind}_id`);
  const ids = sql`${kinds.map((kind) => sql`, max(m.id) filter (where m.kind = ${kind}) as ${idOf(kind)}`)}`;
  const placeOf = (kind: TotalKind) => sql`array_position(c.measures, measured.${idOf(kind)})`;
  const totals = sql`${kinds.map((kind) => sql`, c.chats[${placeOf(kind)}] as ${sql(kind)}`)}`;
  return sql`
      select measured.bot_id, spans.point ${totals}
      from (
        select wanted.bot_id ${ids}
        from (${botsOf(sql, whose)}) as wanted
        join insight_measures m on m.bot_id = wanted.bot_id
          and m.kind = any(${[...kinds]}::text[])
          and m.subject = ''
          and m.value = ''
        group by wanted.bot_id
      ) as measured
      cross join ${pointSpanRows(sql, rows)} as spans
      join insight_counts c on c.bot_id = measured.bot_id
        and c.unit = spans.unit
        and c.starts_at >= spans.starts_from::timestamptz
        and c.starts_at < spans.starts_before::timestamptz
        ${version === undefined ? sql`` : sql`and c.version = ${version}`}`;
}

export type FirstAndLast = { readonly first: Date | null; readonly last: Date | null };

/** Returns the time span of all counted results, rounded out to quarters of an hour. */
export async function findFirstAndLast(sql: Sql, whose: Whose): Promise<FirstAndLast> {
  const [row] = await sql<[FirstAndLast]>`
    select min(counted.first) as first, max(counted.last) + interval '15 minutes' as last
    from (${botsOf(sql, whose)}) as wanted
    cross join lateral (
      select min(starts_at) as first, max(starts_at) as last
      from insight_counts
      where bot_id = wanted.bot_id
        and unit = 'quarter'
    ) as counted`;
  return row;
}

export type NamedBot = { readonly id: string; readonly name: string; readonly isArchived: boolean };

/**
 * Returns up to `limit` bots with their names. The given bots come first; both parts of the list are sorted by name.
 */
export async function listNames(
  sql: Sql,
  { botIds, limit, ...whose }: CountedBots & { botIds: readonly string[]; limit: number },
): Promise<NamedBot[]> {
  return sql<NamedBot[]>`
    select bots.id, bots.name, bots.is_archived
    from (${botsOf(sql, whose)}) as wanted
    join bots on bots.id = wanted.bot_id
    order by bots.id = any(${[...botIds]}::uuid[]) desc, lower(bots.name), bots.id
    limit ${limit}`;
}

function botsOf(sql: Sql, whose: Whose): ReturnType<Sql> {
  if ("botIds" in whose) return sql`select bot_id from unnest(${[...whose.botIds]}::uuid[]) as given (bot_id)`;
  const { workspaceId, userId } = whose;
  // Passes bots as a list. If they were joined as a table, a plan might read the counts of all bots for each span.
  return sql`
      select bot_id
      from unnest(array(
        select bots.id
        from bots
        where bots.workspace_id = ${workspaceId}
          and bots.deleted_at is null
          ${userId === undefined ? sql`` : sql`and exists (select from collaborators where bot_id = bots.id and user_id = ${userId})`}
      )) as given (bot_id)`;
}
