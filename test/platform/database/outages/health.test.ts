import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { tryWrite } from "../../../../src/platform/database/outages/health.sql.ts";
import { connect, type Sql } from "../../../../src/platform/database/sql.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/database.ts";
import { openDatabaseProxy } from "../../../support/database-proxy.ts";
import { cleanupStack } from "../../../support/service.ts";

let database: TestDatabase;
const cleanups = cleanupStack();
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
afterEach(cleanups.run);

async function openWith(settings: string): Promise<Sql> {
  const proxy = await openDatabaseProxy(database.url);
  cleanups.add(proxy.close);
  const sql = connect(`${proxy.url}?${settings}`, { connections: 1 });
  cleanups.add(() => sql.end({ timeout: 0 }));
  return sql;
}

test("a trial write succeeds if chats can be written, and leaves no rows", async () => {
  const position = async () =>
    (await database.sql`select pg_current_wal_insert_lsn()::text as position`)[0]?.["position"];
  const before = await position();

  await tryWrite(database.sql);

  expect(await position()).not.toBe(before);
  for (const table of ["sessions", "steps", "results", "answers", "outbox", "event_deliveries"]) {
    expect(await database.sql`select from ${database.sql(table)}`).toHaveLength(0);
  }
});

test("a trial write detects a read-only server", async () => {
  const sql = await openWith("default_transaction_read_only=on");

  await expect(tryWrite(sql)).rejects.toMatchObject({ code: expect.stringMatching(/^(25006|NO_PRIMARY)$/) });
});

test("a trial write fails if the server cannot write temporary files", async () => {
  // With this setting, PostgreSQL cannot write temporary files. Only the error code differs from that of a full disk.
  await expect(tryWrite(await openWith("temp_file_limit=0"))).rejects.toMatchObject({ code: "53400" });
});

test.each([
  "sessions",
  "steps",
  "results",
  "answers",
  "start_keys",
  "visited_edges",
  "logs",
  "outbox",
  "event_deliveries",
])("a trial write requires the right to insert into %s", async (table) => {
  const { sql } = database;
  const role = `writer_${Bun.randomUUIDv7("hex").replaceAll("-", "")}`;
  cleanups.add(async () => {
    await sql.unsafe(`drop owned by ${role}`);
    await sql.unsafe(`drop role ${role}`);
  });
  await sql.unsafe(`create role ${role}`);
  await sql.unsafe(`grant all on all tables in schema public to ${role}`);
  const limited = await openWith(`role=${role}`);

  await tryWrite(limited);
  await sql.unsafe(`revoke insert on ${table} from ${role}`);

  await expect(tryWrite(limited)).rejects.toMatchObject({ code: "42501" });
});
