import { migrations } from "../../src/platform/database/migrations.ts";
import { migrate, migrationHash } from "../../src/platform/database/schema/migrate.sql.ts";
import { connect, type Sql } from "../../src/platform/database/sql.ts";
import { testServer } from "./postgres.ts";

/** A migrated, empty database of one test file, with a pool of its own. */
export type TestDatabase = {
  readonly sql: Sql;
  readonly url: string;
  /** Closes the pool and drops the database; call it in `afterAll`. */
  close(): Promise<void>;
};

/** Makes a database for one test file: a copy of a migrated template, in about 15 ms. */
export async function createTestDatabase(options: { connections?: number } = {}): Promise<TestDatabase> {
  const server = await testServer();
  const template = await migratedTemplate(server);
  return await createDatabase(server, { template, connections: options.connections ?? 8 });
}

/** Makes a database without any of our tables, for tests of what makes them. */
export async function createEmptyDatabase(options: { encoding?: string } = {}): Promise<TestDatabase> {
  const encoding = options.encoding ?? "UTF8";
  return await createDatabase(await testServer(), { template: "template0", connections: 8, encoding });
}

/** Makes a copy of a database that nobody is connected to. */
export async function cloneDatabase(url: string): Promise<TestDatabase> {
  return await createDatabase(await testServer(), { template: nameOf(url), connections: 4 });
}

function nameOf(url: string): string {
  return /@[^/]*\/([^?]*)/.exec(url)?.[1] ?? "";
}

type DatabaseOptions = { readonly template: string; readonly connections: number; readonly encoding?: string };

async function createDatabase(server: string, options: DatabaseOptions): Promise<TestDatabase> {
  const name = `test_${Bun.randomUUIDv7("hex")}`.replaceAll("-", "");
  const encoding = options.encoding === undefined ? "" : ` encoding '${options.encoding}' locale 'C'`;
  await administer(server, (sql) =>
    sql.unsafe(`create database ${name} template ${options.template} strategy file_copy${encoding}`),
  );
  const url = inDatabase(server, name);
  const sql = connect(url, { connections: options.connections });
  return {
    sql,
    url,
    async close() {
      await sql.end({ timeout: 5 });
      await administer(server, (admin) => admin.unsafe(`drop database ${name} with (force)`));
    },
  };
}

/** The template's name holds the migrations' hash, so that two versions of the code can test on one server. */
async function migratedTemplate(server: string): Promise<string> {
  const name = `template_${migrationHash(migrations.map(({ text }) => text).join("\n")).slice(0, 20)}`;
  await administer(server, async (sql) => {
    if (await isTemplate(sql, name)) return;
    // A lock of this one connection: a process that waited for it finds the template made.
    await sql`select pg_advisory_lock(7205391)`;
    if (await isTemplate(sql, name)) return;
    await sql.unsafe(`drop database if exists ${name} with (force)`);
    await sql.unsafe(`create database ${name} template template0 encoding 'UTF8'`);
    const pool = connect(inDatabase(server, name), { connections: 1 });
    await migrate(pool);
    await pool.end();
    await sql.unsafe(`alter database ${name} with is_template true allow_connections false`);
  });
  return name;
}

async function isTemplate(sql: Sql, name: string): Promise<boolean> {
  const found = await sql`
    select 1
    from pg_database
    where datname = ${name} and datistemplate`;
  return found.length > 0;
}

async function administer<Result>(server: string, work: (sql: Sql) => Promise<Result>): Promise<Result> {
  const sql = connect(server, { connections: 1 });
  try {
    return await work(sql);
  } finally {
    await sql.end();
  }
}

function inDatabase(server: string, name: string): string {
  return server.replace(/(@[^/]*)\/[^?]*/, `$1/${name}`);
}
