import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import type { HeldConnection } from "../../../src/channels/held-connection.ts";
import { mergeContacts } from "../../../src/channels/inbound/contacts.sql.ts";
import { outboundDependencies } from "../../../src/channels/outbound/dependencies.ts";
import { createOutbound, type Outbound } from "../../../src/channels/outbound/outbound.ts";
import { limits } from "../../../src/limits/index.ts";
import { newId } from "../../../src/platform/ids.ts";
import { freeConnections } from "../../../src/platform/queue/free-connections.sql.ts";
import { failure } from "../../fake-channels/telegram.ts";
import { idOf } from "../../support/builder-ids.ts";
import { asks, flowOf, says } from "../../support/chat.ts";
import { moveClock } from "../../support/moved-clock.ts";
import { waitFor } from "../../support/wait.ts";
import { type Contact, createOutboundWorld, type OutboundWorld } from "./outbound-world.ts";

let world: OutboundWorld;

beforeAll(async () => {
  world = await createOutboundWorld();
});
afterEach(async () => {
  await world.api.deps.sql`delete from channel_sendings`;
});
afterAll(() => world.close());

const texts = (contact: Contact) => world.telegram.shownTo(contact.address);
const three = flowOf([says("One"), says("Two"), says("Three"), asks("text input")]);

async function telegramChat(flow: object, settings: object = {}) {
  const connectionId = await world.connect("telegram", settings);
  const contact = await world.contact(connectionId, "telegram", { name: "Ana" });
  return { connectionId, contact, ...(await world.begin(contact, flow)) };
}

async function runFor(outbound: Outbound, held: HeldConnection): Promise<void> {
  for (let rounds = 0; rounds < 10; rounds++) {
    await outbound.run(held);
    await world.pass(1_000);
  }
}

test("a step that cannot be rendered is skipped", async () => {
  const { connectionId, resultId } = await telegramChat(flowOf([says("Broken"), asks("text input")]));
  const other = await world.contact(connectionId, "telegram");
  await world.begin(other, three);
  const { held, outbound } = await world.hold(connectionId);
  const { channel } = held;
  const broken: HeldConnection = {
    ...held,
    channel: {
      ...channel,
      render(piece, context) {
        if (JSON.stringify(piece).includes("Broken")) throw new Error("It is broken");
        return channel.render(piece, context);
      },
    },
  };
  await runFor(outbound, broken);

  expect(texts(other)).toEqual(["One", "Two", "Three"]);
  expect(await world.logs(resultId)).toEqual(["The output of a step could not be shown"]);
});

test("a step sends at most a hundred messages", async () => {
  const many = Array.from({ length: limits.channels.sendingsPerStep + 3 }, (_, index) => says(`${index}`));
  const { connectionId, contact, resultId } = await telegramChat(flowOf(many));
  const { outbound, held } = await world.hold(connectionId);
  await outbound.run(held);

  expect(await world.sendings(contact)).toHaveLength(limits.channels.sendingsPerStep);
  expect(await world.logs(resultId)).toEqual([
    "3 messages of a step were left out, because a step sends at most 100 messages",
  ]);
});

test("a pause that is too long for its database column delays no other contact", async () => {
  const wait = { id: idOf("wait"), type: "Wait", options: { secondsToWaitFor: "99999999999" } };
  const { connectionId, contact } = await telegramChat(flowOf([says("Soon"), wait, says("Never")]));
  const other = await world.contact(connectionId, "telegram");
  await world.begin(other, three);
  const { held, outbound } = await world.hold(connectionId);
  await runFor(outbound, held);

  expect(texts(contact)).toEqual(["Soon"]);
  expect(texts(other)).toEqual(["One", "Two", "Three"]);
});

test("a message redirected back and forth between two chats fails", async () => {
  const { connectionId, contact } = await telegramChat(three);
  const to = -1_009_876_543_210;
  const moved = (chat: number | string, other: number) => {
    const { body } = failure(400, "Bad Request: group chat was upgraded", { migrate_to_chat_id: other });
    world.telegram.script({ chat: String(chat), times: 50, act: { kind: "answer", status: 400, body } });
  };
  moved(contact.address, to);
  moved(to, Number(contact.address));
  await (await world.hold(connectionId)).drain();

  const [first] = await world.sendings(contact);
  expect(first).toMatchObject({ state: "failed", errorCode: "moved" });
});

