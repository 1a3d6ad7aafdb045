import { createTarPacker, type TarPackController } from "modern-tar";
import { StartError } from "../../config.ts";
import {
  type CopiedTable,
  copyOut,
  listFileTables,
  listMigrations,
  listSequences,
  listStoredFiles,
  listTables,
  withSnapshot,
} from "../database/copy.sql.ts";
import { findMigrationState } from "../database/schema/migrate.sql.ts";
import type { Sql, Statements } from "../database/sql.ts";
import type { Storage } from "../storage/storage.ts";
import { createSum, type End, endName, formatVersion, type Head, headName } from "./format.ts";
import { inPieces } from "./pieces.ts";

/**
 * Rows are compressed in pieces of at least this many bytes: large enough to compress well, small enough for memory.
 */
const pieceBytes = 4 * 1024 * 1024;
const filePage = 500;

export type BackupOptions = {
  readonly release: string;
  readonly sql: Sql;
  readonly storage: Storage;
  /** Called after each piece of rows and each file, with its size. `what` is the name of the table, or `files`. */
  readonly onProgress: (what: string, bytes: number) => void;
};

/**
 * Writes a backup of the whole state at one moment, while the service stays in use. The backup contains one snapshot of
 * the database, followed by the files that the snapshot references. `stream` is the archive. `done` resolves with the
 * summary at the end.
 */
export function writeBackup(options: BackupOptions): {
  readonly stream: ReadableStream<Uint8Array>;
  readonly done: Promise<End>;
} {
  const { readable, controller } = createTarPacker();
  const done = withSnapshot(options.sql, (transaction) => writeAll(transaction, controller, options)).then(
    (end) => {
      controller.finalize();
      return end;
    },
    (error: unknown) => {
      controller.error(error);
      throw error;
    },
  );
  return { stream: readable, done };
}

type Transaction = Parameters<Parameters<typeof withSnapshot>[1]>[0];

async function writeAll(
  transaction: Transaction,
  archive: TarPackController,
  { release, storage, onProgress }: BackupOptions,
): Promise<End> {
  await requireKnownRelease(transaction);
  const tables = await listTables(transaction);
  const head: Head = {
    format: formatVersion,
    release,
    createdAt: new Date().toISOString(),
    migrations: await listMigrations(transaction),
    tables: tables.map(({ name, columns }) => ({ name, columns: [...columns] })),
  };
  await add(archive, headName, utf8(head));
  const sums: End["tables"] = {};
  for (const table of tables) sums[table.name] = await writeTable(transaction, archive, { table, onProgress });
  const files = await writeFiles(transaction, archive, { storage, onProgress });
  // Sequences are not part of the snapshot. They are read last, so their values are at least as high as those in all
  // copied rows.
  const end: End = { tables: sums, sequences: await listSequences(transaction), files };
  await add(archive, endName, utf8(end));
  return end;
}

/**
 * Throws a StartError if the database is empty or belongs to a newer release, because this release may not know all of
 * its file tables. An older database is backed up unchanged, and upgraded during the restore.
 */
async function requireKnownRelease(transaction: Transaction): Promise<void> {
  const { isEmpty, unknown } = await findMigrationState(transaction);
  if (isEmpty) throw new StartError("The database has no tables of Parley: there is nothing to back up.");
  const [newer] = unknown;
  if (newer !== undefined)
    throw new StartError(
      `The database belongs to a newer release, which has run the migration ${newer}: back it up with that release.`,
    );
}

async function writeTable(
  transaction: Transaction,
  archive: TarPackController,
  { table, onProgress }: { table: CopiedTable; onProgress: BackupOptions["onProgress"] },
): Promise<End["tables"][string]> {
  const sum = createSum();
  let pieces = 0;
  for await (const piece of inPieces(await copyOut(transaction, table), pieceBytes)) {
    sum.add(piece);
    const name = `tables/${table.name}/${String(++pieces).padStart(5, "0")}.zst`;
    await add(archive, name, await Bun.zstdCompress(piece));
    onProgress(table.name, piece.length);
  }
  return sum.end();
}

async function writeFiles(
  sql: Statements,
  archive: TarPackController,
  { storage, onProgress }: Pick<BackupOptions, "storage" | "onProgress">,
): Promise<End["files"]> {
  const sum = createSum();
  const missing: string[] = [];
  let count = 0;
  for await (const { id, bytes } of storedFiles(sql)) {
    const content = await storage.read(id, undefined);
    if (content === undefined) {
      missing.push(id);
      continue;
    }
    const entry = archive.add({ name: `files/${id}`, size: bytes, mode: 0o600 }).getWriter();
    for await (const chunk of content instanceof Blob ? content.stream() : content) {
      sum.add(chunk);
      await entry.write(chunk);
    }
    await entry.close();
    count++;
    onProgress("files", bytes);
  }
  const { bytes, sha256 } = sum.end();
  return { count, bytes, sha256, missing };
}

/** Yields the stored files of all file tables, page by page. */
async function* storedFiles(sql: Statements): AsyncGenerator<{ readonly id: string; readonly bytes: number }> {
  for (const table of await listFileTables(sql)) {
    for (let after: string | undefined; ; ) {
      const page = await listStoredFiles(sql, { table, after, limit: filePage });
      yield* page;
      after = page.at(-1)?.id;
      if (page.length < filePage) break;
    }
  }
}

async function add(archive: TarPackController, name: string, bytes: Uint8Array): Promise<void> {
  const writer = archive.add({ name, size: bytes.length, mode: 0o600 }).getWriter();
  await writer.write(bytes);
  await writer.close();
}

function utf8(value: object): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}
