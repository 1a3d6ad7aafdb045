import type postgres from "postgres";
import { StartError } from "../../../config.ts";
import { type Clock, pause, systemClock } from "../../concurrency/clock.ts";
import { codeOf, reasonOf } from "../../thrown.ts";
import { findOlderNodes } from "../connections.sql.ts";
import { listMigrations } from "../copy.sql.ts";
import { type Migration, migrations as released } from "../migrations.ts";
import { olderNodesOf } from "../older-node-marks.ts";
import { boundAnswers } from "../primary/answer-bound.ts";
import type { Sql, Statements } from "../sql.ts";
import { areBuilt, buildIndexes, concurrentIndexes, plainIndexes } from "./concurrent-indexes.sql.ts";

/** A transaction that holds the lock for migrations and for the first start. */
export type Transaction = postgres.TransactionSql;

/** An arbitrary constant that must be the same in every process and release. */
const lockKey = 7_205_391_204_418_223n;
const oldestServer = 15;

/**
 * While a migration waits for the lock of a table, all other statements on this table queue behind it, including those
 * of visitors. The migration therefore waits only briefly, releases its locks and retries later.
 */
const lockWait = { ms: 2_000, tries: 12, pauseMs: 3_000 };

/** SQLSTATEs of a lock timeout and of a deadlock. */
const lostLocks: readonly unknown[] = ["55P03", "40P01"];

/** A row that a migration returns as a message for the operator. The column `note` contains the sentence. */
export type MigrationNote = { readonly note: string; readonly [fact: string]: unknown };

/** Tests pass a fake clock and a shorter lock timeout. */
export type MigrateOptions = {
  readonly clock?: Clock;
  readonly lockWaitMs?: number;
  /** The time limit of each check before the first migration. */
  readonly answerMs?: number;
  readonly onNote?: (note: MigrationNote) => void;
};

/**
 * Applies the missing migrations and returns their names. If no migration is missing, no lock is taken, and the call
 * fails if the database does not respond.
 *
 * Several processes may start simultaneously, even through a pooler in transaction mode, because each migration is a
 * transaction that first takes a lock. Chats continue while migrations run: no migration waits long for the lock of a
 * table, and indexes of large tables are built before the transaction of their migration.
 *
 * Throws a StartError if a migration cannot be applied. Examples are a server that is too old, a released migration
 * that was changed, a database of a newer release, and connected older nodes that do not support a migration.
 */
export async function migrate(
  sql: Sql,
  migrations: readonly Migration[] = released,
  { clock = systemClock, lockWaitMs = lockWait.ms, answerMs, onNote = () => {} }: MigrateOptions = {},
): Promise<string[]> {
  const answered = boundAnswers(answerMs);
  await answered(checkServer(sql));
  if (await answered(isMigrated(sql, migrations))) return [];
  const ran: string[] = [];
  let tries = 0;
  for (;;) {
    try {
      const next = await withMigrationLock(sql, (transaction) => runNext(transaction, { migrations, lockWaitMs }));
      if (next.kind === "none") return ran;
      if (next.kind === "ran") {
        ran.push(...next.names);
        for (const note of next.notes) onNote(note);
      } else await named(next.migration, () => buildIndexes(sql, concurrentIndexes(next.migration), clock));
      tries = 0;
    } catch (error) {
      if (!(error instanceof LockError)) throw error;
      tries++;
      if (tries === lockWait.tries) throw error;
      await pause(clock, lockWait.pauseMs);
    }
  }
}

/**
 * Applies the missing migrations in the transaction of a caller that holds the lock, on tables that no other
 * transaction can see yet. Indexes are built in the same transaction, because no other transaction is delayed. Throws a
 * StartError if a migration is unknown, was changed or fails.
 */
export async function migrateUnseen(
  transaction: Transaction,
  migrations: readonly Migration[],
  onNote: (note: MigrationNote) => void,
): Promise<void> {
  const missing = migrations.slice(await countApplied(transaction, migrations));
  if (missing.length === 0) return;
  for (const note of await runMigrations(transaction, missing.map(withPlainIndexes))) onNote(note);
}

