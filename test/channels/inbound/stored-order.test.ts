import { afterAll, beforeAll, expect, test } from "bun:test";
import { listWaiting } from "../../../src/channels/inbound/inbox.sql.ts";
import { storeInbound } from "../../../src/channels/storing/inbox.sql.ts";
import { type InboxEvent, rowsOf } from "../../../src/channels/storing/stored-events.ts";
import { newId, shardOf } from "../../../src/platform/ids.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const place = { isEnabled: true, isNumbered: false, takesGroups: false };

function message(providerId: string): InboxEvent {
  const contact = { kind: "person", addresses: [{ kind: "user", value: "ana" }] } as const;
  return { kind: "message", providerId, contact, content: { kind: "text", text: providerId } };
}

test("messages without a time are processed in the order of storage", async () => {
  const { sql } = database;
  const connectionId = newId();
  const store = (providerId: string, now: number) =>
    storeInbound(sql, connectionId, {
      rows: rowsOf([message(providerId)], { ...place, connectionId }, now),
      statuses: [],
    });
  await store("first", Date.now() + 60_000);
  await store("second", Date.now() - 60_000);

  const rows = await sql<{ providerId: string }[]>`
    select provider_id from channel_inbox where connection_id = ${connectionId} order by sequence, id`;
  expect(rows.map(({ providerId }) => providerId)).toEqual(["first", "second"]);
});

test("a later message is processed after all 500 messages of an earlier call", async () => {
  const { sql } = database;
  const connectionId = newId();
  const earlier = Array.from({ length: 500 }, (_, index) => message(`earlier ${index}`));
  const [later] = rowsOf([message("later")], { ...place, connectionId });
  if (!later) throw new Error("There is no row");
  await storeInbound(sql, connectionId, { rows: rowsOf(earlier, { ...place, connectionId }), statuses: [] });
  // The other node does not know the ids of the earlier call.
  const id = newId(shardOf(connectionId));
  await storeInbound(sql, connectionId, { rows: [{ ...later, id }], statuses: [] });

  const listed = await listWaiting(sql, connectionId, { known: [], limit: 1_000 });
  expect(listed.at(-1)?.id).toBe(id);
  expect(listed).toHaveLength(501);
});

test("a read receipt does not change the time at which a message was accepted", async () => {
  const { sql } = database;
  const [connectionId, id] = [newId(), newId()];
  await sql`
    insert into channel_sendings (shard, id, connection_id, contact_id, sequence, source, state, provider_id, settled_at)
    values (${shardOf(connectionId)}, ${id}, ${connectionId}, ${newId()}, 1, 'test', 'accepted', 'p1', clock() - interval '1 hour')`;
  const read = { kind: "status", messageId: "p1", state: "read" } as const;
  await storeInbound(sql, connectionId, { rows: [], statuses: [read] });

  const [row] = await sql<{ state: string; isLong: boolean }[]>`
    select state, settled_at < clock() - interval '50 minutes' as is_long from channel_sendings where id = ${id}`;
  expect(row).toEqual({ state: "read", isLong: true });
});
