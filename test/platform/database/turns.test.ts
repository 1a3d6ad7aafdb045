import { afterAll, beforeAll, expect, test } from "bun:test";
import { limits } from "../../../src/limits/index.ts";
import { outageOf } from "../../../src/platform/database/primary/outage.ts";
import { connect, type Sql, type Statements } from "../../../src/platform/database/sql.ts";
import { inTurn } from "../../../src/platform/database/turns.sql.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";

let database: TestDatabase;
let sql: Sql;

beforeAll(async () => {
  database = await createTestDatabase();
  sql = connect(database.url, { connections: 1 });
});
afterAll(async () => {
  await sql.end({ timeout: 1 });
  await database.close();
});

async function idleMs(statements: Statements): Promise<number | undefined> {
  const [row] = await statements<{ ms: number }[]>`
    select setting::integer as ms from pg_settings where name = 'idle_in_transaction_session_timeout'`;
  return row?.ms;
}

test("the server limits the idle time of a transaction", async () => {
  expect(await inTurn(sql, idleMs)).toBe(limits.database.idleTransactionMs);
  expect(await idleMs(sql)).toBe(0);
});

test("a hanging transaction is ended and its locks are released", async () => {
  const [row] = await sql<[{ id: string }]>`
    insert into workspaces (id, name) values (gen_random_uuid(), 'Still') returning id`;
  const still = inTurn(sql, async (transaction) => {
    await transaction`select from workspaces where id = ${row.id} for update`;
    await transaction`set local idle_in_transaction_session_timeout = '20ms'`;
    await new Promise(() => {});
  });

  const failure = await still.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(outageOf(failure)?.kind).toBe("lost");
  expect(await database.sql`update workspaces set name = 'On' where id = ${row.id} returning name`).toHaveLength(1);
  expect(await sql`select name from workspaces where id = ${row.id}`).toHaveLength(1);
});
