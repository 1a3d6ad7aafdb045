import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { limits } from "../../src/limits/index.ts";
import { newId } from "../../src/platform/ids.ts";
import { type FakeWebhook, startFakeWebhook } from "../fake-channels/webhook.ts";
import { idOf } from "../support/builder-ids.ts";
import { connectWebhookChannel } from "../support/channels.ts";
import { asks, flowOf, publish, says } from "../support/chat.ts";
import { type DatabaseProxy, openDatabaseProxy } from "../support/database-proxy.ts";
import { moveClock } from "../support/moved-clock.ts";
import { type OutsideServer, startOutside } from "../support/outside.ts";
import { waitFor } from "../support/wait.ts";
import { type ChannelWorld, createChannelWorld, programOf } from "./channel-world.ts";

let world: ChannelWorld;
let service: FakeWebhook;
let proxy: DatabaseProxy;
let outside: OutsideServer;
/**
 * How the fake HTTP server responds. In `slow` mode, calls wait until `release` is called. In `breaks` mode, the server
 * drops each connection.
 */
let mode: "slow" | "quick" | "breaks" = "quick";
let slow = Promise.withResolvers<void>();
const release = (): void => {
  slow.resolve();
  slow = Promise.withResolvers<void>();
};

beforeAll(async () => {
  service = await startFakeWebhook();
  outside = await startOutside(async (_request, response) => {
    if (mode === "breaks") {
      response.destroy();
      return;
    }
    if (mode === "slow") await slow.promise;
    response.end("{}");
  });
  world = await createChannelWorld({
    isSending: true,
    config: { RATE_LIMITS: "off" },
    through: async (url) => {
      proxy = await openDatabaseProxy(url);
      return proxy.url;
    },
  });
});
afterEach(async () => {
  mode = "quick";
  release();
  proxy.thaw();
  await moveClock(world.database.sql, 0);
});
afterAll(async () => {
  await world.close();
  await proxy.close();
  await outside.close();
  await service.close();
});

const calls = (timeout = 10) => ({
  id: "call",
  type: "Webhook",
  options: { timeout, webhook: { url: `http://127.0.0.1:${outside.port}/`, method: "POST", body: "{{Name}}" } },
});
const echo = (timeout?: number) =>
  flowOf([
    says("Go"),
    asks("text input", { variableId: idOf("Name") }),
    calls(timeout),
    says("{{Name}}"),
    { id: idOf("again"), type: "Jump", options: { groupId: idOf("g0"), blockId: idOf("asks text input") } },
  ]);

async function connected(flow: object, settings: object = {}) {
  const { botId } = await world.makeBot(flow);
  const program = await world.connectWebhook([{ botId, isEnabled: true }], settings, service.url);
  service.secret = program.secret;
  return program;
}

const shown = async (contact: string, count: number) => {
  await waitFor(() => service.shownTo(contact).length >= count, {
    what: () => `${count} messages, of which came ${JSON.stringify(service.shownTo(contact))}`,
  });
  return service.shownTo(contact);
};

