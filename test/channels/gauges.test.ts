import { afterAll, beforeAll, expect, test } from "bun:test";
import { createChannelGauges } from "../../src/channels/gauges.ts";
import { pauseConnection } from "../../src/channels/outbound/sendings.sql.ts";
import { createHttpMetrics } from "../../src/management/operations/metrics.ts";
import { createOutageWatch } from "../../src/platform/database/outages/outage-watch.ts";
import type { Sql } from "../../src/platform/database/sql.ts";
import { newId } from "../../src/platform/ids.ts";
import { createLog, type Log } from "../../src/platform/observing/log.ts";
import { createTestApi, type TestApi, type TestUser } from "../support/api.ts";
import { connectWebhookChannel, putContact, putInbox, putSending } from "../support/channels.ts";
import { createEmptyDatabase } from "../support/database.ts";
import { testKey } from "../support/events.ts";
import { moveClock } from "../support/moved-clock.ts";

let api: TestApi;
let owner: TestUser;
let workspaceId: string;
let sql: Sql;

beforeAll(async () => {
  api = await createTestApi({ config: { ENCRYPTION_KEY: testKey, CHAT_URL: "https://chat.example.com" } });
  owner = await api.makeUser();
  workspaceId = await api.makeWorkspace(owner);
  ({ sql } = api.deps);
});
afterAll(() => api.close());

const place = (connectionId: string) => `/api/v1/workspaces/${workspaceId}/channel-connections/${connectionId}`;

async function connect() {
  const connecting = { client: api.client, token: owner.token, workspaceId };
  const { connectionId } = await connectWebhookChannel({ ...connecting, url: "https://example.com/bot" });
  const contactId = await putContact(sql, connectionId);
  const at = { connectionId, contactId };
  return {
    connectionId,
    receive: () => putInbox(sql, { ...at, state: "waiting", content: { kind: "message" } }),
    send: (state: string) => putSending(sql, { ...at, state }),
  };
}

/** Returns the messenger gauges from `/metrics`, by name without the prefix, and the errors that were logged. */
async function read(from: Sql) {
  const errors: string[] = [];
  const error: Log["error"] = (_, facts) => void errors.push(String(facts?.["error"]));
  const outage = createOutageWatch(from, { ...createLog("silent"), error });
  const { text } = await createHttpMetrics({ others: [createChannelGauges(from, outage)] }).read();
  const lines = text.matchAll(/^parley_channel_(\S+) (\S+)$/gm);
  return { values: Object.fromEntries([...lines].map(([, name = "", value]) => [name, Number(value)])), errors };
}

test("metrics show waiting messages, their ages, and connections by state", async () => {
  const [on, off, failing, deleted] = [await connect(), await connect(), await connect(), await connect()];
  for (const one of [off, deleted]) {
    await one.receive();
    await one.send("pending");
  }
  const disabled = await api.client.post(`${place(off.connectionId)}/disable`, { token: owner.token });
  expect(disabled.status).toBe(200);
  await sql`update channel_connections set deleted_at = clock() where id = ${deleted.connectionId}`;
  const later = await on.send("pending");
  await sql`update channel_sendings set not_before = clock() + interval '1 hour' where id = ${later}`;
  await moveClock(sql, 1_000);
  await on.receive();
  await failing.receive();
  await moveClock(sql, 1_500);
  await on.send("pending");
  await failing.send("pending");
  const started = await on.send("sending");
  await sql`update channel_sendings set attempted_at = clock() where id = ${started}`;
  const holder = newId();
  await sql`update channel_leases set holder = ${holder} where connection_id = ${failing.connectionId}`;
  const by = { connectionId: failing.connectionId, holder, workspaceId, channel: "webhook" };
  await pauseConnection(sql, by, { refusedMs: 1_000, mostMs: 1_000 });

  expect((await read(sql)).values["sendings_in_doubt"]).toBe(0);
  await moveClock(sql, 1_600);
  const { values, errors } = await read(sql);
  expect(errors).toEqual([]);
  const { oldest_waiting_seconds: waited, oldest_pending_seconds: pended, ...counts } = values;
  expect(counts).toEqual({
    ...{ waiting_messages: 2, pending_sendings: 4, sendings_in_doubt: 1 },
    ...{ 'connections{state="on"}': 1, 'connections{state="off"}': 1, 'connections{state="failing"}': 1 },
  });
  // A busy machine adds seconds, but not hundreds.
  expect([Math.floor(Number(waited) / 100), Math.floor(Number(pended) / 100)]).toEqual([6, 1]);
  await moveClock(sql, 0);
});

test("counts that cannot be read are left out of the metrics", async () => {
  const empty = await createEmptyDatabase();
  const { values, errors } = await read(empty.sql);
  await empty.close();

  expect(values).toEqual({});
  expect(errors).toEqual([expect.stringContaining("channel_connections")]);
});
