import type { Fragment } from "../../../platform/database/fragment.sql.ts";
import type { Position } from "../../../platform/database/owned-rows.sql.ts";
import { first, type Sql } from "../../../platform/database/sql.ts";
import { botEvents } from "../../events/bot-events.sql.ts";
import type { ResultList } from "../result-search.sql.ts";

export const exportFormats = ["csv", "ndjson", "xlsx"] as const;
export type ExportFormat = (typeof exportFormats)[number];

export const exportStatuses = ["waiting", "running", "ready", "failed"] as const;
export type ExportStatus = (typeof exportStatuses)[number];

/**
 * An export that a job creates. Its states are:
 *
 *     (none) ─ requested ───────────────────────────────────────────→ waiting
 *     waiting or running ─ a job starts, or restarts after a crash ─→ running, after the stored parts
 *     running ─ its file is stored ─────────────────────────────────→ ready
 *     waiting or running ─ its attempts have failed ────────────────→ failed
 *     any ─ `expiresAt` has passed ─────────────────────────────────→ (none): its file is deleted
 *
 * Deleting an export sets `expiresAt` to the current time.
 */
export type ResultExportRow = {
  readonly id: string;
  readonly botId: string;
  readonly userId: string;
  readonly format: ExportFormat;
  readonly fileName: string;
  readonly status: ExportStatus;
  readonly writtenResults: number;
  readonly expectedResults: number | null;
  readonly bytes: number | null;
  readonly problem: string | null;
  /** For a partial export, the time up to which it is certain to contain all results. */
  readonly asOf: Date | null;
  readonly createdAt: Date;
  readonly readyAt: Date | null;
  readonly expiresAt: Date;
};

/** The results of an export, and their format. */
export type ExportedList = ResultList & {
  /** Whether CSV has no apostrophes before formulas. */
  readonly isUnguarded?: boolean;
  /** Whether CSV starts with the byte order mark by which Excel recognizes UTF-8. */
  readonly hasBom?: boolean;
  /**
   * Whether the export may lack results that are missing from the index of variables' values. Otherwise, it waits for
   * them.
   */
  readonly isPartialAllowed?: boolean;
};

export type NewExport = Pick<ResultExportRow, "id" | "botId" | "userId" | "format" | "fileName"> & {
  readonly list: ExportedList;
};

/**
 * The stored state of an unfinished export. `kept` lists, in order, the stored parts that contain its first `results`
 * results, and `after` is the position of the last of these results. `begun` lists all parts that may be in the
 * storage.
 */
export type ExportParts = {
  readonly begun: readonly string[];
  readonly kept: readonly string[];
  readonly results: number;
  readonly after: { readonly createdAt: string; readonly id: string } | null;
};

/** An `ExportedList` in its JSON form, with times as texts. */
type StoredList = Omit<ExportedList, "botId" | "window"> & {
  readonly window: { readonly from: string | null; readonly to: string | null };
};

/**
 * Inserts an export, and its job into the outbox. Returns undefined if the workspace already has the maximum number of
 * unfinished exports.
 */
export async function insertExport(
  sql: Sql,
  { id, botId, userId, format, fileName, list }: NewExport,
  { most }: { most: number },
): Promise<ResultExportRow | undefined> {
  return first(sql<ResultExportRow[]>`
    with made as (
      insert into result_exports (id, bot_id, user_id, format, file_name, list)
      select ${id}::uuid, ${botId}::uuid, ${userId}::uuid, ${format}, ${fileName}, ${JSON.stringify(list)}::text::json
      where (
        select count(*)
        from result_exports e
        join bots on bots.id = e.bot_id
        where bots.workspace_id = (select workspace_id from bots where id = ${botId})
          and e.status in ('waiting', 'running')
          and e.expires_at > clock()
      ) < ${most}
      returning *
    ),
    job as (
      insert into outbox (id, queue, data)
      select id, 'exports', json_build_object('botId', ${botId}::text)
      from made
    )
    select ${columns(sql)}
    from made`);
}

