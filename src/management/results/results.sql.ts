import {
  allFields,
  type FieldValues,
  isList,
  type ResultField,
  type WrittenColumn,
} from "../../core/results/result-fields.ts";
import { limits } from "../../limits/index.ts";
import { shardedIds } from "../../platform/database/bulk.ts";
import { first, type Sql } from "../../platform/database/sql.ts";
import { shardOf } from "../../platform/ids.ts";

export type SavedVariable = { readonly id: string; readonly name: string; readonly value: string | (string | null)[] };

export type ResultRow = {
  readonly id: string;
  readonly createdAt: Date;
  readonly botId: string;
  readonly variables: SavedVariable[];
} & FieldValues;

export type AnswerRow = {
  readonly createdAt: Date;
  readonly resultId: string;
  readonly blockId: string;
  readonly groupId: string;
  readonly variableId: string | null;
  readonly content: string;
  /** Always zero, because it is not counted. The API contains it for existing clients. */
  readonly storageUsed: number;
  readonly attachedFileUrls: string[];
};

export type LogRow = {
  readonly id: string;
  readonly resultId: string;
  readonly status: string;
  readonly description: string;
  readonly details: string | null;
  readonly context: string | null;
  readonly createdAt: Date;
};

/** A span of time from its start until before its end. A null start or end means no limit. */
export type Window = { readonly from: Date | null; readonly to: Date | null };

/** Returns a result of the bot that is not archived, or undefined. */
export async function findResult(
  sql: Sql,
  { botId, resultId }: { botId: string; resultId: string },
): Promise<ResultRow | undefined> {
  return first(sql<ResultRow[]>`
    select ${resultColumns(sql)}
    from results
    where shard = ${shardOf(resultId)}
      and id = ${resultId}
      and bot_id = ${botId}
      and not is_archived`);
}

/**
 * Writes the values that a person sets for a result. Returns undefined if the result does not exist or is archived. The
 * time of the result's last change stays the same, because it describes changes by the visitor.
 */
export async function updateWrittenFields(
  sql: Sql,
  { botId, resultId }: { botId: string; resultId: string },
  written: readonly WrittenColumn[],
): Promise<ResultRow | undefined> {
  return first(sql<ResultRow[]>`
    update results
    set ${written.map((each) => setWritten(sql, each))}
      updated_at = updated_at
    where shard = ${shardOf(resultId)}
      and id = ${resultId}
      and bot_id = ${botId}
      and not is_archived
    returning ${resultColumns(sql)}`);
}

function setWritten(sql: Sql, { column, value }: WrittenColumn) {
  const name = sql(column);
  return sql`${name} = case when ${value !== undefined} then ${value ?? null} else ${name} end,`;
}

/** Returns the ids of the given results that are not archived. */
export async function listStandingIds(sql: Sql, resultIds: readonly string[]): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select results.id
    from ${shardedIds(sql, resultIds)} as wanted
    join results on results.shard = wanted.shard and results.id = wanted.id
    where not results.is_archived`;
  return rows.map(({ id }) => id);
}

/**
 * Returns the current answers of these results, without withdrawn answers. They are sorted by session, and within a
 * session by the revision that accepted them. Ids of sessions sort by their start (`newIdAfter`). The order never
 * depends on a clock, which may step back during a chat.
 */
export async function listAnswers(sql: Sql, resultIds: readonly string[]): Promise<AnswerRow[]> {
  return sql<AnswerRow[]>`
    select
      answers.created_at,
      answers.result_id,
      answers.block_id,
      answers.group_id,
      answers.variable_id,
      answers.content,
      0 as storage_used,
      coalesce(answers.attached_file_urls, '{}') as attached_file_urls
    from ${shardedIds(sql, resultIds)} as wanted
    join answers on answers.shard = wanted.shard and answers.result_id = wanted.id
    where answers.replaced_at is null
    order by answers.result_id, answers.session_id, answers.revision, answers.position`;
}

export type SpokenAnswer = {
  readonly sessionId: string;
  readonly createdAt: Date;
  readonly blockId: string;
  readonly content: string;
  readonly attachedFileUrls: readonly string[];
  /** The succeeded payment to which the answer belongs; null if there is none. */
  readonly paid: { readonly units: number; readonly currency: string } | null;
};

/**
 * Returns a result's current answers from sessions other than these, in order, up to `limits.session.transcriptSteps`.
 */
export async function listAnswersOfOtherSessions(
  sql: Sql,
  { resultId, sessionIds }: { resultId: string; sessionIds: readonly string[] },
): Promise<SpokenAnswer[]> {
  return sql<SpokenAnswer[]>`
    select session_id, created_at, block_id, content, coalesce(attached_file_urls, '{}') as attached_file_urls, (
      select json_build_object('units', amount, 'currency', currency)
      from payments
      where payments.shard = answers.shard
        and payments.session_id = answers.session_id
        and payments.block_id = answers.block_id
        and payments.taken_revision = answers.revision
        and payments.status = 'succeeded'
      limit 1
    ) as paid
    from answers
    where shard = ${shardOf(resultId)}
      and result_id = ${resultId}
      and replaced_at is null
      and session_id <> all(${[...sessionIds]}::uuid[])
    order by session_id, revision, position
    limit ${limits.session.transcriptSteps}`;
}

/** Returns a result's log entries in the order in which they were written, up to `limits.logs.perResult`. */
export async function listLogs(sql: Sql, resultId: string): Promise<LogRow[]> {
  return sql<LogRow[]>`
    select
      id,
      result_id,
      status,
      description,
      details,
      context,
      created_at
    from logs
    where shard = ${shardOf(resultId)}
      and result_id = ${resultId}
    order by position nulls first, id
    limit ${limits.logs.perResult}`;
}

export const timeFilters = [
  "today",
  "last7Days",
  "last30Days",
  "monthToDate",
  "lastMonth",
  "yearToDate",
  "allTime",
] as const;
export type TimeFilter = (typeof timeFilters)[number];

/**
 * Returns the bounds of a time filter, as whole days and months in a time zone. With daylight saving time, these may be
 * longer or shorter than usual. The bounds are relative to the database's clock, unless `now` is given.
 */
export async function findWindow(
  sql: Sql,
  { timeFilter, timeZone, now }: { timeFilter: TimeFilter; timeZone: string; now?: Date },
): Promise<Window> {
  const [row] = await sql<Window[]>`
    select
      case ${timeFilter}::text
        when 'today' then day
        when 'last7Days' then day - interval '6 days'
        when 'last30Days' then day - interval '29 days'
        when 'monthToDate' then month
        when 'lastMonth' then month - interval '1 month'
        when 'yearToDate' then date_trunc('year', day)
      end at time zone ${timeZone}::text as "from",
      case ${timeFilter}::text
        when 'lastMonth' then month
      end at time zone ${timeZone}::text as "to"
    from (select coalesce(${now ?? null}::timestamptz, clock()) at time zone ${timeZone}::text as wall_clock) as here
    cross join lateral (select date_trunc('day', wall_clock) as day, date_trunc('month', wall_clock) as month) as calendar`;
  if (!row) throw new Error("A time window is missing");
  return row;
}

/** Returns the columns of a `ResultRow`. */
export function resultColumns(sql: Sql) {
  return sql`
    id,
    created_at,
    bot_id,
    variables
    ${allFields.filter(({ answer }) => answer).map((field) => fieldColumn(sql, field))}`;
}

function fieldColumn(sql: Sql, field: ResultField) {
  const column = sql(field.column);
  return isList(field) ? sql`, coalesce(${column}, '{}') as ${column}` : sql`, ${column}`;
}
