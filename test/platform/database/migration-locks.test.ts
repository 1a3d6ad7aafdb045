import { afterAll, expect, test } from "bun:test";
import { type Migration, migrations } from "../../../src/platform/database/migrations.ts";
import { concurrentIndexes } from "../../../src/platform/database/schema/concurrent-indexes.sql.ts";
import { migrate } from "../../../src/platform/database/schema/migrate.sql.ts";
import type { Sql, Statements } from "../../../src/platform/database/sql.ts";
import { createEmptyDatabase } from "../../support/database.ts";

// Migrations run while chats write, and hold their locks until they commit. A migration that blocks writers of a large
// table must end within a moment for any number of rows, so it may neither read nor rewrite the table.

const database = await createEmptyDatabase();
afterAll(() => database.close());

/** Tables that chats write, and that may be large. */
const chatTables = [
  ...[
    "answer_ratings",
    "answers",
    "deferred_calls",
    "due_steps",
    "effect_reports",
    "event_deliveries",
    "files",
    "logs",
    "mails",
    "model_calls",
    "outbox",
    "payments",
    "results",
    "sessions",
    "start_keys",
    "steps",
  ],
  "visited_edges",
];

/** Locks that block writers to the table. */
const blockingModes = ["ShareLock", "ShareRowExclusiveLock", "ExclusiveLock", "AccessExclusiveLock"];

/**
 * The last migration before this check existed. The effects of this and earlier migrations are still present in all
 * large tables.
 */
const baseline = "0018_custom_domains";

/**
 * Old migrations that build indexes on whole tables, and block writers in the meantime. No migration may be added to
 * this list.
 */
const history: Readonly<Record<string, readonly string[]>> = {
  "0002_queue": ["outbox", "results", "sessions", "start_keys"],
  "0005_large_tables": ["outbox", "results"],
  "0011_event_lanes": ["event_deliveries"],
  "0016_event_indexes": ["event_deliveries"],
};

/**
 * Migrations that block writers for a moment, each with its reason. Migrations that only add columns with null or a
 * constant default are not listed, because they rewrite nothing.
 */
const moments: Readonly<Record<string, { readonly tables: readonly string[]; readonly why: string }>> = {
  "0010_log_order": { tables: ["logs"], why: "adds a column that is null, and then its default for new rows" },
};

test("only the listed migrations block writes to the tables of chats", async () => {
  const found: Found[] = [];
  for (const [index, migration] of migrations.entries()) {
    // Indexes that are built outside a transaction do not block writers.
    if (concurrentIndexes(migration).length > 0) continue;
    await migrate(database.sql, migrations.slice(0, index));
    found.push(await tryOut(database.sql, migration));
  }
  const lasting = found.filter(({ isReading }) => isReading);
  const short = found
    .filter(({ isReading }) => !isReading)
    .map(({ name, locked, widened }) => ({ name, locked: locked.filter((table) => !widened.includes(table)) }))
    .filter(({ locked }) => locked.length > 0);

  expect(Object.fromEntries(lasting.map(({ name, locked }) => [name, locked]))).toEqual({ ...history });
  expect(Object.fromEntries(short.map(({ name, locked }) => [name, locked]))).toEqual(
    Object.fromEntries(Object.entries(moments).map(([name, { tables }]) => [name, [...tables]])),
  );
});

test.each([
  [
    "a column that is null",
    "alter table results add column made text;\nalter table results alter column made set statistics 0",
    true,
  ],
  [
    "columns with a constant default",
    "alter table results add column a boolean not null default false, add column b text[]",
    true,
  ],
  ["a default for new rows", "alter table results add column made text, alter column made set default 'x'", false],
  ["a default that is computed", "alter table results add column made uuid default gen_random_uuid()", false],
  [
    "a trigger",
    "alter table results add column a text; create trigger made before insert on results execute function b()",
    false,
  ],
])("the check recognises whether a migration only widens a table: %s", (_, text, isWidened) => {
  expect(widenedBy({ name: "0000_tried", text }).includes("results")).toBe(isWidened);
});

test("no migration after 0018_custom_domains blocks writers for long", () => {
  expect(Object.keys(history).filter((name) => name > baseline)).toEqual([]);
});

test.each([
  ["an index", "create index on sessions (updated_at)", true],
  [
    "a column that has a value for each row",
    "alter table sessions add column made uuid default gen_random_uuid()",
    true,
  ],
  ["a constraint that is checked", "alter table sessions add check (revision > 0)", true],
  ["a change of all rows", "update sessions set revision = revision", true],
  ["a constraint for new rows", "alter table sessions add check (revision > 0) not valid", false],
])("the check recognises whether a migration reads the table: %s", async (_, text, isReading) => {
  const found = await tryOut(database.sql, { name: "0000_tried", text });

  expect(found.isReading).toBe(isReading);
});

type Found = {
  readonly name: string;
  /** The tables of chats whose writers are blocked until the commit. */
  readonly locked: readonly string[];
  /** Whether the migration reads a whole table, as building an index and rewriting a table do. */
  readonly isReading: boolean;
  /** Tables to which the migration only adds columns with null or a constant default. */
  readonly widened: readonly string[];
};

/** Matches changes of one table's columns that do not rewrite the table. */
const widens =
  /^alter table \w+ (?:(?:, )?(?:add column \w+ \w+(?:\(\d\))?(?:\[\])?(?: not null)?(?: default (?:true|false|\d+))?|alter column \w+ set statistics \d+))+$/;

function widenedBy({ text }: Migration): string[] {
  const statements = text
    .replace(/--.*$/gm, "")
    .split(";")
    .map((statement) => statement.trim().replace(/\s+/g, " "));
  return chatTables.filter((table) => {
    const about = statements.filter((statement) => new RegExp(`\\b${table}\\b`).test(statement));
    return about.every((statement) => widens.test(statement));
  });
}

async function tryOut(sql: Sql, migration: Migration): Promise<Found> {
  const undone = new Error("Taken back.");
  let found: Found | undefined;
  const run = sql.begin(async (transaction) => {
    const tables = await findTables(transaction);
    const before = await countScans(transaction, tables);
    await transaction.unsafe(migration.text);
    const isReading = (await countScans(transaction, tables)) > before;
    found = {
      name: migration.name,
      locked: await lockedOf(transaction, tables),
      isReading,
      widened: widenedBy(migration),
    };
    throw undone;
  });
  await run.catch((error: unknown) => {
    if (error !== undone) throw error;
  });
  if (!found) throw new Error("The migration was not tried.");
  return found;
}

/** Finds the tables that exist before the migration, because no writer waits for a table that the migration creates. */
async function findTables(sql: Statements): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`
    select oid::int as id
    from pg_class
    where relname = any(${chatTables}) and relkind in ('r', 'p')`;
  return rows.map(({ id }) => id);
}

async function countScans(sql: Statements, tables: readonly number[]): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select coalesce(sum(pg_stat_get_xact_numscans(id)), 0)::int as count
    from unnest(${[...tables]}::int[]) as id`;
  return row.count;
}

async function lockedOf(sql: Statements, tables: readonly number[]): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select distinct relation::regclass::text as name
    from pg_locks
    where pid = pg_backend_pid()
      and locktype = 'relation'
      and relation::int = any(${[...tables]}::int[])
      and mode = any(${blockingModes})
    order by name`;
  return rows.map(({ name }) => name);
}