/** Returns a bot's exports that have not expired, newest first. */
export async function selectExports(
  sql: Sql,
  { botId, after, limit }: { botId: string; after: Position | undefined; limit: number },
): Promise<ResultExportRow[]> {
  return sql<ResultExportRow[]>`
    select ${columns(sql)}
    from result_exports
    where bot_id = ${botId}
      and expires_at > clock()
      ${after ? sql`and (created_at, id) < (${after.createdAt}, ${after.id})` : sql``}
    order by created_at desc, id desc
    limit ${limit}`;
}

export async function findExport(
  sql: Sql,
  { botId, exportId }: { botId: string; exportId: string },
): Promise<ResultExportRow | undefined> {
  return first(sql<ResultExportRow[]>`
    select ${columns(sql)}
    from result_exports
    where id = ${exportId}
      and bot_id = ${botId}
      and expires_at > clock()`);
}

/**
 * Reserves an export for an attempt, which continues where the last attempt ended. Returns undefined if the export was
 * deleted or has already ended.
 */
export async function beginExport(
  sql: Sql,
  exportId: string,
): Promise<
  | (ResultExportRow & { readonly list: ExportedList; readonly attempt: number; readonly parts: ExportParts | null })
  | undefined
> {
  const [row] = await sql<(ResultExportRow & { list: StoredList; attempt: number; parts: ExportParts | null })[]>`
    update result_exports
    set status = 'running',
      attempt = attempt + 1,
      written_results = coalesce((parts ->> 'results')::integer, 0),
      problem = null
    where id = ${exportId}
      and status in ('waiting', 'running')
      and expires_at > clock()
    returning ${columns(sql)}, list, attempt, parts`;
  if (!row) return undefined;
  const { window, ...list } = row.list;
  const moment = (text: string | null) => (text === null ? null : new Date(text));
  return { ...row, list: { ...list, botId: row.botId, window: { from: moment(window.from), to: moment(window.to) } } };
}

export type ExportAttempt = { readonly exportId: string; readonly attempt: number };

/** Records the stored parts of an export. Returns false if the export was deleted, or if another attempt creates it. */
export async function noteParts(
  sql: Sql,
  { exportId, attempt, parts }: ExportAttempt & { parts: ExportParts | null },
): Promise<boolean> {
  const rows = await sql`
    update result_exports
    set parts = ${parts && JSON.stringify(parts)}::text::json
    where id = ${exportId}
      and attempt = ${attempt}
      and expires_at > clock()
    returning 1`;
  return rows.length === 1;
}

/** Whether no later attempt has begun. Only the last attempt may delete the written files. */
export async function isLastAttempt(sql: Sql, { exportId, attempt }: ExportAttempt): Promise<boolean> {
  const rows = await sql`
    select
    from result_exports
    where id = ${exportId}
      and attempt > ${attempt}`;
  return rows.length === 0;
}

/**
 * Records the time up to which a partial export is certain to contain all results; null for an export that is not
 * partial.
 */
export async function noteAsOf(sql: Sql, { exportId, attempt }: ExportAttempt, asOf: Date | null): Promise<void> {
  await sql`
    update result_exports
    set as_of = ${asOf}
    where id = ${exportId}
      and attempt = ${attempt}`;
}

/** Records the progress of an export. Returns false if the export was deleted, or if another attempt creates it. */
export async function noteProgress(
  sql: Sql,
  { exportId, attempt, written, expected }: ExportAttempt & { written: number; expected: number | null },
): Promise<boolean> {
  const rows = await sql`
    update result_exports
    set written_results = ${written},
      expected_results = ${expected}
    where id = ${exportId}
      and attempt = ${attempt}
      and status = 'running'
      and expires_at > clock()
    returning 1`;
  return rows.length === 1;
}

/**
 * Marks an export as ready and notifies the workspace's endpoints. Its file is stored for this number of hours. Returns
 * false if the export was deleted, or if another attempt creates it.
 */
export async function markReady(
  sql: Sql,
  { exportId, attempt, written, bytes, hours }: ExportAttempt & { written: number; bytes: number; hours: number },
): Promise<boolean> {
  const rows = await sql`
    with ready as (
      update result_exports
      set status = 'ready',
        written_results = ${written},
        expected_results = ${written},
        bytes = ${bytes},
        ready_at = clock(),
        expires_at = clock() + make_interval(hours => ${hours})
      where id = ${exportId}
        and attempt = ${attempt}
        and status = 'running'
        and expires_at > clock()
      returning *
    )
    ${exportedEvents(sql, exportId)}
    select id
    from ready`;
  return rows.length === 1;
}

