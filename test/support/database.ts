import postgres from "postgres";
import { migrations } from "../../src/platform/database/migrations.ts";
import { readAddress } from "../../src/platform/database/primary/address.ts";
import { migrate, migrationHash } from "../../src/platform/database/schema/migrate.sql.ts";
import { connect, type Sql } from "../../src/platform/database/sql.ts";
import { testServer } from "./postgres.ts";

/** A migrated, empty database for one test file, with a separate pool. */
export type TestDatabase = {
  readonly sql: Sql;
  readonly url: string;
  /** Closes the pool and drops the database. Call this function in `afterAll`. */
  close(): Promise<void>;
};

/** Creates a database for one test file, as a copy of a migrated template. */
export async function createTestDatabase(options: { connections?: number } = {}): Promise<TestDatabase> {
  const server = await testServer();
  templating ??= migratedTemplate(server);
  const template = await templating.catch((error: unknown) => {
    templating = undefined;
    throw error;
  });
  return await createDatabase(server, { template, connections: options.connections ?? 8 });
}

/** Creates a database without tables of the service, for tests of the code that creates the tables. */
export async function createEmptyDatabase(options: { encoding?: string } = {}): Promise<TestDatabase> {
  const encoding = options.encoding ?? "UTF8";
  return await createDatabase(await testServer(), { template: "template0", connections: 8, encoding });
}

/** Copies a database that has no open connections. */
export async function cloneDatabase(url: string): Promise<TestDatabase> {
  return await createDatabase(await testServer(), { template: nameOf(url), connections: 4 });
}

function nameOf(url: string): string {
  return /@[^/]*\/([^?]*)/.exec(url)?.[1] ?? "";
}

/** A number that no other lock of the test servers uses. */
const templateLock = 7205391;

type DatabaseOptions = { readonly template: string; readonly connections: number; readonly encoding?: string };

async function createDatabase(server: string, options: DatabaseOptions): Promise<TestDatabase> {
  const name = `test_${Bun.randomUUIDv7("hex")}`.replaceAll("-", "");
  const encoding = options.encoding === undefined ? "" : ` encoding '${options.encoding}' locale 'C'`;
  await administration(server).unsafe(
    `create database ${name} template ${options.template} strategy file_copy${encoding}`,
  );
  const url = inDatabase(server, name);
  const sql = connect(url, { connections: options.connections });
  return {
    sql,
    url,
    async close() {
      await sql.end({ timeout: 5 });
      await administration(server).unsafe(`drop database ${name} with (force)`);
    },
  };
}

let templating: Promise<string> | undefined;

/**
 * Creates the template. Its name contains the hash of the migrations, so that two versions of the code can use the same
 * server.
 */
async function migratedTemplate(server: string): Promise<string> {
  const name = `template_${migrationHash(migrations.map(({ text }) => text).join("\n")).slice(0, 20)}`;
  const sql = administration(server);
  if (await isTemplate(sql, name)) return name;
  // The lock belongs to this connection. A process that waited for the lock finds the finished template.
  await sql`select pg_advisory_lock(${templateLock})`;
  try {
    if (await isTemplate(sql, name)) return name;
    await sql.unsafe(`drop database if exists ${name} with (force)`);
    await sql.unsafe(`create database ${name} template template0 encoding 'UTF8'`);
    const pool = connect(inDatabase(server, name), { connections: 1 });
    await migrate(pool);
    await pool.end();
    await sql.unsafe(`alter database ${name} with is_template true allow_connections false`);
    return name;
  } finally {
    await sql`select pg_advisory_unlock(${templateLock})`;
  }
}

async function isTemplate(sql: postgres.Sql, name: string): Promise<boolean> {
  const found = await sql`
    select 1
    from pg_database
    where datname = ${name} and datistemplate`;
  return found.length > 0;
}

let kept: postgres.Sql | undefined;

/**
 * Returns a pool with one connection, which stays open for the next database. The service's own pools use an additional
 * connection to check whether the server accepts writes. With a separate pool for each use, a database took 55 ms of
 * processor time instead of 23 ms (on a busy machine).
 */
function administration(server: string): postgres.Sql {
  const { servers, url } = readAddress(server);
  kept ??= postgres(url, {
    max: 1,
    // Closes an idle connection, because programs other than tests end only with their last connection to a database.
    idle_timeout: 5,
    fetch_types: false,
    onnotice: () => {},
    ...(servers[0]?.host.startsWith("/") && { path: `${servers[0].host}/.s.PGSQL.${servers[0].port}` }),
  });
  return kept;
}

function inDatabase(server: string, name: string): string {
  return server.replace(/(@[^/]*)\/[^?]*/, `$1/${name}`);
}
