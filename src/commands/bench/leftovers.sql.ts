import postgres from "postgres";
import type { Sql } from "../../platform/database/sql.ts";

export const floorRows = 100_000;

/** Creates a database on the server. The name must be unique to this run. */
export async function createDatabase(sql: Sql, name: string): Promise<void> {
  await sql`create database ${sql(name)}`;
}

export async function dropDatabase(sql: Sql, name: string): Promise<void> {
  await sql`drop database if exists ${sql(name)} with (force)`;
}

/** Returns the names of the server's databases that start with this prefix. */
export async function listDatabases(sql: Sql, prefix: string): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select datname as name
    from pg_database
    where starts_with(datname, ${prefix})`;
  return rows.map(({ name }) => name);
}

/** The SQLSTATE codes for a database that is left alone: it is in use, belongs to another role or no longer exists. */
const keptCodes = ["55006", "42501", "3D000"];

/**
 * Drops a database, unless the database is in use or belongs to another role. PostgreSQL waits up to five seconds for
 * connections that are closing.
 */
export async function dropUnusedDatabase(sql: Sql, name: string): Promise<void> {
  try {
    await sql`drop database ${sql(name)}`;
  } catch (error) {
    if (!(error instanceof postgres.PostgresError && keptCodes.includes(error.code))) throw error;
  }
}

/** Creates the table of the fixed floor, with rows as large as a session. */
export async function createFloorTable(sql: Sql): Promise<void> {
  await dropFloorTable(sql);
  await sql`create table floor (id integer primary key, revision integer not null, state text not null) with (fillfactor = 70)`;
  await sql`insert into floor select id, 1, repeat('x', 1024) from generate_series(1, ${floorRows}) as id`;
  await sql`vacuum analyze floor`;
}

export async function dropFloorTable(sql: Sql): Promise<void> {
  await sql`drop table if exists floor`;
}

/**
 * Updates one row, found by its key and revision, with a new state. Every step of a chat costs the database at least
 * this durable update.
 */
export async function updateFloorRow(sql: Sql, row: { id: number; revision: number; state: string }): Promise<void> {
  await sql`update floor set revision = revision + 1, state = ${row.state} where id = ${row.id} and revision = ${row.revision}`;
}

/** Returns the server's version and its `fsync` setting. */
export async function readServer(sql: Sql): Promise<{ readonly version: string; readonly fsync: string }> {
  const [found] = await sql<[{ version: string; fsync: string }]>`
    select current_setting('server_version') as version, current_setting('fsync') as fsync`;
  return found;
}
