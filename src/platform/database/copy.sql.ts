import type { Readable, Writable } from "node:stream";
import { finished } from "node:stream/promises";
import type postgres from "postgres";
import type { Sql, Statements } from "./sql.ts";

/** A table in a copy: its columns by name, without generated columns. */
export type CopiedTable = { readonly name: string; readonly columns: readonly string[] };

/** Runs the work in one read-only transaction on a snapshot of the database, which contains no later writes. */
export async function withSnapshot<Result>(
  sql: Sql,
  work: (transaction: postgres.TransactionSql) => Promise<Result>,
): Promise<Result> {
  const done = await sql.begin("isolation level repeatable read read only", async (transaction) => {
    await keepOrder(transaction);
    return { value: await work(transaction) };
  });
  return done.value;
}

/**
 * Makes a transaction read rows in their physical order. By default, a scan may start in the middle of a table, where a
 * concurrent scan is reading.
 */
export async function keepOrder(transaction: postgres.TransactionSql): Promise<void> {
  await transaction`set local synchronize_seqscans = off`;
}

/**
 * Returns all tables of Parley except the list of migrations. Each table follows the tables that its foreign keys
 * reference.
 */
export async function listTables(sql: Statements): Promise<CopiedTable[]> {
  const tables = await sql<(CopiedTable & { needs: string[] })[]>`
    select
      pg_class.relname as name,
      array(
        select attname::text
        from pg_attribute
        where attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = ''
        order by attnum
      ) as columns,
      array(
        select distinct confrelid::regclass::text
        from pg_constraint
        where conrelid = pg_class.oid and contype = 'f' and confrelid <> conrelid
      ) as needs
    from pg_class
    where relnamespace = current_schema()::regnamespace
      and relkind in ('r', 'p')
      and not relispartition
      and relname <> 'migrations'
    order by relname`;
  const sorted: CopiedTable[] = [];
  const names = new Set<string>();
  while (sorted.length < tables.length) {
    const next = tables.find(({ name, needs }) => !names.has(name) && needs.every((needed) => names.has(needed)));
    if (!next) throw new Error("The foreign keys of the tables form a cycle.");
    names.add(next.name);
    sorted.push({ name: next.name, columns: [...next.columns] });
  }
  return sorted;
}

/** Returns the rows of a table as lines in PostgreSQL's text format. */
export async function copyOut(transaction: postgres.TransactionSql, table: CopiedTable): Promise<Readable> {
  return await transaction.unsafe(`copy ${target(table)} to stdout`).readable();
}

/**
 * Inserts lines in the format of `copyOut`. Rejects with the database's error, at the latest when the last line has
 * been written.
 */
export async function copyIn(
  transaction: postgres.TransactionSql,
  table: CopiedTable,
  lines: AsyncIterable<Uint8Array>,
): Promise<void> {
  const stream: Writable = await transaction.unsafe(`copy ${target(table)} from stdin`).writable();
  // Also rejects while the loop below waits for free buffer space.
  const done = finished(stream, { readable: false });
  done.catch(() => {});
  try {
    for await (const chunk of lines) {
      if (!stream.write(chunk)) await Promise.race([new Promise((resolve) => stream.once("drain", resolve)), done]);
    }
    stream.end();
  } catch (error) {
    // Destroys the stream so that the database stops waiting for more rows.
    stream.destroy(error instanceof Error ? error : new Error(String(error)));
    throw error;
  }
  await done;
}

function target({ name, columns }: CopiedTable): string {
  return `${quoted(name)} (${columns.map(quoted).join(", ")})`;
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Returns the last value of each sequence that was used, including the sequences of identity columns. */
export async function listSequences(sql: Statements): Promise<{ name: string; value: string }[]> {
  return sql<{ name: string; value: string }[]>`
    select sequencename as name, last_value::text as value
    from pg_sequences
    where schemaname = current_schema() and last_value is not null
    order by sequencename`;
}

/** Sets a sequence so that it continues after `value`. */
export async function setSequence(sql: Statements, { name, value }: { name: string; value: string }): Promise<void> {
  await sql`select setval(${quoted(name)}::regclass, ${value}::bigint)`;
}

/**
 * Returns the migrations that were applied to the database, in order. The list is empty if the database has no table of
 * migrations.
 */
export async function listMigrations(sql: Statements): Promise<{ name: string; hash: string }[]> {
  const [table] = await sql<{ isThere: boolean }[]>`select to_regclass('migrations') is not null as is_there`;
  if (!table?.isThere) return [];
  return sql<{ name: string; hash: string }[]>`select name, hash from migrations order by name`;
}

/** Empties the given tables, because migrations insert rows into some of them. */
export async function emptyTables(sql: Statements, tables: readonly CopiedTable[]): Promise<void> {
  await sql.unsafe(`truncate ${tables.map(({ name }) => quoted(name)).join(", ")}`);
}

const fileTables = ["files", "workspace_files"] as const;
export type FileTable = (typeof fileTables)[number];

/** Returns the file tables of a database. An older release may have had only one of them. */
export async function listFileTables(sql: Statements): Promise<FileTable[]> {
  const rows = await sql<{ name: FileTable }[]>`
    select name
    from unnest(${[...fileTables]}::text[]) as known (name)
    where to_regclass(name) is not null
    order by name`;
  return rows.map(({ name }) => name);
}

/** Returns a page of the stored files of a table, sorted by id. Removed files are not returned. */
export async function listStoredFiles(
  sql: Statements,
  { table, after, limit }: { table: FileTable; after: string | undefined; limit: number },
): Promise<{ id: string; bytes: number }[]> {
  return sql<{ id: string; bytes: number }[]>`
    select id, bytes
    from ${sql(table)}
    where stored_at is not null and not is_removed
      ${after === undefined ? sql`` : sql`and id > ${after}`}
    order by id
    limit ${limit}`;
}

/** Creates another database on the same server. */
export async function createDatabase(sql: Sql, name: string): Promise<void> {
  await sql.unsafe(`create database ${quoted(name)} template template0`);
}

/** Drops the database and ends its connections. */
export async function dropDatabase(sql: Sql, name: string): Promise<void> {
  await sql.unsafe(`drop database if exists ${quoted(name)} with (force)`);
}