/**
 * Thrown when a migration did not get the lock of a table in time, or was aborted by a deadlock. The migration may be
 * retried.
 */
class LockError extends StartError {
  override readonly name = "LockError";
}

/**
 * Returns the migrations of this release that are missing in the database, and the applied migrations that this release
 * does not know. Changes nothing.
 */
export async function findMigrationState(
  sql: Statements,
  migrations: readonly Migration[] = released,
): Promise<{ readonly isEmpty: boolean; readonly missing: string[]; readonly unknown: string[] }> {
  const names = new Set((await listMigrations(sql)).map(({ name }) => name));
  const ours = new Set(migrations.map(({ name }) => name));
  return {
    isEmpty: names.size === 0,
    missing: [...ours].filter((name) => !names.has(name)),
    unknown: [...names].filter((name) => !ours.has(name)),
  };
}

/** Throws a StartError unless the database has exactly the migrations of this release. */
export async function requireMigrated(sql: Statements): Promise<void> {
  const { missing, unknown } = await findMigrationState(sql);
  if (unknown[0] !== undefined)
    throw new StartError(
      `The database belongs to a newer release, which has run the migration ${unknown[0]}: use that release.`,
    );
  if (missing[0] !== undefined)
    throw new StartError(`The database does not have the migration ${missing[0]} yet: run "parley migrate" first.`);
}

/** Runs the work in one transaction. Other migrations and first starts wait until the transaction ends. */
export async function withMigrationLock<Result>(
  sql: Sql,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  const done = await sql.begin(async (transaction) => {
    await transaction`select pg_advisory_xact_lock(${lockKey.toString()}::bigint)`;
    return { value: await work(transaction) };
  });
  return done.value;
}

/** Returns the hash by which a change to a released migration is detected. */
export function migrationHash(text: string): string {
  return new Bun.CryptoHasher("sha256").update(text.replaceAll("\r\n", "\n")).digest("hex");
}

/** Throws a StartError if the server is too old or its database is not UTF-8. */
export async function checkServer(sql: Statements): Promise<void> {
  const [server] = await sql<{ version: number; encoding: string }[]>`
    select
      current_setting('server_version_num')::int / 10000 as version,
      current_setting('server_encoding') as encoding`;
  if (!server) throw new StartError("The database did not report its version.");
  if (server.version < oldestServer) {
    throw new StartError(
      `DATABASE_URL points to PostgreSQL ${server.version}, but version ${oldestServer} or newer is required.`,
    );
  }
  if (server.encoding !== "UTF8") {
    throw new StartError(
      `DATABASE_URL points to a database with the encoding ${server.encoding}, but UTF8 is required.`,
    );
  }
}

/** Whether the database has exactly the given migrations. Throws a StartError if an applied migration differs. */
async function isMigrated(sql: Sql, migrations: readonly Migration[]): Promise<boolean> {
  const applied = await listMigrations(sql);
  for (const [index, migration] of migrations.entries()) checkApplied(applied[index], migration);
  return applied.length === migrations.length;
}

type Next =
  | { readonly kind: "none" }
  | { readonly kind: "ran"; readonly names: readonly string[]; readonly notes: readonly MigrationNote[] }
  /** The migration's indexes must be built first, outside of a transaction. */
  | { readonly kind: "indexes"; readonly migration: Migration };

/**
 * Runs the next missing migration. For an empty database, all migrations run in this transaction (300 → 200 ms),
 * because no other transaction is delayed. An interrupted first start then leaves nothing behind.
 */
async function runNext(
  transaction: Transaction,
  { migrations, lockWaitMs }: { migrations: readonly Migration[]; lockWaitMs: number },
): Promise<Next> {
  const applied = await countApplied(transaction, migrations);
  const next = migrations[applied];
  if (!next) return { kind: "none" };
  await transaction`select set_config('lock_timeout', ${`${lockWaitMs}ms`}, true)`;
  if (applied === 0) return await ran(transaction, migrations.map(withPlainIndexes));
  await requireNoOlderNodes(transaction, next);
  const indexes = concurrentIndexes(next);
  if (!(await areBuilt(transaction, indexes))) return { kind: "indexes", migration: next };
  return await ran(transaction, [{ ...next, statements: indexes.length === 0 ? next.text : "" }]);
}

