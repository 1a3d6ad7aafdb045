import { afterAll, beforeAll, expect, test } from "bun:test";
import { listDueExpiries, tellExpiries } from "../../../src/channels/turns/expiries.sql.ts";
import type { Sql } from "../../../src/platform/database/sql.ts";
import { newId, shardOf } from "../../../src/platform/ids.ts";
import { freeConnections } from "../../../src/platform/queue/free-connections.sql.ts";
import { type FakeWebhook, startFakeWebhook } from "../../fake-channels/webhook.ts";
import { idOf } from "../../support/builder-ids.ts";
import { putInbox } from "../../support/channels.ts";
import { asks, flowOf, says } from "../../support/chat.ts";
import { moveClock } from "../../support/moved-clock.ts";
import { waitFor } from "../../support/wait.ts";
import { type ChannelWorld, createChannelWorld, type Program } from "../channel-world.ts";

let world: ChannelWorld;
let service: FakeWebhook;
let sql: Sql;
let botId: string;
/** The number of seconds by which the clock of the database is ahead. */
let ahead = 0;

beforeAll(async () => {
  service = await startFakeWebhook();
  world = await createChannelWorld({ isSending: true });
  ({ sql } = world.database);
  ({ botId } = await world.makeBot(
    flowOf([says("Hello"), asks("text input", { variableId: idOf("Name") }), says("Thanks"), asks("number input")]),
  ));
});
afterAll(async () => {
  await moveClock(sql, 0);
  await world.close();
  await service.close();
});

const hour = 3_600;

async function pass(seconds: number): Promise<void> {
  ahead += seconds;
  await moveClock(sql, ahead);
}

const texts = { expired: "Write again any time, {{contactName}}.", stopped: "Bye." };

async function connected(settings: object = { texts }): Promise<Program> {
  const program = await world.connectWebhook(
    [{ botId, isEnabled: true, sessionExpiryTimeout: 1 }],
    settings,
    service.url,
  );
  service.secret = program.secret;
  return program;
}

async function begun(program: Program, contact: string): Promise<void> {
  await write(program, contact, "Hi");
  await shows(contact, "Hello");
  await world.settled();
}

const write = (program: Program, contact: string, text: string) =>
  program.post({ id: newId(), contact: { id: contact, name: "Ana" }, message: { text } });

const shows = (contact: string, ...words: string[]) =>
  waitFor(
    () => {
      world.holding.wake();
      return JSON.stringify(service.shownTo(contact)) === JSON.stringify(words);
    },
    { what: () => `${JSON.stringify(words)}, of which came ${JSON.stringify(service.shownTo(contact))}` },
  );

const nothingDue = ({ connectionId }: Program) =>
  waitFor(async () => {
    world.holding.wake();
    const due = await sql`
      select from channel_contacts where connection_id = ${connectionId} and expiry_due_at <= clock()`;
    return due.length === 0;
  });

test("a contact is informed once that the chat has expired", async () => {
  const program = await connected();
  const contact = newId();
  await begun(program, contact);
  await pass(hour + 60);
  await shows(contact, "Hello", "Write again any time, Ana.");
  await pass(10 * hour);
  await nothingDue(program);
  await write(program, contact, "I am back");
  await shows(contact, "Hello", "Write again any time, Ana.", "Hello");
  await world.settled();

  expect((await world.inbox(program.connectionId)).map(({ revision }) => revision)).toEqual([1, 1]);
});

test("a contact who answers in time gets no notice of an expired chat", async () => {
  const program = await connected();
  const [answers, stops] = [newId(), newId()];
  await begun(program, answers);
  await begun(program, stops);
  await write(program, stops, "stop");
  await shows(stops, "Hello", "Bye.");
  await pass(0.9 * hour);
  await write(program, answers, "Ana");
  await shows(answers, "Hello", "Thanks");
  await world.settled();
  await pass(0.2 * hour);
  await nothingDue(program);

  expect(service.shownTo(answers)).toEqual(["Hello", "Thanks"]);
  expect(service.shownTo(stops)).toEqual(["Hello", "Bye."]);
});

test("no notice is sent for a chat that expired over a day ago", async () => {
  const silent = await connected({ texts: {} });
  const contact = newId();
  await begun(silent, contact);
  const [row] = await sql`
    select expiry_due_at from channel_contacts where connection_id = ${silent.connectionId}`;
  expect(row).toEqual({ expiryDueAt: null });
  const program = await connected();
  const late = newId();
  await begun(program, late);
  const at = `/api/v1/workspaces/${world.workspaceId}/channel-connections/${program.connectionId}`;
  const { token } = world.owner;
  expect((await world.api.client.post(`${at}/disable`, { token, body: {} })).status).toBe(200);
  await pass(2 * hour);
  const held = await sql`
    select from channel_contacts where connection_id = ${program.connectionId} and expiry_due_at <= clock()`;
  expect(held).toHaveLength(1);
  await pass(26 * hour);
  expect((await world.api.client.post(`${at}/enable`, { token, body: {} })).status).toBe(200);
  await nothingDue(program);

  expect(service.shownTo(late)).toEqual(["Hello"]);
});

test("only the lease holder sends the notice of an expired chat", async () => {
  const program = await connected();
  const contact = newId();
  await begun(program, contact);
  const at = `/api/v1/workspaces/${world.workspaceId}/channel-connections/${program.connectionId}`;
  const { token } = world.owner;
  expect((await world.api.client.post(`${at}/disable`, { token, body: {} })).status).toBe(200);
  await waitFor(async () => {
    const held =
      await sql`select from channel_leases where connection_id = ${program.connectionId} and holder is not null`;
    return held.length === 0;
  });
  await pass(hour + 60);
  const holder = newId();
  const { connectionId } = program;
  await sql`
    update channel_leases
    set holder = ${holder}, held_until = clock() + interval '1 minute'
    where connection_id = ${connectionId}`;
  const [due] = await listDueExpiries(sql, connectionId);
  if (!due) throw new Error("Nothing is due");
  const message = JSON.stringify({ method: "message", body: { type: "text", text: "Over" } });
  const seen = { ...due, messages: [{ id: newId(shardOf(connectionId)), message }] };
  expect(due).toMatchObject({ isExpired: true, againSeconds: null, name: "Ana", kind: "person" });
  expect(await tellExpiries(sql, { connectionId, holder: newId() }, [seen])).toBe(0);
  expect(await tellExpiries(sql, { connectionId, holder }, [{ ...seen, sessionId: newId() }])).toBe(0);
  const row = { connectionId, contactId: due.contactId, state: "waiting", content: {} };
  const rowId = await putInbox(sql, row);
  expect(await tellExpiries(sql, { connectionId, holder }, [seen])).toBe(0);
  expect(await listDueExpiries(sql, connectionId)).toMatchObject([{ isExpired: false, againSeconds: 60 }]);
  await sql`delete from channel_inbox where id = ${rowId}`;
  expect(await tellExpiries(sql, { connectionId, holder }, [seen])).toBe(1);
  expect(await tellExpiries(sql, { connectionId, holder }, [seen])).toBe(0);
});

test("a connection without a holder becomes due when a chat expires", async () => {
  const program = await connected();
  await begun(program, newId());
  await world.holding.stop();
  const isDue = async () =>
    (await sql`${freeConnections(sql, sql`c.id`)}`).some(({ id }) => id === program.connectionId);

  expect(await isDue()).toBe(false);
  await pass(hour + 60);
  expect(await isDue()).toBe(true);
  await sql`update channel_contacts set expiry_due_at = null`;
  expect(await isDue()).toBe(false);
});
