import { afterAll, beforeAll, expect, test } from "bun:test";
import { idOf } from "../../support/builder-ids.ts";
import { asks, flowOf, says } from "../../support/chat.ts";
import { waitFor } from "../../support/wait.ts";
import { type Contact, createOutboundWorld, type OutboundWorld } from "./outbound-world.ts";

let world: OutboundWorld;

beforeAll(async () => {
  world = await createOutboundWorld();
});
afterAll(() => world.close());

// Twenty words take three seconds at the default speed.
const twenty = Array.from({ length: 20 }, (_, index) => `word${index}`).join(" ");
const picture = { id: idOf("picture"), type: "image", content: { url: "https://example.com/a.png" } };
const wait = { id: idOf("wait"), type: "Wait", options: { secondsToWaitFor: "600" } };

async function telegramChat(flow: object, settings: object = {}) {
  const connectionId = await world.connect("telegram", settings);
  const contact = await world.contact(connectionId, "telegram", { name: "Ana" });
  const { sessionId } = await world.begin(contact, { settings: {}, ...flow });
  return { contact, sessionId, ...(await world.hold(connectionId)) };
}

const shown = (contact: Contact) => world.telegram.shownTo(contact.address);
async function pauses({ id }: Contact): Promise<number[]> {
  const rows = await world.api.deps.sql<{ delayMs: number }[]>`
    select delay_ms from channel_sendings where contact_id = ${id} order by sequence`;
  return rows.map(({ delayMs }) => delayMs);
}
const signs = () => world.telegram.calls.filter(({ method }) => method === "sendChatAction").length;

async function passUntil(
  { outbound, held }: Pick<Awaited<ReturnType<typeof telegramChat>>, "outbound" | "held">,
  contact: Contact,
  count: number,
) {
  while (shown(contact).length < count) {
    const ms = await outbound.run(held);
    if (shown(contact).length < count) await world.pass(Math.max(1, ms ?? 0));
  }
}

test("the first message of a chat is sent immediately, and later ones after pauses", async () => {
  const chat = await telegramChat(
    flowOf([says("Hello there"), says(twenty), picture, says(`${twenty}?`), asks("text input")]),
  );
  const { contact, outbound, held } = chat;
  const before = signs();
  await outbound.run(held);

  expect(shown(contact)).toEqual(["Hello there"]);
  expect(await pauses(contact)).toEqual([0, 3_000, 400, 3_000]);
  await waitFor(async () => signs() === before + 1);
  await passUntil(chat, contact, 4);
  expect(shown(contact)).toEqual(["Hello there", twenty, picture.content.url, `${twenty}?`]);
});

test("the pause before a message is counted from the start of its step", async () => {
  const chat = await telegramChat(flowOf([says("Name?"), asks("text input"), wait, says(twenty), asks("email input")]));
  const { contact, sessionId, outbound, held } = chat;
  await passUntil(chat, contact, 1);
  await world.pass(3_600_000);
  await world.reply(contact, sessionId, "Ana");
  await outbound.run(held);

  expect(shown(contact)).toEqual(["Name?"]);
  expect(await pauses(contact)).toEqual([0, 603_000]);
  await passUntil(chat, contact, 2);
});

test("a pause for typing is at most ten seconds", async () => {
  const typingEmulation = { speed: 20, maxDelay: 100, isDisabledOnFirstMessage: false, delayBetweenBubbles: 2 };
  const flow = flowOf([says(twenty), says("One"), asks("text input")]);
  const chat = await telegramChat({ ...flow, settings: { typingEmulation } });
  const before = signs();
  await passUntil(chat, chat.contact, 1);

  expect(await pauses(chat.contact)).toEqual([10_000, 5_000]);
  await waitFor(async () => signs() >= before + 2);
});

test.each([
  ["the connection shows no typing", {}, { typing: false }],
  ["typing is disabled for the bot", { typingEmulation: { enabled: false } }, {}],
])("messages do not wait if %s", async (_, settings, ofConnection) => {
  const flow = flowOf([says("One"), says(twenty), asks("text input")]);
  const chat = await telegramChat({ ...flow, settings }, ofConnection);
  const before = signs();
  await passUntil(chat, chat.contact, 2);

  expect(await pauses(chat.contact)).toEqual([0, 0]);
  expect(signs()).toBe(before);
});

test.each([
  ["a typing indicator", { method: "sendChatAction", body: { action: "typing" } }, 0],
  ["a response to a pressed button", { method: "answerCallbackQuery", body: { callback_query_id: "1" } }, 3_000],
])("only a typing indicator replaces the pause before the first message of a step: %s", async (_, sign, ms) => {
  const chat = await telegramChat(
    flowOf([says("Name?"), asks("text input"), says(twenty), says(`${twenty}!`), asks("email input")]),
  );
  const { contact, sessionId, outbound, held } = chat;
  await passUntil(chat, contact, 1);
  await world.reply(contact, sessionId, "Ana");
  outbound.sign(held, contact.id, sign);
  await passUntil(chat, contact, 3);

  expect(await pauses(contact)).toEqual([0, ms, 3_000]);
});