/**
 * Returns how many of the given migrations were applied. Throws a StartError if an unknown or changed migration was
 * applied.
 */
async function countApplied(transaction: Transaction, migrations: readonly Migration[]): Promise<number> {
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
  for (const [index, migration] of migrations.entries()) checkApplied(applied[index], migration);
  // A running node continues to work after an upgrade by a newer release, but a node can only start if it knows all
  // applied migrations.
  const beyond = applied[migrations.length];
  if (beyond) {
    throw new StartError(
      `The database belongs to a newer release, which has run the migration ${beyond.name}: start that release.`,
    );
  }
  return applied.length;
}

type Runnable = Migration & { readonly statements: string };

function withPlainIndexes(migration: Migration): Runnable {
  return { ...migration, statements: plainIndexes(migration) };
}

async function ran(transaction: Transaction, migrations: readonly Runnable[]): Promise<Next> {
  const notes = await runMigrations(transaction, migrations);
  return { kind: "ran", names: migrations.map(({ name }) => name), notes };
}

/** Runs the statements of each migration and records the migration as applied. */
async function runMigrations(transaction: Transaction, migrations: readonly Runnable[]): Promise<MigrationNote[]> {
  const notes: MigrationNote[] = [];
  for (const migration of migrations) {
    const returned: readonly unknown[] = await named(migration, () => transaction.unsafe(migration.statements));
    notes.push(...returned.flat().filter(isNote));
  }
  const names = migrations.map(({ name }) => name);
  await transaction`
    insert into migrations (name, hash)
    select *
    from unnest(${names}::text[], ${migrations.map(({ text }) => migrationHash(text))}::text[])`;
  return notes;
}

/**
 * Throws a StartError if nodes that do not support a migration are connected. A node that starts in the meantime waits
 * for the lock, and then finds that the database is newer than the node.
 */
async function requireNoOlderNodes(transaction: Transaction, migration: Migration): Promise<void> {
  const rule = olderNodesOf(migration);
  if (rule.kind === "run") return;
  const nodes = await findOlderNodes(transaction, Number(migration.name.slice(0, 4)));
  if (nodes.length === 0) return;
  const named = nodes.map(
    ({ name, address, idleSeconds }) => `"${name}" from ${address ?? "this machine"}, last active ${idleSeconds} s ago`,
  );
  throw new StartError(
    `The migration ${migration.name} cannot run while nodes of releases before ${rule.release} are connected: ${rule.why}. ` +
      `Stop these nodes, then start again: ${named.join("; ")}.`,
  );
}

function isNote(row: unknown): row is MigrationNote {
  return typeof row === "object" && row !== null && "note" in row && typeof row.note === "string";
}

type AppliedRow = { readonly name: string; readonly hash: string };

function checkApplied(row: AppliedRow | undefined, migration: Migration): void {
  if (row === undefined) return;
  if (row.name !== migration.name) {
    throw new StartError(
      `The database has the migration ${row.name}, but this release has ${migration.name} in its position: one of them is missing.`,
    );
  }
  if (row.hash !== migrationHash(migration.text)) {
    throw new StartError(
      `The migration ${row.name} differs from the migration that the database has run: a released migration must not be changed.`,
    );
  }
}

/**
 * Converts errors of the work to StartErrors with the migration's name. A lost lock or a deadlock becomes a
 * `LockError`.
 */
async function named<Result>(migration: Migration, work: () => PromiseLike<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (lostLocks.includes(codeOf(error))) {
      throw new LockError(
        `The migration ${migration.name} did not get the lock of a table in ${lockWait.tries} attempts: end long transactions (pg_stat_activity lists them), then start again.`,
        { cause: error },
      );
    }
    throw new StartError(`The migration ${migration.name} failed: ${reasonOf(error)}.`, { cause: error });
  }
}
