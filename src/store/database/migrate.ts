import type postgres from "postgres";
import { StartError } from "../../config.ts";
import { type Migration, migrations as released } from "./migrations.ts";
import type { Sql } from "./sql.ts";

/** A transaction that holds the lock of migrations and first start. */
export type Transaction = postgres.TransactionSql;

/** Any constant number: it only has to be the same in every process and release. */
const lockKey = 7_205_391_204_418_223n;
const oldestServer = 15;

/**
 * Brings the database to this release and returns the names of the migrations that it ran. Safe when several processes
 * start at once, also through a pooler in transaction mode: each migration is one transaction that first takes the lock.
 * Throws a StartError when the server is too old or not UTF-8, and when a released migration was changed or is unknown.
 */
export async function migrate(sql: Sql, migrations: readonly Migration[] = released): Promise<string[]> {
  await checkServer(sql);
  const ran: string[] = [];
  for (;;) {
    const name = await withMigrationLock(sql, (transaction) => runNext(transaction, migrations));
    if (name === undefined) return ran;
    ran.push(name);
  }
}

/** Runs the work in one transaction that no other migration or first start can overlap. */
export async function withMigrationLock<Result>(
  sql: Sql,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  let result: { readonly value: Result } | undefined;
  await sql.begin(async (transaction) => {
    await transaction`select pg_advisory_xact_lock(${lockKey.toString()}::bigint)`;
    result = { value: await work(transaction) };
  });
  if (result === undefined) throw new Error("The transaction ended without running its work.");
  return result.value;
}

/** The hash that tells whether a released migration was changed. */
export function migrationHash(text: string): string {
  return new Bun.CryptoHasher("sha256").update(text.replaceAll("\r\n", "\n")).digest("hex");
}

async function checkServer(sql: Sql): Promise<void> {
  const [server] = await sql<{ version: number; encoding: string }[]>`
    select
      current_setting('server_version_num')::int / 10000 as version,
      current_setting('server_encoding') as encoding`;
  if (!server) throw new StartError("The database did not tell its version.");
  if (server.version < oldestServer) {
    throw new StartError(
      `DATABASE_URL leads to PostgreSQL ${server.version}, but version ${oldestServer} or newer is needed.`,
    );
  }
  if (server.encoding !== "UTF8") {
    throw new StartError(`DATABASE_URL leads to a database with encoding ${server.encoding}, but UTF8 is needed.`);
  }
}

/** Runs the first migration that the database does not have yet; undefined when it has them all. */
async function runNext(transaction: Transaction, migrations: readonly Migration[]): Promise<string | undefined> {
  await transaction`
    create table if not exists migrations (
      name text primary key,
      hash text not null,
      applied_at timestamptz(3) not null default date_trunc('milliseconds', statement_timestamp())
    )`;
  const applied = await transaction<AppliedRow[]>`
    select name, hash
    from migrations
    order by name`;
  // A row beyond our list is a newer release's: nodes of two releases run side by side during an upgrade.
  for (const [index, migration] of migrations.entries()) checkApplied(applied[index], migration);
  const next = migrations[applied.length];
  if (!next) return undefined;
  await runStatements(transaction, next);
  await transaction`
    insert into migrations (name, hash)
    values (${next.name}, ${migrationHash(next.text)})`;
  return next.name;
}

type AppliedRow = { readonly name: string; readonly hash: string };

function checkApplied(row: AppliedRow | undefined, migration: Migration): void {
  if (row === undefined) return;
  if (row.name !== migration.name) {
    throw new StartError(
      `The database has the migration ${row.name} where this release has ${migration.name}: one of them is missing.`,
    );
  }
  if (row.hash !== migrationHash(migration.text)) {
    throw new StartError(
      `The migration ${row.name} is not the one that the database has run: a released migration must not be changed.`,
    );
  }
}

async function runStatements(transaction: Transaction, migration: Migration): Promise<void> {
  try {
    await transaction.unsafe(migration.text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(`The migration ${migration.name} failed: ${reason}.`, { cause: error });
  }
}
