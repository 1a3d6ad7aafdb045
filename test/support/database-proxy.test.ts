import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { connect, type Sql } from "../../src/platform/database/sql.ts";
import { createTestDatabase, type TestDatabase } from "./database.ts";
import { type DatabaseProxy, openDatabaseProxy } from "./database-proxy.ts";
import { cleanupStack } from "./service.ts";
import { waitFor } from "./wait.ts";

let database: TestDatabase;
let proxy: DatabaseProxy;
const cleanups = cleanupStack();

beforeAll(async () => {
  database = await createTestDatabase();
  await database.sql`create table words (word text)`;
  proxy = await openDatabaseProxy(database.url);
});
afterAll(async () => {
  await proxy.close();
  await database.close();
});
afterEach(async () => {
  proxy.thaw();
  await cleanups.run();
  await database.sql`truncate words`;
});

function open(connections = 1): Sql {
  const sql = connect(proxy.url, { connections });
  cleanups.add(() => sql.end({ timeout: 0 }));
  return sql;
}

async function outcomeOf(work: PromiseLike<readonly unknown[]>): Promise<unknown> {
  return await work.then(
    (rows) => rows.length,
    (error: unknown) => (error instanceof Error && "code" in error ? error.code : error),
  );
}

async function words(): Promise<unknown[]> {
  return (await database.sql`select word from words order by word`).map(({ word }) => word);
}

test("the proxy forwards statements unchanged if no fault is injected", async () => {
  const sql = open(2);

  const rows = await Promise.all(
    Array.from({ length: 60 }, (_, number) => sql`select ${number}::int as number, repeat('x', 100000) as text`),
  );
  await sql.begin((transaction) => transaction`insert into words values (${"kept"})`);

  expect(rows.map(([row]) => row?.["number"])).toEqual(rows.map((_, number) => number));
  expect(await words()).toEqual(["kept"]);
});

test("the proxy fails the configured number of matching statements", async () => {
  const sql = open();
  const fault = proxy.inject({ statement: /insert into words/, kind: "error", sqlState: "53100", times: 2 });

  const outcomes = await Promise.all([
    outcomeOf(sql`select 1`),
    outcomeOf(sql`insert into words values (${"a"}) returning word`),
    outcomeOf(sql`select ${"b"}::text`),
    outcomeOf(sql`insert into words values ('c') returning word`),
    outcomeOf(sql`insert into words values (${"d"}) returning word`),
    outcomeOf(sql`select 1`),
  ]);

  expect(outcomes).toEqual([1, "53100", 1, "53100", 1, 1]);
  expect(fault.met()).toBe(2);
  expect(await words()).toEqual(["d"]);
});

test("an injected error for a simple query also fails its transaction", async () => {
  const sql = open();
  const fault = proxy.inject({ statement: /simple/, kind: "error", sqlState: "40001" });

  const outcome = await outcomeOf(
    sql.begin(async (transaction) => {
      await transaction`insert into words values ('gone')`;
      return await transaction.unsafe("select 'simple'");
    }),
  );
  fault.end();

  expect(outcome).toBe("40001");
  expect(await outcomeOf(sql.unsafe("select 'simple'"))).toBe(1);
  expect(await words()).toEqual([]);
});

test("the proxy cuts a connection before or after the execution of the statement", async () => {
  const sql = open();
  proxy.inject({ statement: /values \('before'\)/, kind: "cut", when: "before", times: 1 });
  proxy.inject({ statement: /values \('after'\)/, kind: "cut", when: "after", times: 1 });

  const before = await outcomeOf(sql`insert into words values ('before')`);
  const after = await outcomeOf(sql`insert into words values ('after')`);

  expect([before, after]).toEqual(["CONNECTION_CLOSED", "CONNECTION_CLOSED"]);
  expect(await words()).toEqual(["after"]);
  expect(await outcomeOf(sql`insert into words values ('before') returning word`)).toBe(1);
});

test("the proxy ends a connection with a fatal error", async () => {
  const sql = open();
  proxy.inject({ statement: /select 'last'/, kind: "error", sqlState: "57P01", isFatal: true, times: 1 });

  const last = await outcomeOf(sql`select 'last'`);
  proxy.reject("53300");
  const refused = await sql`select 1`.catch(String);
  proxy.thaw();

  expect(last).toBe("57P01");
  expect(refused).toContain("injected 53300");
  expect(await outcomeOf(sql`select 1`)).toBe(1);
});

test("the proxy can delay a statement or leave it unanswered", async () => {
  const sql = open();
  await sql`select 1`;
  proxy.inject({ statement: /select 'slow'/, kind: "delay", ms: 50, times: 1 });

  const startedAt = performance.now();
  await sql`select 'slow'`;
  const tookMs = performance.now() - startedAt;
  proxy.freeze();
  const held = outcomeOf(sql`select 2`);
  proxy.thaw();
  const heldOutcome = await held;
  proxy.inject({ statement: /select 'silent'/, kind: "silence", times: 1 });
  const silent = outcomeOf(sql`select 'silent'`);
  const first = await Promise.race([silent, Bun.sleep(50).then(() => "nothing yet")]);
  proxy.cut();

  expect(tookMs).toBeGreaterThanOrEqual(49);
  expect(heldOutcome).toBe(1);
  expect(first).toBe("nothing yet");
  expect(await silent).toBe("CONNECTION_CLOSED");
});

test("an injected death freezes all connections before or after its statement", async () => {
  const sql = open(2);
  await Promise.all([sql`select 1`, sql`select 2`]);
  for (const when of ["before", "after"] as const) {
    proxy.inject({ statement: new RegExp(`values \\('${when}'\\)`), kind: "death", when, times: 1 });
    const dying = outcomeOf(sql.unsafe(`insert into words values ('${when}') returning word`));
    const other = outcomeOf(sql`select 3`);
    const first = await Promise.race([dying, Bun.sleep(50).then(() => "nothing yet")]);
    const [there] = await database.sql<[{ isThere: boolean }]>`
      select exists (select from words where word = ${when}) as is_there`;
    proxy.thaw();

    expect({ when, first, ...there }).toEqual({ when, first: "nothing yet", isThere: when === "after" });
    expect([await dying, await other]).toEqual([1, 1]);
  }
});

test("an injected death is counted only after its statement has been executed", async () => {
  const sql = open();
  await sql`select 1`;
  const death = proxy.inject({ statement: /values \('late'\)/, kind: "death", when: "after", times: 1 });
  let dying: Promise<unknown> | undefined;
  await database.sql.begin(async (own) => {
    await own`lock table words`;
    dying = outcomeOf(sql.unsafe("insert into words values ('late')"));
    await waitFor(async () => {
      const waiting = await own`select from pg_locks where relation = 'words'::regclass and not granted`;
      return waiting.length === 1;
    });
    expect(death.met()).toBe(0);
  });
  await waitFor(() => death.met() === 1);
  proxy.thaw();

  expect(await dying).toBe(0);
});
