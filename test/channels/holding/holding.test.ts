import { afterAll, beforeAll, expect, test } from "bun:test";
import { newId } from "../../../src/platform/ids.ts";
import { idOf } from "../../support/builder-ids.ts";
import { putContact, putInbox } from "../../support/channels.ts";
import { asks, flowOf, nameAndEmail, says } from "../../support/chat.ts";
import { type DatabaseProxy, openDatabaseProxy } from "../../support/database-proxy.ts";
import { startOutside } from "../../support/outside.ts";
import { waitFor } from "../../support/wait.ts";
import { type ChannelWorld, createChannelWorld } from "../channel-world.ts";

let world: ChannelWorld;
let proxy: DatabaseProxy;

beforeAll(async () => {
  world = await createChannelWorld({
    through: async (url) => {
      proxy = await openDatabaseProxy(url);
      return proxy.url;
    },
  });
});
afterAll(async () => {
  await world.close();
  await proxy.close();
});

/** Counts the matching statements without delaying them. */
const counted = (statement: RegExp) => proxy.inject({ kind: "delay", ms: 0, statement });
const asked = ({ botId }: { readonly botId: string }) => ({ botId, isEnabled: true });
const seconds = async (count: number) => {
  const since = performance.now();
  await waitFor(() => performance.now() - since > count * 1_000);
};

test("leases are renewed while a query for work is pending", async () => {
  const program = await world.connectWebhook([asked(await world.makeBot(nameAndEmail))]);
  await program.write("ana", "Hi");
  await world.settled();
  const slow = proxy.inject({ kind: "delay", ms: 7_000, statement: /as has_outbox/, times: 1 });
  await waitFor(() => slow.met() === 1);
  const renewals = counted(/update channel_leases l\s+set held_until/);
  await seconds(6);
  renewals.end();

  expect(renewals.met()).toBeGreaterThanOrEqual(2);
});

test("messages for another node's connection rarely trigger a lease request", async () => {
  const program = await world.connectWebhook([asked(await world.makeBot(nameAndEmail))]);
  const { sql } = world.api.deps;
  await sql`
    insert into channel_leases (connection_id, holder, held_until)
    values (${program.connectionId}, ${newId()}, clock() + interval '6 seconds')
    on conflict (connection_id) do update set holder = excluded.holder, held_until = excluded.held_until`;
  const since = performance.now();
  const looks = counted(/insert into channel_leases as l/);
  for (let index = 0; index < 30; index++) await program.write("ana", String(index));
  looks.end();

  const passed = (performance.now() - since) / 1_000;
  expect(looks.met()).toBeLessThanOrEqual(3 + 2 * passed);
});

test("a connection that cannot be decrypted is not retried continuously", async () => {
  const program = await world.connectWebhook([asked(await world.makeBot(nameAndEmail))]);
  const { connectionId } = program;
  const { sql } = world.api.deps;
  await sql`update channel_connections set sealed = '\\x00' where id = ${connectionId}`;
  const opened = counted(/is_workspace_suspended/);
  const contactId = await putContact(sql, connectionId);
  await putInbox(sql, { connectionId, contactId, state: "waiting", content: { kind: "message" } });
  await waitFor(() => opened.met() > 0);
  await seconds(5);
  opened.end();
  await sql`update channel_inbox set state = 'dropped' where connection_id = ${connectionId}`;

  // One statement may read the connection of the previous test, because that connection no longer has a holder.
  expect(opened.met()).toBeLessThanOrEqual(2);
});

test("a slow step of one contact does not delay another contact", async () => {
  const mayAnswer = Promise.withResolvers<void>();
  const slow = await startOutside(async (_request, response) => {
    await mayAnswer.promise;
    response.end("{}");
  });
  const call = { id: "call", type: "Webhook", options: { webhook: { url: `http://127.0.0.1:${slow.port}/` } } };
  const bot = await world.makeBot(flowOf([says("Hello"), call, asks("text input", { variableId: idOf("Name") })]));
  const isQuick = { comparisons: [{ comparisonOperator: "Equal to", value: "quick" }] };
  const quick = await world.makeBot(nameAndEmail, { startCondition: isQuick });
  const program = await world.connectWebhook([asked(quick), asked(bot)]);
  await program.write("ana", "Ana");
  await waitFor(() => slow.requests.length > 0);
  const at = `/api/v1/workspaces/${world.workspaceId}/channel-connections/${program.connectionId}`;
  const changed = await world.api.client.patch(at, { token: world.owner.token, body: { name: "Another name" } });
  expect(changed.status).toBe(200);
  await program.write("bo", "quick");
  await waitFor(async () => (await world.said(program.connectionId, "bo")).length > 0);

  expect(await world.said(program.connectionId, "ana")).toEqual([]);
  mayAnswer.resolve();
  await world.settled();
  expect((await world.inbox(program.connectionId)).map(({ state }) => state)).toEqual(["done", "done"]);
  await slow.close();
});