test("a message becomes pending again if its connection is released", async () => {
  const { connectionId, contact } = await telegramChat(three, { inDoubt: "skip" });
  const { held, drain } = await world.hold(connectionId);
  let isLeaving = false;
  const { deps } = world.api;
  const sql = new Proxy(deps.sql, {
    apply(target, self, given: unknown[]) {
      if (String(given[0]).includes("set state = 'sending'")) isLeaving = true;
      return Reflect.apply(target, self, given);
    },
  });
  const leaving = createOutbound({ ...outboundDependencies({ ...deps, sql }), random: () => 0.5 });
  await leaving.run({ ...held, mayAct: () => !isLeaving });

  expect(isLeaving).toBe(true);
  expect((await world.sendings(contact))[0]).toMatchObject({ state: "pending", attempts: 0 });
  await drain();
  expect(texts(contact)).toEqual(["One", "Two", "Three"]);
});

test("a long Retry-After pauses a connection for at most an hour", async () => {
  const connectionId = await world.connect("webhook");
  const contact = await world.contact(connectionId, "webhook", { address: newId() });
  await world.begin(contact, three);
  const headers = { "Retry-After": "999999999" };
  world.webhook.script({ act: { kind: "answer", status: 429, body: {}, headers } });
  const { held, outbound } = await world.hold(connectionId);

  expect(await outbound.run(held)).toBeLessThanOrEqual(3_600_000);
});

test("a connection is not due while its messages wait behind a delayed message", async () => {
  const { connectionId, contact } = await telegramChat(three);
  const { sql } = world.api.deps;
  const isDue = async () => (await sql`${freeConnections(sql, sql`c.id`)}`).length > 0;
  const { body } = failure(500, "Internal Server Error");
  world.telegram.script({ chat: contact.address, act: { kind: "answer", status: 500, body } });
  const { held, outbound } = await world.hold(connectionId);
  const ms = await outbound.run(held);
  await sql`update channel_connections set settings = '{}' where id = ${connectionId}`;
  await sql`update channel_leases set holder = null, held_until = null where connection_id = ${connectionId}`;

  expect(await isDue()).toBe(false);
  await world.pass((ms ?? 0) + 1);
  expect(await isDue()).toBe(true);
  await waitFor(async () => (await world.sendings(contact)).length === 3);
});

test("a message is retried even if the database's clock is set back by ten hours", async () => {
  const { connectionId, contact } = await telegramChat(three);
  const { body } = failure(500, "Internal Server Error");
  world.telegram.script({ chat: contact.address, act: { kind: "answer", status: 500, body } });
  const { held, outbound } = await world.hold(connectionId);
  expect(await outbound.run(held)).toBeGreaterThan(0);
  await world.pass(5_000);
  await moveClock(world.api.deps.sql, world.now() / 1_000 - 36_000);
  await outbound.run(held);

  expect(texts(contact)[0]).toBe("One");
});

test("steps of a chat are sent in order after the clock is set back", async () => {
  const flow = flowOf([says("One"), asks("text input"), says("Two"), asks("number input")]);
  const { connectionId, contact, sessionId } = await telegramChat(flow);
  await world.reply(contact, sessionId, "a");
  await world.api.deps.sql`
    update channel_steps set created_at = created_at - interval '1 hour' where session_id = ${sessionId} and revision = 2`;
  await (await world.hold(connectionId)).drain();

  expect(texts(contact)).toEqual(["One", "Two"]);
});

test("a message accepted after its lease expired is not sent again", async () => {
  const { connectionId, contact } = await telegramChat(three);
  const slow = Promise.withResolvers<void>();
  world.telegram.script({ chat: contact.address, act: { kind: "slow", until: slow.promise } });
  const { held, outbound, drain } = await world.hold(connectionId);
  const running = outbound.run(held);
  await waitFor(() => texts(contact).length === 1);
  const { sql } = world.api.deps;
  await sql`update channel_leases set held_until = clock() - interval '1 second' where connection_id = ${connectionId}`;
  slow.resolve();
  await running;
  await sql`update channel_leases set held_until = clock() + interval '10 days' where connection_id = ${connectionId}`;
  await drain();

  expect(texts(contact)).toEqual(["One", "Two", "Three"]);
});

test("a message whose contact is merged during sending is sent once", async () => {
  const { connectionId, contact } = await telegramChat(three);
  const older = await world.contact(connectionId, "telegram");
  const held = await world.hold(connectionId);
  const gate = Promise.withResolvers<void>();
  world.telegram.script({ method: "sendMessage", act: { kind: "slow", until: gate.promise } });
  const running = held.outbound.run(held.held);
  await waitFor(() => texts(contact).length === 1);
  const newer = { id: contact.id, name: null, username: null, language: null, sessionId: null };
  await mergeContacts(world.api.deps.sql, { connectionId, older: older.id, newer });
  held.outbound.run(held.held).catch(() => {});
  gate.resolve();
  await running;
  await held.drain();

  expect([...texts(contact), ...texts(older)]).toEqual(["One"]);
});
