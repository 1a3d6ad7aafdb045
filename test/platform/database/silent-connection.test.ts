import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { createInstanceKey } from "../../../src/management/access/instance-keys.ts";
import { isOutage } from "../../../src/platform/database/primary/outage.ts";
import { connect, type Sql } from "../../../src/platform/database/sql.ts";
import { createTestDatabase } from "../../support/database.ts";
import { type DatabaseProxy, openDatabaseProxy } from "../../support/database-proxy.ts";
import { cleanupStack } from "../../support/service.ts";
import { waitFor } from "../../support/wait.ts";

setDefaultTimeout(120_000);

const cleanups = cleanupStack();
afterEach(cleanups.run);

async function openProxied(): Promise<{ readonly proxy: DatabaseProxy; readonly sql: Sql }> {
  const database = await createTestDatabase();
  cleanups.add(database.close);
  const proxy = await openDatabaseProxy(database.url);
  cleanups.add(proxy.close);
  const sql = connect(proxy.url, { connections: 2 });
  cleanups.add(() => sql.end({ timeout: 0 }));
  // Opens both connections.
  await Promise.all([sql`select pg_sleep(0.1)`, sql`select pg_sleep(0.1)`]);
  return { proxy, sql };
}

test("a silent connection delays only its own statement", async () => {
  const { proxy, sql } = await openProxied();
  const silence = proxy.inject({ kind: "silence", statement: /as lost/, times: 1 });
  const lost = sql`select 1 as lost`.catch(() => {});
  await waitFor(() => silence.met() === 1);

  const others = Array.from({ length: 20 }, (_, index) => sql<[{ index: number }]>`select ${index}::int as index`);

  expect((await Promise.all(others)).map(([{ index }]) => index)).toEqual([...others.keys()]);
  await sql.end({ timeout: 0 });
  await lost;
});

test("each transaction runs on one connection, concurrently with other work", async () => {
  const { sql } = await openProxied();
  const ask = (number: number) =>
    sql.begin(async (transaction) => {
      const [one] = await transaction<[{ pid: number }]>`select pg_backend_pid() as pid`;
      const [other] = await transaction<[{ pid: number }]>`select pg_backend_pid() as pid`;
      return one.pid === other.pid ? number : undefined;
    });

  const work = [ask(1), sql`select 2`.then(() => 2), ask(3), ask(4), sql`select 5`.then(() => 5)];

  expect(await Promise.all(work)).toEqual([1, 2, 3, 4, 5]);
});

test("an instance key is read again after a shared read has failed", async () => {
  const { proxy, sql } = await openProxied();
  const silence = proxy.inject({ kind: "silence", statement: /into instance_keys/, times: 1 });
  const readKey = createInstanceKey(sql, "silent");

  const [one, other] = await Promise.allSettled([readKey(), readKey()]);

  expect(silence.met()).toBe(1);
  for (const read of [one, other]) expect(read.status === "rejected" && isOutage(read.reason)).toBe(true);
  expect(await readKey()).toHaveLength(32);
});
