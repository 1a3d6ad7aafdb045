import { StartError } from "../../config.ts";
import {
  type CopiedTable,
  copyIn,
  copyOut,
  emptyTables,
  keepOrder,
  listMigrations,
  listTables,
  setSequence,
} from "../database/copy.sql.ts";
import { type Migration, migrations as released } from "../database/migrations.ts";
import { findContent } from "../database/schema/content.sql.ts";
import {
  checkServer,
  type MigrationNote,
  migrateUnseen,
  migrationHash,
  type Transaction,
  withMigrationLock,
} from "../database/schema/migrate.sql.ts";
import type { Sql, Statements } from "../database/sql.ts";
import { isBadData } from "../database/violations.ts";
import { isId } from "../ids.ts";
import { queueSchema } from "../queue/queue-tables.sql.ts";
import { discard, receiveFile } from "../storage/arrival.ts";
import type { Storage } from "../storage/storage.ts";
import { reasonOf } from "../thrown.ts";
import { bytesOf, contentOf, createEntries, type Entries } from "./entries.ts";
import {
  createSum,
  End,
  endName,
  formatVersion,
  Head,
  headName,
  maxPartBytes,
  maxPieceBytes,
  readPart,
  type Sum,
} from "./format.ts";
import { createMadeFiles } from "./made-files.ts";
import { dropLimits, resumeWork } from "./restore.sql.ts";
import { decompressZstd } from "./zstd.ts";

export type RestoreOptions = {
  readonly sql: Sql;
  /** The name of the database as shown to the operator, without its password. */
  readonly name: string;
  /** The storage of files. If undefined, files are read and compared, but not stored. */
  readonly storage: Storage | undefined;
  readonly onProgress: (what: string, bytes: number) => void;
  readonly onNote?: (note: MigrationNote) => void;
  /** Defaults to the migrations of this release. */
  readonly migrations?: readonly Migration[];
  /** Whether all rows are read again and compared with the backup, before later migrations change the rows. */
  readonly isCompared?: boolean;
};

/**
 * Restores a backup into an empty database and the file storage, and migrates it to this release. The restore is one
 * transaction: a backup that is truncated, was changed or cannot be upgraded leaves neither tables nor files, and a
 * process that dies leaves no tables. Returns the restored content. Throws a StartError that names the remedy.
 *
 *     reading ─ the backup is of this release or older, the database is empty → filling
 *     filling ─ tables, rows and files are restored, later migrations are run → committing
 *     filling ─ any failure ──────────────────────────────────────────────────→ rolled back; its files are removed
 *     committing ─ confirmed, or found committed after a lost connection ─────→ restored
 *     committing ─ found rolled back ─────────────────────────────────────────→ rolled back; its files are removed
 *     committing ─ the database does not respond ─────────────────────────────→ unknown; its files remain, and the error reports this
 */
export async function restoreBackup(archive: ReadableStream<Uint8Array>, options: RestoreOptions): Promise<End> {
  const { sql } = options;
  const made = createMadeFiles(options.storage);
  const ending = new AbortController();
  const filling: { done?: Promise<End>; end?: End } = {};
  try {
    return await withMigrationLock(sql, async (transaction) => {
      const entries = createEntries(archive.pipeThrough(new TransformStream(), { signal: ending.signal }));
      filling.done = fill(transaction, entries, { ...options, storage: made.storage });
      filling.end = await filling.done;
      return filling.end;
    });
  } catch (error) {
    // A lost connection ends the transaction, but does not stop the process from reading the backup.
    ending.abort(error);
    await filling.done?.catch(() => {});
    if (filling.end && (await wasCommitted(sql, error))) return filling.end;
    throw await afterUndoing(error, made.remove);
  }
}

async function fill(transaction: Transaction, entries: Entries, options: RestoreOptions): Promise<End> {
  const { migrations = released, onNote = () => {} } = options;
  await checkServer(transaction);
  await dropLimits(transaction);
  await requireEmpty(transaction, options.name);
  const head = readPart(Head, await bytesOf(await entries.next(headName), maxPartBytes));
  requireRestorable(head, migrations);
  await migrateUnseen(transaction, migrations.slice(0, head.migrations.length), () => {});
  const end = await fillTables(transaction, entries, { head, options });
  if (options.isCompared) await compare(transaction, end, head.tables);
  await migrateUnseen(transaction, migrations, onNote);
  // `resumeWork` uses the tables of this release, so it runs after the last migration.
  await resumeWork(transaction);
  return end;
}

async function requireEmpty(sql: Statements, name: string): Promise<void> {
  const content = await findContent(sql, [queueSchema]);
  if (content !== undefined)
    throw new StartError(
      `The database is not empty, because it has ${content}: restore into an empty database, or with another DATA_DIR. It is ${name}.`,
    );
}

/**
 * Whether a transaction with an unknown outcome was committed. Throws a StartError if the outcome cannot be determined.
 */
async function wasCommitted(sql: Sql, cause: unknown): Promise<boolean> {
  try {
    // The failed transaction holds the migration lock until it ends, so this statement waits for the outcome.
    return await withMigrationLock(sql, async (transaction) => (await listMigrations(transaction)).length > 0);
  } catch {
    throw new StartError(
      `The connection was lost when the restore was about to end (${reasonOf(cause)}), and it is unknown whether the database has the data. Start the database, and restore again: if it is not empty then, it has all the data.`,
      { cause },
    );
  }
}

/** Returns the error that ended the restore, including everything that could not be undone. */
async function afterUndoing(error: unknown, undo: () => Promise<void>): Promise<unknown> {
  try {
    await undo();
    return error;
  } catch (problem) {
    const text = `${reasonOf(error)} The restored files could not be removed: ${reasonOf(problem)}`;
    return new StartError(text, { cause: error });
  }
}

