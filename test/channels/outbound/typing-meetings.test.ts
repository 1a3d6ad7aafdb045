import { afterAll, beforeAll, expect, test } from "bun:test";
import { mergeContacts } from "../../../src/channels/inbound/contacts.sql.ts";
import { asks, flowOf, says } from "../../support/chat.ts";
import { type Contact, createOutboundWorld, type OutboundWorld } from "./outbound-world.ts";

let world: OutboundWorld;

beforeAll(async () => {
  world = await createOutboundWorld();
});
afterAll(() => world.close());

const typed = { settings: {}, ...flowOf([says("One"), says("Two"), asks("text input")]) };

/** Starts a chat whose first message is sent, and whose second message waits for its pause. */
async function pausedChat() {
  const connectionId = await world.connect("telegram");
  const contact = await world.contact(connectionId, "telegram");
  const chat = await world.begin(contact, typed);
  const holder = await world.hold(connectionId);
  await holder.outbound.run(holder.held);
  expect(shown(contact)).toEqual(["One"]);
  return { connectionId, contact, holder, ...chat };
}

const shown = ({ address }: Contact) => world.telegram.shownTo(address);
const states = async (contact: Contact) => (await world.sendings(contact)).map(({ state }) => state);

test("a paused message is sent once after another process takes the lease", async () => {
  const { connectionId, contact, holder } = await pausedChat();
  const next = await world.hold(connectionId);
  await world.pass(60_000);
  await Promise.all([holder.outbound.run(holder.held), next.outbound.run(next.held)]);

  expect(shown(contact)).toEqual(["One", "Two"]);
});

test("a paused message is dropped if the result of its chat is erased", async () => {
  const { contact, holder, resultId } = await pausedChat();
  const { api, owner } = world;
  const { sql } = api.deps;
  const [row] = await sql<[{ botId: string }]>`select bot_id from results where id = ${resultId}`;
  const results = `/api/v1/bots/${row.botId}/results`;
  await api.client.delete(`${results}/${resultId}`, { token: owner.token });
  await api.client.post(`${results}/erase`, { token: owner.token, body: { resultIds: [resultId] } });
  await holder.drain();

  expect(shown(contact)).toEqual(["One"]);
  expect(await states(contact)).toEqual(["accepted", "dropped"]);
});

test("a paused message is still sent if the contact writes during the pause", async () => {
  const { contact, holder, sessionId } = await pausedChat();
  await world.reply(contact, sessionId, "Ana");
  await holder.drain();

  expect(shown(contact)).toEqual(["One", "Two"]);
});

test("a paused message is dropped if its contact is merged into another contact", async () => {
  const { connectionId, contact, holder } = await pausedChat();
  const older = await world.contact(connectionId, "telegram");
  const newer = { id: contact.id, name: null, username: null, language: null, sessionId: null };
  await mergeContacts(world.api.deps.sql, { connectionId, older: older.id, newer });
  await holder.drain();

  expect([...shown(contact), ...shown(older)]).toEqual(["One"]);
  expect(await states(older)).toEqual(["accepted", "dropped"]);
});
