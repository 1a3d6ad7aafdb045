import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { endTurn } from "../../../src/channels/turns/end-turn.sql.ts";
import { newId, shardOf } from "../../../src/platform/ids.ts";
import { idOf } from "../../support/builder-ids.ts";
import { putContact } from "../../support/channels.ts";
import { asks, flowOf, says } from "../../support/chat.ts";
import { moveClock } from "../../support/moved-clock.ts";
import { waitFor } from "../../support/wait.ts";
import { type ChannelWorld, createChannelWorld, type Program } from "../channel-world.ts";

let world: ChannelWorld;

beforeAll(async () => {
  world = await createChannelWorld();
});
afterEach(() => moveClock(world.api.deps.sql, 0));
afterAll(() => world.close());

const asked = ({ botId }: { readonly botId: string }) => ({ botId, isEnabled: true });
const asking = flowOf([says("Hello"), asks("text input", { variableId: idOf("Name") }), says("You said {{Name}}")]);

async function writes(program: Program, contactId: string, ...texts: readonly string[]): Promise<void> {
  for (const text of texts) {
    await program.write(contactId, text);
    await world.settled();
  }
}

const reasons = async ({ connectionId }: { readonly connectionId: string }) =>
  (await world.inbox(connectionId)).map(({ state, reason }) => (reason === null ? state : `${state} ${reason}`));

async function act(program: Program, name: "enable" | "disable"): Promise<void> {
  const at = `/api/v1/workspaces/${world.workspaceId}/channel-connections/${program.connectionId}/${name}`;
  expect((await world.api.client.post(at, { token: world.owner.token, body: {} })).status).toBe(200);
}

test("a person who writes from an erased contact's address is answered", async () => {
  const program = await world.connectWebhook([asked(await world.makeBot(asking))]);
  await world.api.deps.sql`
    insert into channel_addresses (connection_id, kind, value, contact_id)
    values (${program.connectionId}, 'user', 'ana', ${newId()})`;
  await writes(program, "ana", "Hi");

  expect(await world.said(program.connectionId, "ana")).toEqual(["Hello"]);
});

test("a message that waits while its contact is merged is answered", async () => {
  const program = await world.connectWebhook([asked(await world.makeBot(asking))], { gatherSeconds: 2 });
  const phone = "+4915112345";
  await program.write("ana", "Hi", { contact: { id: "ana", phone } });
  await world.settled();
  await writes(program, "bo", "Hi");
  await program.write("bo", "one");
  await waitFor(async () => {
    const waiting = await world.api.deps.sql`
      select from channel_inbox
      where connection_id = ${program.connectionId} and state = 'waiting' and contact_id is not null`;
    return waiting.length === 1;
  });
  await program.write("bo", "two", { contact: { id: "bo", phone } });
  await world.settled();

  expect((await reasons(program)).filter((reason) => reason.startsWith("dropped"))).toEqual([]);
  expect((await world.said(program.connectionId, "ana")).join()).toContain("one");
});

test("gathered texts start the next chat together if their own chat has ended", async () => {
  const flow = flowOf([asks("text input", { variableId: idOf("Name") }), says("You said {{Name}}")]);
  const program = await world.connectWebhook([asked(await world.makeBot(flow))]);
  const { connectionId } = program;
  const { sql } = world.api.deps;
  await writes(program, "ana", "Hi");
  const [contact] = await sql<{ id: string; sessionId: string }[]>`
    select id, session_id from channel_contacts where connection_id = ${connectionId}`;
  const id = newId(shardOf(connectionId));
  const facts = { kind: "person", addresses: [{ kind: "user", value: "ana" }] };
  const event = { kind: "message", providerId: id, contact: facts, content: { kind: "text", text: "two" } };
  // The stored state if the process dies before the step.
  const decision = {
    ...{ act: "continue", sessionId: contact?.sessionId, message: "one\ntwo" },
    contact: { id: contact?.id, connectionId, channel: "webhook", connectionName: "Our webhook" },
  };
  await sql`
    insert into channel_inbox (shard, id, connection_id, provider_id, contact_id, kind, content, sequence, decision)
    values (
      ${shardOf(connectionId)}, ${id}, ${connectionId}, ${id}, ${contact?.id ?? ""}, 'message',
      ${JSON.stringify(event)}::text::json, 1, ${JSON.stringify(decision)}::text::json
    )`;
  world.holding.ring(connectionId);
  await world.settled();

  expect(await world.said(connectionId, "ana")).toEqual(["You said Hi", "You said one\ntwo"]);
});

test("a message sent directly after its connection is enabled is answered", async () => {
  const program = await world.connectWebhook([asked(await world.makeBot(asking))]);
  await act(program, "disable");
  await program.write("ana", "Hi");
  await act(program, "enable");
  await writes(program, "ana", "Hi");

  expect(await reasons(program)).toEqual(["dropped connection_disabled", "done"]);
});

test("a message that waits for its chat does not become stale", async () => {
  const flow = flowOf([says("Wait"), { id: "l", type: "webhook", options: {} }, says("Done")]);
  const program = await world.connectWebhook([asked(await world.makeBot(flow))], { staleMinutes: 1 });
  await writes(program, "ana", "Hi");
  await program.write("ana", "Hello?");
  await waitFor(async () => {
    const waiting = await world.api.deps.sql`
      select from channel_inbox
      where connection_id = ${program.connectionId} and state = 'waiting' and contact_id is not null`;
    return waiting.length === 1;
  });
  await moveClock(world.api.deps.sql, 62);
  world.holding.rung(program.connectionId);
  await world.settled();

  expect(await reasons(program)).toEqual(["done", "dropped not_asked"]);
});

test("a stop word opts out known and new contacts even on a disabled connection", async () => {
  const program = await world.connectWebhook([asked(await world.makeBot(asking))]);
  const { sql } = world.api.deps;
  const known = await putContact(sql, program.connectionId, { address: "ana" });
  await sql`update channel_addresses set kind = 'user' where contact_id = ${known}`;
  await act(program, "disable");
  for (const contact of ["ana", "bo"]) await program.write(contact, "Stop!");
  await act(program, "enable");
  for (const contact of ["ana", "bo"]) await writes(program, contact, "Hello?");

  const disabled = "dropped connection_disabled";
  expect(await reasons(program)).toEqual([disabled, disabled, "dropped opted_out", "dropped opted_out"]);
  await writes(program, "bo", "START", "Hi");
  expect(await world.said(program.connectionId, "bo")).toEqual(["Hello"]);
});

test("a message that another process decided on is not ended", async () => {
  const program = await world.connectWebhook([asked(await world.makeBot(asking))]);
  await writes(program, "ana", "Hi");
  const { sql } = world.api.deps;
  const { connectionId } = program;
  const [contact] = await sql<{ id: string }[]>`
    select id from channel_contacts where connection_id = ${connectionId}`;
  const id = newId(shardOf(connectionId));
  await sql`
    insert into channel_inbox (shard, id, connection_id, provider_id, contact_id, kind, content, sequence, decision)
    values (${shardOf(connectionId)}, ${id}, ${connectionId}, ${id}, ${contact?.id ?? ""}, 'message', '{}', 1, '{}')`;
  const place = { connectionId, channel: "webhook", workspaceId: world.workspaceId, contactId: contact?.id ?? "" };
  const rows = [{ id, kind: "message", text: "two" }];
  const end = { ...place, rows, state: "dropped", reason: "early", notices: [] } as const;
  expect(await endTurn(sql, { ...end, isUndecided: true })).toBe(false);
  expect(await endTurn(sql, end)).toBe(true);
});