/** Compares the restored tables with the checksums in the backup. Throws a StartError at the first difference. */
async function compare(transaction: Transaction, end: End, tables: Head["tables"]): Promise<void> {
  await keepOrder(transaction);
  for (const table of tables) {
    const sum = createSum();
    for await (const chunk of await copyOut(transaction, table)) sum.add(chunk);
    expectSame(`The table ${table.name} of the restored database`, sum.end(), end.tables[table.name]);
  }
}

/** Throws a StartError if the backup comes from a newer or a different release. */
function requireRestorable({ format, release, migrations }: Head, known: readonly Migration[]): void {
  const newer = (what: string) =>
    new StartError(
      `The backup was created by a newer Parley than this one (${release}; ${what}): restore it with that release.`,
    );
  if (format > formatVersion) throw newer(`format ${format}`);
  for (const [index, { name, hash }] of migrations.entries()) {
    const own = known[index];
    if (own === undefined) throw newer(name);
    if (own.name !== name || migrationHash(own.text) !== hash)
      throw new StartError(
        `The backup was created by a different Parley (${release}; its migration ${name} differs from ${own.name} of this release): restore it with that Parley.`,
      );
  }
}

async function fillTables(
  transaction: Transaction,
  entries: Entries,
  { head, options }: { head: Head; options: RestoreOptions },
): Promise<End> {
  requireKnown(head.tables, await listTables(transaction));
  await emptyTables(transaction, head.tables);
  const sums = new Map<string, Sum>();
  for (const table of head.tables) sums.set(table.name, await fillTable(transaction, entries, { table, options }));
  const files = await fillFiles(entries, options);
  const end = readPart(End, await bytesOf(await entries.next(endName), maxPartBytes));
  for (const { name } of head.tables) expectSame(`The table ${name} in the backup`, sums.get(name), end.tables[name]);
  expectSame("The visitors' uploads in the backup", files, { ...end.files, rows: files.rows });
  for (const sequence of end.sequences) await setSequence(transaction, sequence);
  return end;
}

/** Throws a StartError if a backup names tables or columns that its release does not have. */
function requireKnown(named: Head["tables"], known: readonly CopiedTable[]): void {
  const columnsOf = new Map(known.map(({ name, columns }) => [name, new Set(columns)]));
  for (const { name, columns } of named) {
    const own = columnsOf.get(name);
    if (!own || columns.some((column) => !own.has(column)))
      throw new StartError(
        `The backup contains ${JSON.stringify(name)}, which is not a table of this release: use another backup.`,
      );
  }
}

async function fillTable(
  transaction: Transaction,
  entries: Entries,
  { table, options }: { table: Head["tables"][number]; options: RestoreOptions },
): Promise<Sum> {
  const sum = createSum();
  const rows = async function* () {
    for (;;) {
      const entry = await entries.nextBelow(`tables/${table.name}/`);
      if (!entry) return;
      const piece = await decompress(await bytesOf(entry, maxPieceBytes));
      sum.add(piece);
      options.onProgress(table.name, piece.length);
      yield piece;
    }
  };
  try {
    await copyIn(transaction, table, rows());
  } catch (error) {
    if (!isBadData(error)) throw error;
    throw new StartError(
      `The database rejected the rows of ${table.name} (${error.message}), because the backup was changed or damaged: use another one.`,
      { cause: error },
    );
  }
  return sum.end();
}

async function decompress(piece: Uint8Array): Promise<Uint8Array> {
  try {
    return await decompressZstd(piece, maxPieceBytes);
  } catch (error) {
    throw new StartError("The backup was changed or damaged: use another one.", { cause: error });
  }
}

async function fillFiles(entries: Entries, { storage, onProgress }: RestoreOptions): Promise<Sum> {
  const sum = createSum();
  for (;;) {
    const entry = await entries.nextBelow("files/");
    if (!entry) return sum.end();
    const counted = async function* () {
      for await (const chunk of contentOf(entry)) {
        sum.add(chunk);
        yield chunk;
      }
    };
    const { size, name } = entry.header;
    const id = name.slice("files/".length);
    // The id becomes part of a file path.
    if (!isId(id))
      throw new StartError(
        `The backup contains a file ${JSON.stringify(id)}, which is not an id of Parley: use another backup.`,
      );
    await keep(counted(), { id, size, storage });
    onProgress("files", size);
  }
}

async function keep(
  content: AsyncIterable<Uint8Array>,
  { id, size, storage }: { id: string; size: number; storage: Storage | undefined },
): Promise<void> {
  if (!storage) {
    for await (const _ of content);
    return;
  }
  const arrival = await receiveFile(content, { folder: storage.arrivals, maxBytes: size }).catch((error: unknown) => {
    // `receiveFile` reports a truncated backup as an interrupted upload, with the original error as its cause.
    throw error instanceof Error && error.cause instanceof StartError ? error.cause : error;
  });
  if (arrival === "too large") throw new Error(`The file ${id} is larger than its header says`);
  try {
    await storage.keep(id, { path: arrival.path, type: "application/octet-stream" });
  } finally {
    await discard(arrival);
  }
}

function expectSame(what: string, found: Sum | undefined, kept: Sum | undefined): void {
  if (found && kept && found.rows === kept.rows && found.bytes === kept.bytes && found.sha256 === kept.sha256) return;
  throw new StartError(
    `${what} differs from the original (${found?.rows} rows and ${found?.bytes} bytes instead of ${kept?.rows} and ${kept?.bytes}): use another backup.`,
  );
}
