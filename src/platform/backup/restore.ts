import { createTarDecoder, type ParsedTarEntry } from "modern-tar";
import { StartError } from "../../config.ts";
import {
  type CopiedTable,
  copyIn,
  copyOut,
  emptyTables,
  listMigrations,
  listTables,
  requeueContents,
  setSequence,
  withSnapshot,
} from "../database/copy.sql.ts";
import { migrations as released } from "../database/migrations.ts";
import { dropObjectsBut, listObjects } from "../database/schema/made-objects.sql.ts";
import { migrate } from "../database/schema/migrate.sql.ts";
import type { Sql } from "../database/sql.ts";
import { isBadData } from "../database/violations.ts";
import { isId } from "../ids.ts";
import { discard, receiveFile } from "../storage/arrival.ts";
import type { Storage } from "../storage/storage.ts";
import { reasonOf } from "../thrown.ts";
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
import { decompressZstd } from "./zstd.ts";

export type RestoreOptions = {
  readonly sql: Sql;
  /** The storage of files; undefined: they are read and compared, but not stored. */
  readonly storage: Storage | undefined;
  readonly onProgress: (what: string, bytes: number) => void;
  /** Reads the restored data, before later migrations change it. */
  readonly compare?: (sql: Sql, end: End, tables: Head["tables"]) => Promise<void>;
};

type Transaction = Parameters<Parameters<typeof withSnapshot>[1]>[0];

/**
 * Fills an empty database, and the storage, from a backup, and brings it to this release. All or nothing: a truncated or changed backup
 * leaves neither tables nor files. Returns the restored content. Throws a StartError that names the remedy.
 */
export async function restoreBackup(archive: ReadableStream<Uint8Array>, options: RestoreOptions): Promise<End> {
  const { sql } = options;
  if ((await listMigrations(sql)).length > 0) {
    throw new StartError("The database is not empty: restore into an empty one, or with another DATA_DIR.");
  }
  const entries = createEntries(archive);
  const head = readPart(Head, await bytesOf(await entries.next(headName), maxPartBytes));
  const missing = unknownTo(head);
  if (missing !== undefined) {
    throw new StartError(
      `The backup was made by Parley ${head.release}, which is newer (${missing}): restore it with that release.`,
    );
  }
  const before = await listObjects(sql);
  const made = createMadeFiles(options.storage);
  try {
    await migrate(sql, released.slice(0, head.migrations.length));
    const end = await fill(sql, entries, { head, options: { ...options, storage: made.storage } });
    await options.compare?.(sql, end, head.tables);
    await migrate(sql);
    return end;
  } catch (error) {
    throw await afterUndoing(error, async () => {
      await made.remove();
      await dropObjectsBut(sql, before);
    });
  }
}

/** Why the restore ended, and which parts of it remain because they could not be undone. */
async function afterUndoing(error: unknown, undo: () => Promise<void>): Promise<unknown> {
  try {
    await undo();
    return error;
  } catch (problem) {
    const text = `${reasonOf(error)} The restored part could not be removed: ${reasonOf(problem)}`;
    return new StartError(text, { cause: error });
  }
}

/** Compares a database that was just filled with the sums of its backup. Throws a StartError at the first difference. */
export async function compareWithBackup(sql: Sql, end: End, tables: Head["tables"]): Promise<void> {
  await withSnapshot(sql, async (transaction) => {
    for (const table of tables) {
      const sum = createSum();
      for await (const chunk of await copyOut(transaction, table)) sum.add(chunk);
      expectSame(`The table ${table.name} of the restored database`, sum.end(), end.tables[table.name]);
    }
  });
}

function unknownTo({ format, migrations }: Head): string | undefined {
  if (format > formatVersion) return `format ${format}`;
  return migrations.find(({ name }, index) => released[index]?.name !== name)?.name;
}

async function fill(
  sql: Sql,
  entries: Entries,
  { head, options }: { head: Head; options: RestoreOptions },
): Promise<End> {
  return await sql.begin(async (transaction) => {
    requireKnown(head.tables, await listTables(transaction));
    await emptyTables(transaction, head.tables);
    const sums = new Map<string, Sum>();
    for (const table of head.tables) sums.set(table.name, await fillTable(transaction, entries, { table, options }));
    const files = await fillFiles(entries, options);
    const end = readPart(End, await bytesOf(await entries.next(endName), maxPartBytes));
    for (const { name } of head.tables) expectSame(`The table ${name} in the backup`, sums.get(name), end.tables[name]);
    expectSame("The visitors' uploads in the backup", files, { ...end.files, rows: files.rows });
    for (const sequence of end.sequences) await setSequence(transaction, sequence);
    // A copy that is only compared gets no additions.
    if (options.storage) await requeueContents(transaction);
    return end;
  });
}