/**
 * Returns the part of a statement that writes the events of an export. It reads the part `ready` (one row of
 * `result_exports`, or none).
 */
function exportedEvents(sql: Sql, exportId: string) {
  const content = {
    exportId: sql`${exportId}::text`,
    format: sql`ready.format`,
    results: sql`ready.written_results`,
    bytes: sql`ready.bytes`,
  };
  const [from, botId, orderKey] = [sql`ready`, sql`ready.bot_id`, sql`ready.id`];
  return sql`${botEvents(sql, { type: "results.exported", from, botId, orderKey, content })} ${finishedEvents(sql, { exportId, from })}`;
}

/** Returns the part of a statement that writes the events of a finished export. It reads the row `from`. */
function finishedEvents(sql: Sql, { exportId, from }: { exportId: string; from: ReturnType<Fragment> }) {
  const content = {
    exportId: sql`${exportId}::text`,
    format: sql`${from}.format`,
    status: sql`${from}.status`,
    results: sql`${from}.written_results`,
    problem: sql`${from}.problem`,
  };
  const [botId, orderKey, part] = [sql`${from}.bot_id`, sql`${from}.id`, sql`finished_events`];
  return botEvents(sql, { type: "export.finished", from, botId, orderKey, content, part });
}

/** Marks an unfinished export as failed for this reason, and notifies the workspace's endpoints. */
export async function giveUpExport(sql: Sql, exportId: string, problem: string): Promise<void> {
  await sql`
    with failed as (
      update result_exports
      set status = 'failed',
        problem = ${problem}
      where id = ${exportId}
        and status in ('waiting', 'running')
      returning *
    )
    ${finishedEvents(sql, { exportId, from: sql`failed` })}
    select`;
}

/** The facts of an export that the receipt of an erasure lists, because people may have copies of the file. */
export type NamedExport = Pick<ResultExportRow, "id" | "botId" | "userId" | "format" | "fileName" | "createdAt">;

/**
 * Ends all exports of these bots, or only the export `exportId`. An ended export can no longer be read, and a job
 * deletes its file. Its filter is deleted immediately. Returns the ended exports.
 */
export async function endExports(
  sql: Sql,
  { botIds, exportId }: { botIds: readonly string[]; exportId?: string },
): Promise<NamedExport[]> {
  return sql<NamedExport[]>`
    update result_exports
    set expires_at = clock(),
      list = '{"window":{"from":null,"to":null}}'
    where bot_id = any(${[...botIds]}::uuid[])
      ${exportId === undefined ? sql`` : sql`and id = ${exportId}`}
      and expires_at > clock()
    returning id, bot_id, user_id, format, file_name, created_at`;
}

/** Returns the exports that `endExports` would end. */
export async function listExportsOf(sql: Sql, botIds: readonly string[]): Promise<NamedExport[]> {
  return sql<NamedExport[]>`
    select id, bot_id, user_id, format, file_name, created_at
    from result_exports
    where bot_id = any(${[...botIds]}::uuid[])
      and expires_at > clock()`;
}

/** Returns up to `limit` exports whose files must be deleted, in the order in which they ended. */
export async function listEndedExports(
  sql: Sql,
  limit: number,
): Promise<{ readonly id: string; readonly parts: ExportParts | null }[]> {
  return sql<{ id: string; parts: ExportParts | null }[]>`
    select id, parts
    from result_exports
    where expires_at <= clock()
    order by expires_at
    limit ${limit}`;
}

/** Deletes the rows of exports whose files are deleted. */
export async function deleteExports(sql: Sql, exportIds: readonly string[]): Promise<void> {
  await sql`
    delete from result_exports
    where id = any(${[...exportIds]}::uuid[])
      and expires_at <= clock()`;
}

function columns(sql: Sql) {
  return sql`
    id,
    bot_id,
    user_id,
    format,
    file_name,
    status,
    written_results,
    expected_results,
    bytes::float8 as bytes,
    problem,
    as_of,
    created_at,
    ready_at,
    expires_at`;
}