describe("messages during a slow call of the flow", () => {
  test("ten messages during a slow call are answered in order", async () => {
    const program = await connected(echo());
    const contact = newId();
    await program.write(contact, "Hi");
    await shown(contact, 1);
    mode = "slow";
    const before = outside.requests.length;
    const texts = Array.from({ length: 10 }, (_, index) => String(index));
    await program.write(contact, "0");
    await waitFor(() => outside.requests.length === before + 1);
    for (const text of texts.slice(1)) expect((await program.write(contact, text)).status).toBe(200);
    await waitFor(async () => (await world.inbox(program.connectionId)).length === 11);
    expect(outside.requests.length).toBe(before + 1);
    mode = "quick";
    release();

    expect(await shown(contact, 11)).toEqual(["Go", ...texts]);
    await world.settled();
    expect(outside.requests.length).toBe(before + 10);
    expect((await world.inbox(program.connectionId)).map(({ state, revision }) => [state, revision])).toEqual(
      Array.from({ length: 11 }, (_, index) => ["done", index + 1]),
    );
  });

  test("an opt-out during a slow call is confirmed", async () => {
    const program = await connected(echo());
    const contact = newId();
    await program.write(contact, "Hi");
    await shown(contact, 1);
    mode = "slow";
    const before = outside.requests.length;
    await program.write(contact, "0");
    await waitFor(() => outside.requests.length === before + 1);
    for (const text of ["1", "2", "STOP", "3"]) await program.write(contact, text);
    // The service must have read all messages before it can answer the first one.
    await waitFor(async () => {
      const read = await world.database.sql`
        select from channel_inbox where connection_id = ${program.connectionId} and contact_id is not null`;
      return read.length === 6;
    });
    mode = "quick";
    release();
    await world.settled();

    const said = service.shownTo(contact);
    expect(said.filter((text) => ["1", "2", "3"].includes(text))).toEqual([]);
    await waitFor(() => service.shownTo(contact).at(-1)?.includes("START") === true);
    const rows = (await world.inbox(program.connectionId)).map(({ state, reason }) => reason ?? state);
    expect(rows).toEqual(["done", "done", "opted_out", "opted_out", "opted_out", "opted_out"]);
  });
});

describe("a contact after a failed step", () => {
  test("a contact can continue after a call fails in the middle of a step", async () => {
    const program = await connected(echo());
    const contact = newId();
    await program.write(contact, "Hi");
    await shown(contact, 1);
    mode = "breaks";
    await program.write(contact, "one");
    await shown(contact, 2);
    mode = "quick";
    await program.write(contact, "two");

    expect(await shown(contact, 3)).toEqual(["Go", "one", "two"]);
  });

  test("a flow that loops forever sends the contact one notice per start", async () => {
    const jump = (id: string, blockId: string) => ({ id, type: "Jump", options: { groupId: idOf("g0"), blockId } });
    const loop = [jump("j", "k"), jump("k", "j")];
    const program = await connected(flowOf([says("Hello"), asks("text input"), ...loop]), { restartWords: ["menu"] });
    const endless = await connected(flowOf(loop));
    const contact = newId();
    service.secret = program.secret;
    for (const text of ["Hi", "on", "and on", "menu", "on"]) {
      await program.write(contact, text);
      await world.settled();
    }
    expect((await world.inbox(program.connectionId)).map(({ reason }) => reason)).toEqual([
      ...[null, "failed", "failed", null, "failed"],
    ]);
    await shown(contact, 4);
    service.secret = endless.secret;
    for (const text of ["Hi", "Hello?", "Anybody?"]) {
      await endless.write(contact, text);
      await world.settled();
    }
    expect((await world.inbox(endless.connectionId)).map(({ reason }) => reason)).toEqual(Array(3).fill("failed"));
    await shown(contact, 5);
    const failures = service.shownTo(contact).filter((text) => text.startsWith("Something went wrong"));
    expect(failures).toHaveLength(3);
  });
});

test("a webhook call gets 503 during a database outage", async () => {
  const program = await connected(echo());
  const contact = newId();
  await program.write(contact, "Hi");
  await shown(contact, 1);
  mode = "slow";
  const before = outside.requests.length;
  await program.write(contact, "0");
  await waitFor(() => outside.requests.length === before + 1);
  proxy.refuse();
  mode = "quick";
  release();
  const messages = ["1", "2", "3"].map((text) => ({ id: newId(), contact: { id: contact }, message: { text } }));
  for (const message of messages) {
    const refused = await program.post(message);
    expect(refused.status).toBe(503);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  }
  await moveClock(world.database.sql, 30);
  proxy.thaw();
  for (const message of messages) await waitFor(async () => (await program.post(message)).status === 200);

  expect(await shown(contact, 5)).toEqual(["Go", "0", "1", "2", "3"]);
  await world.settled();
  expect(await world.said(program.connectionId, contact)).toEqual(["Go | 0 | 1 | 2 | 3"]);
});