/** A backup names tables and columns: only those of its release are touched. */
function requireKnown(named: Head["tables"], known: readonly CopiedTable[]): void {
  const columnsOf = new Map(known.map(({ name, columns }) => [name, new Set(columns)]));
  for (const { name, columns } of named) {
    const own = columnsOf.get(name);
    if (!own || columns.some((column) => !own.has(column)))
      throw new StartError(
        `The backup names ${JSON.stringify(name)}, which is no table of Parley, or another one: take another backup.`,
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
      `The database does not take the rows of ${table.name} (${error.message}): the backup was changed or damaged, take another one.`,
      { cause: error },
    );
  }
  return sum.end();
}

async function decompress(piece: Uint8Array): Promise<Uint8Array> {
  try {
    return await decompressZstd(piece, maxPieceBytes);
  } catch (error) {
    throw new StartError("The backup was changed or damaged: take another one.", { cause: error });
  }
}

async function fillFiles(entries: Entries, { storage, onProgress }: RestoreOptions): Promise<Sum> {
  const sum = createSum();
  for (;;) {
    const entry = await entries.nextBelow("files/");
    if (!entry) return sum.end();
    const counted = async function* () {
      for await (const chunk of entry.body) {
        sum.add(chunk);
        yield chunk;
      }
    };
    const { size, name } = entry.header;
    const id = name.slice("files/".length);
    // It becomes part of a path.
    if (!isId(id))
      throw new StartError(
        `The backup has a file ${JSON.stringify(id)}, which is no id of Parley: take another backup.`,
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
  const arrival = await receiveFile(content, { folder: storage.arrivals, maxBytes: size });
  if (arrival === "too large") throw new Error(`The file ${id} is larger than it says`);
  try {
    await storage.keep(id, { path: arrival.path, type: "application/octet-stream" });
  } finally {
    await discard(arrival);
  }
}

function expectSame(what: string, found: Sum | undefined, kept: Sum | undefined): void {
  if (found && kept && found.rows === kept.rows && found.bytes === kept.bytes && found.sha256 === kept.sha256) return;
  throw new StartError(
    `${what} is not what was backed up (${found?.rows} rows and ${found?.bytes} bytes, not ${kept?.rows} and ${kept?.bytes}): take another backup.`,
  );
}

/** The entries of an archive in their order: an entry can be inspected before it is taken. */
function createEntries(archive: ReadableStream<Uint8Array>) {
  const reader = archive.pipeThrough(createTarDecoder({ strict: true })).getReader();
  let ahead: ParsedTarEntry | undefined;
  const peek = async (): Promise<ParsedTarEntry> => {
    if (ahead) return ahead;
    try {
      const { value } = await reader.read();
      if (value === undefined) throw new StartError("The backup is cut off: take another one.");
      ahead = value;
      return value;
    } catch (error) {
      if (error instanceof StartError) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      throw new StartError(`The backup cannot be read to its end (${reason}): it is cut off, or was changed.`, {
        cause: error,
      });
    }
  };
  return {
    /** The next entry, which must have this name. */
    async next(name: string): Promise<ParsedTarEntry> {
      const entry = await peek();
      if (entry.header.name !== name)
        throw new StartError(`The backup has ${entry.header.name} where ${name} is due: take another one.`);
      ahead = undefined;
      return entry;
    },
    /** The next entry if its name begins so. */
    async nextBelow(folder: string): Promise<ParsedTarEntry | undefined> {
      const entry = await peek();
      if (!entry.header.name.startsWith(folder)) return undefined;
      ahead = undefined;
      return entry;
    },
  };
}

type Entries = ReturnType<typeof createEntries>;

async function bytesOf({ body, header }: ParsedTarEntry, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  if (header.size > maxBytes)
    throw new StartError(
      `The backup has ${header.name} with ${header.size} bytes, more than Parley writes: take another one.`,
    );
  try {
    return await new Response(body).bytes();
  } catch (error) {
    throw new StartError("The backup cannot be read to its end: it is cut off, or was changed.", { cause: error });
  }
}
