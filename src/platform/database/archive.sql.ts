import type postgres from "postgres";
import type { Statements } from "./sql.ts";

/** Begins a copy of the database's files. The connection must stay open until `stopBaseCopy`. */
export async function startBaseCopy(
  transaction: postgres.TransactionSql,
  { isFast }: { isFast: boolean },
): Promise<void> {
  await transaction`select pg_backup_start('parley', ${isFast})`;
}

/**
 * Ends the copy. Returns the label to store with the copied files, and the first and last segments that the copy
 * requires.
 */
export async function stopBaseCopy(
  transaction: postgres.TransactionSql,
): Promise<{ label: string; startWal: string; stopWal: string }> {
  const [row] = await transaction<{ label: string; stopWal: string }[]>`
    select labelfile as label, pg_walfile_name(lsn) as stop_wal
    from pg_backup_stop(false)`;
  const startWal = /^START WAL LOCATION: \S+ \(file ([0-9A-F]{24})\)/m.exec(row?.label ?? "")?.[1];
  if (!row || startWal === undefined) throw new Error("PostgreSQL does not report where its copy begins.");
  return { label: row.label, startWal, stopWal: row.stopWal };
}

/** The progress of archiving the log. */
export type ArchiverState = {
  readonly archivedAt: Date | null;
  readonly failedAt: Date | null;
  /** The number of files of the log that wait to be archived. */
  readonly waiting: number;
};

export async function findArchiverState(sql: Statements): Promise<ArchiverState> {
  const [row] = await sql<ArchiverState[]>`
    select
      last_archived_time as archived_at,
      last_failed_time as failed_at,
      (select count(*)::int from pg_ls_archive_statusdir() where name like '%.ready') as waiting
    from pg_stat_archiver`;
  if (!row) throw new Error("PostgreSQL does not report the state of its archiver.");
  return row;
}

/** The end of a restored database's log: the time of its last transaction, and the segment of its last record. */
export type RestoredEnd = { readonly at: Date | null; readonly wal: string | null };

export async function findRestoredEnd(sql: Statements): Promise<RestoredEnd> {
  // The position after a record that fills its segment completely belongs to the next segment, so the last byte of the
  // record is used.
  const [row] = await sql<RestoredEnd[]>`
    select
      pg_last_xact_replay_timestamp() as at,
      pg_walfile_name(pg_last_wal_replay_lsn() - 1) as wal`;
  if (!row) throw new Error("PostgreSQL does not report the state of its recovery.");
  return row;
}