test("a message received by another node is read within two checks for work", async () => {
  const beside = await createChannelWorld({ isSending: true, beside: world, looksByItself: false });
  const program = await connected(flowOf([says("Go"), asks("text input"), says("Yes"), asks("email input")]));
  const contact = newId();
  await program.write(contact, "Hi");
  await shown(contact, 1);
  await world.settled();
  const there = programOf(beside.api, program.connectionId, program.secret);
  const looks = proxy.inject({ kind: "delay", ms: 0, statement: /as has_outbox/ });
  const reads = proxy.inject({ kind: "delay", ms: 0, statement: /from channel_inbox i\s+where i.connection_id/ });
  await there.write(contact, "Ana");
  const looked = looks.met();
  await waitFor(() => reads.met() > 0);
  const looksUntilRead = looks.met() - looked;
  await shown(contact, 2);
  looks.end();
  reads.end();
  await beside.close();

  expect(looksUntilRead).toBeLessThanOrEqual(2);
  expect(service.shownTo(contact)).toEqual(["Go", "Yes"]);
});

test("consecutive messages do not each trigger a check for work", async () => {
  const program = await connected(flowOf([says("Go")]), { texts: { noBot: null } });
  await world.database.sql`update channel_connections set bots = '[]' where id = ${program.connectionId}`;
  const contact = newId();
  await program.write(contact, "Hi");
  await world.settled();
  const looks = proxy.inject({ kind: "delay", ms: 0, statement: /from channel_inbox i\s+where i.connection_id/ });
  const sends = proxy.inject({ kind: "delay", ms: 0, statement: /from channel_steps\s+where connection_id/ });
  const begunAt = performance.now();
  for (let message = 0; message < 60; message++) await program.write(contact, "Hi");
  const tookMs = performance.now() - begunAt;
  const [looked, sent] = [looks.met(), sends.met()];
  await world.settled();
  looks.end();
  sends.end();

  expect(looked).toBeLessThanOrEqual(1 + tookMs / 25);
  expect(sent).toBe(0);
});

test("hanging calls in one workspace do not delay the chats of another workspace", async () => {
  // The calls must still hang when the other workspace's chat is answered.
  const program = await connected(echo(120));
  const contacts = Array.from({ length: limits.channels.turnsAtOnce }, () => newId());
  for (const contact of contacts) await program.write(contact, "Hi");
  for (const contact of contacts) await shown(contact, 1);
  mode = "slow";
  const before = outside.requests.length;
  for (const contact of contacts) await program.write(contact, "one");
  // One workspace may use two thirds of the slots. The remaining third is reserved for other workspaces.
  const places = Math.floor((2 / 3) * limits.channels.turnsAtOnce);
  await waitFor(() => outside.requests.length === before + places);

  const { api, owner } = world;
  const ours = await startFakeWebhook();
  const place = { client: api.client, token: owner.token, workspaceId: await api.makeWorkspace(owner) };
  const { botId } = await publish(api.client, place, {
    ...flowOf([says("Welcome"), asks("text input"), says("Bye")]),
    settings: { messenger: { isEnabled: true }, typingEmulation: { enabled: false } },
  });
  const made = await connectWebhookChannel({ ...place, url: "https://example.com/bot", bots: [{ botId }] });
  const { connectionId } = made;
  ours.secret = made.madeSecrets["secret"] ?? "";
  await api.deps.sql`
    update channel_connections set settings = ${JSON.stringify({ url: ours.url })}::text::json where id = ${connectionId}`;
  const other = programOf(api, connectionId, ours.secret);
  const contact = newId();
  await other.write(contact, "Hi");
  await waitFor(() => ours.shownTo(contact).length === 1);
  await other.write(contact, "Ana");
  await waitFor(() => ours.shownTo(contact).length === 2);
  expect(outside.requests.length).toBe(before + places);
  mode = "quick";
  release();
  for (const one of contacts) expect(await shown(one, 2)).toEqual(["Go", "one"]);
  await ours.close();
});
