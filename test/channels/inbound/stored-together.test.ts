import { afterAll, beforeAll, expect, test } from "bun:test";
import { createInboundStore, type InboundStore } from "../../../src/channels/storing/inbound-store.ts";
import { rowsOf } from "../../../src/channels/storing/stored-events.ts";
import { systemClock } from "../../../src/platform/concurrency/clock.ts";
import { connect, type Sql } from "../../../src/platform/database/sql.ts";
import { newId } from "../../../src/platform/ids.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { type DatabaseProxy, openDatabaseProxy } from "../../support/database-proxy.ts";

let database: TestDatabase;
let proxy: DatabaseProxy;
let sql: Sql;
let inbound: InboundStore;

beforeAll(async () => {
  database = await createTestDatabase();
  proxy = await openDatabaseProxy(database.url);
  sql = connect(proxy.url, { connections: 4 });
  inbound = createInboundStore({ sql, clock: systemClock });
});
afterAll(async () => {
  await sql.end();
  await proxy.close();
  await database.close();
});

function callWith(connectionId: string, providerId: string) {
  const contact = { kind: "person", addresses: [{ kind: "user", value: "ana" }] } as const;
  const event = { kind: "message", providerId, contact, content: { kind: "text", text: providerId } } as const;
  const place = { connectionId, isEnabled: true, isNumbered: false, takesGroups: false };
  return { rows: rowsOf([event], place), statuses: [] };
}

const storedOf = async (connectionId: string) =>
  (
    await database.sql<{ providerId: string }[]>`
      select provider_id from channel_inbox where connection_id = ${connectionId} order by sequence, id`
  ).map(({ providerId }) => providerId);

const counted = () => proxy.inject({ kind: "delay", ms: 0, statement: /insert into channel_inbox/ });

test("concurrent calls of a connection are stored by one statement", async () => {
  const [connectionId, other] = [newId(), newId()];
  const statements = counted();
  const ids = Array.from({ length: 30 }, (_, index) => `m${String(index).padStart(2, "0")}`);
  const calls = [...ids, "m07"].map((id) => callWith(connectionId, id));
  const [stored] = await Promise.all([
    Promise.all(calls.map((call) => inbound.store(connectionId, call, 100))),
    inbound.store(other, callWith(other, "m07"), 100),
  ]);
  statements.end();

  expect(statements.met()).toBe(2);
  expect(stored).toEqual([...calls.slice(0, -1).map(({ rows }) => rows.map(({ id }) => id)), []]);
  expect(await storedOf(connectionId)).toEqual(ids);
  expect(await storedOf(other)).toEqual(["m07"]);
});

test("a call that cannot be stored does not prevent the storage of other calls", async () => {
  const connectionId = newId();
  const ids = ["a", "b\u0000", "c"];
  const outcomes = await Promise.allSettled(
    ids.map((id) => inbound.store(connectionId, callWith(connectionId, id), 100)),
  );

  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(await storedOf(connectionId)).toEqual(["a", "c"]);
});

test("a large call is stored by a separate statement", async () => {
  const connectionId = newId();
  const statements = counted();
  await Promise.all(["a", "b"].map((id) => inbound.store(connectionId, callWith(connectionId, id), 100_000)));
  statements.end();

  expect(statements.met()).toBe(2);
});
