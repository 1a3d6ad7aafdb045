import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { outboundDependencies } from "../../../src/channels/outbound/dependencies.ts";
import { createOutbound } from "../../../src/channels/outbound/outbound.ts";
import type { Act } from "../../../src/core/channels/channel.ts";
import { failure } from "../../fake-channels/telegram.ts";
import { idOf } from "../../support/builder-ids.ts";
import { asks, flowOf, says } from "../../support/chat.ts";
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
const states = async (contact: Contact) => (await world.sendings(contact)).map(({ state }) => state);

async function telegramChat(flow: object, settings: object = {}) {
  const connectionId = await world.connect("telegram", settings);
  const contact = await world.contact(connectionId, "telegram", { name: "Ana" });
  return { connectionId, contact, ...(await world.begin(contact, flow)) };
}

const choice = {
  id: idOf("colour"),
  type: "choice input",
  items: [
    { id: idOf("red"), content: "Red" },
    { id: idOf("blue"), content: "Blue" },
  ],
};
const three = flowOf([says("One"), says("Two"), says("Three"), asks("text input")]);

describe("a step on Telegram", () => {
  test("a step on Telegram is shown once and in order, with pictures between texts", async () => {
    const picture = { id: idOf("picture"), type: "image", content: { url: "https://example.com/a.png" } };
    const { connectionId, contact, sessionId } = await telegramChat(
      flowOf([says("Hello"), picture, says("Which colour?"), choice]),
    );
    const { drain } = await world.hold(connectionId);
    await drain();

    expect(texts(contact)).toEqual(["Hello", "https://example.com/a.png", "Which colour?"]);
    expect(await states(contact)).toEqual(["accepted", "accepted", "accepted"]);
    const [last] = await world.api.deps.sql<[{ id: string; choices: Record<string, Act>; providerId: string }]>`
      select id, choices, provider_id from channel_sendings where contact_id = ${contact.id} order by sequence desc limit 1`;
    expect(last.choices[`${last.id}.0`]).toEqual({ kind: "reply", text: idOf("red"), replyId: idOf("red") });
    expect(world.telegram.shown.at(-1)?.body["reply_markup"]).toEqual({
      inline_keyboard: [
        [
          { text: "Red", callback_data: `${last.id}.0` },
          { text: "Blue", callback_data: `${last.id}.1` },
        ],
      ],
    });
    expect(last.providerId).toBe(world.telegram.shown.at(-1)?.id ?? "");
    const left = await world.api.deps.sql`select from channel_steps where session_id = ${sessionId}`;
    expect(left).toHaveLength(0);
  });

  test("steps on Telegram are shown in order", async () => {
    const flow = flowOf([says("One"), asks("text input"), says("Two"), asks("number input"), says("Three")]);
    const { connectionId, contact, sessionId } = await telegramChat(flow);
    await world.reply(contact, sessionId, "a");
    await world.reply(contact, sessionId, "2");
    await (await world.hold(connectionId)).drain();

    expect(texts(contact)).toEqual(["One", "Two", "Three"]);
  });

  test("a step on Telegram is queued once if two processes render it simultaneously", async () => {
    const { connectionId, contact } = await telegramChat(three);
    const [first, second] = [await world.hold(connectionId), await world.hold(connectionId)];
    await Promise.all([first.outbound.run(first.held), second.outbound.run(second.held)]);
    await second.drain();

    expect(texts(contact)).toEqual(["One", "Two", "Three"]);
  });

  test("a step on Telegram pauses for as long as a block specifies", async () => {
    const wait = { id: idOf("wait"), type: "Wait", options: { secondsToWaitFor: "30" } };
    const { connectionId, contact } = await telegramChat(flowOf([says("Soon"), wait, says("Now"), asks("text input")]));
    const { outbound, held, drain } = await world.hold(connectionId);
    const ms = await outbound.run(held);

    expect(texts(contact)).toEqual(["Soon"]);
    expect(ms).toBeGreaterThan(25_000);
    expect(ms).toBeLessThanOrEqual(30_000);
    await drain();
    expect(texts(contact)).toEqual(["Soon", "Now"]);
  });

  test("each message on Telegram causes an event for a subscribed endpoint", async () => {
    const { sql } = world.api.deps;
    const { connectionId, contact } = await telegramChat(three);
    const [{ workspaceId }] = await sql<[{ workspaceId: string }]>`
      select workspace_id from channel_connections where id = ${connectionId}`;
    const endpoint = { url: "https://example.com/events", eventTypes: ["message.sent"] };
    await world.api.client.post(`/api/v1/workspaces/${workspaceId}/event-endpoints`, {
      token: world.owner.token,
      body: endpoint,
    });
    await (await world.hold(connectionId)).drain();

    const rows = await sql<{ type: string; content: Record<string, unknown> }[]>`
      select type, content from event_deliveries where order_key = ${contact.id} order by id`;
    expect(rows.map(({ type }) => type)).toEqual(["message.sent", "message.sent", "message.sent"]);
    expect(rows[0]?.content).toMatchObject({ connectionId, channel: "telegram", contactId: contact.id });
    await sql`delete from event_endpoints`;
  });
});

describe("a response of Telegram", () => {
  test("429 for one contact delays only this contact", async () => {
    const { connectionId, contact } = await telegramChat(three);
    const other = await world.contact(connectionId, "telegram");
    await world.begin(other, three);
    const { body } = failure(429, "Too Many Requests: retry after 7", { retry_after: 7 });
    world.telegram.script({ method: "sendMessage", chat: contact.address, act: { kind: "answer", status: 429, body } });
    const { outbound, held, drain } = await world.hold(connectionId);
    await outbound.run(held);
    await world.pass(5_000);
    await outbound.run(held);

    expect(texts(contact)).toEqual([]);
    expect(texts(other).slice(0, 3)).toEqual(["One", "Two", "Three"]);
    await world.pass(2_100);
    await drain();
    expect(texts(contact)).toEqual(["One", "Two", "Three"]);
  });

  test("a text that Telegram rejects with 400 is skipped", async () => {
    const { connectionId, contact, resultId } = await telegramChat(three);
    const { body } = failure(400, "Bad Request: message is odd");
    world.telegram.script({ chat: contact.address, skip: 1, act: { kind: "answer", status: 400, body } });
    await (await world.hold(connectionId)).drain();

    expect(texts(contact)).toEqual(["One", "Three"]);
    expect(await states(contact)).toEqual(["accepted", "failed", "accepted"]);
    expect(await world.logs(resultId)).toEqual(["A message was not sent"]);
  });

  test("a question that Telegram rejects is sent again as a numbered text", async () => {
    const { connectionId, contact } = await telegramChat(flowOf([says("Which colour?"), choice]));
    const { body } = failure(400, "Bad Request: BUTTON_DATA_INVALID");
    world.telegram.script({ chat: contact.address, act: { kind: "answer", status: 400, body } });
    await (await world.hold(connectionId)).drain();

    expect(texts(contact)).toEqual(["Which colour?\n1. Red\n2. Blue"]);
  });

  test("a picture that Telegram rejects is replaced by its address", async () => {
    const picture = { id: idOf("picture"), type: "image", content: { url: "https://example.com/a.gif" } };
    const { connectionId, contact } = await telegramChat(flowOf([picture, says("There"), asks("text input")]));
    const { body } = failure(400, "Bad Request: failed to get HTTP URL content");
    world.telegram.script({ method: "sendPhoto", act: { kind: "answer", status: 400, body } });
    await (await world.hold(connectionId)).drain();

    expect(texts(contact)).toEqual(["https://example.com/a.gif", "There"]);
    expect(world.telegram.shown.filter(({ chat }) => chat === contact.address).map(({ method }) => method)).toEqual([
      "sendMessage",
      "sendMessage",
    ]);
  });

  test("403 drops the remaining messages of a contact who blocked the bot", async () => {
    const { connectionId, contact } = await telegramChat(three);
    const { body } = failure(403, "Forbidden: bot was blocked by the user");
    world.telegram.script({ chat: contact.address, skip: 1, act: { kind: "answer", status: 403, body } });
    await (await world.hold(connectionId)).drain();

    expect(texts(contact)).toEqual(["One"]);
    expect(await states(contact)).toEqual(["accepted", "failed", "dropped"]);
  });

  test("401 pauses the whole connection for about five minutes", async () => {
    const { connectionId, contact } = await telegramChat(three);
    const other = await world.contact(connectionId, "telegram");
    await world.begin(other, three);
    const { body } = failure(401, "Unauthorized");
    const refusals = { method: "sendMessage", act: { kind: "answer", status: 401, body } } as const;
    world.telegram.script(refusals);
    world.telegram.script(refusals);
    const { outbound, held, drain } = await world.hold(connectionId);
    const first = (await outbound.run(held)) ?? 0;
    expect(first).toBeGreaterThan(290_000);
    await drain();

    expect([texts(contact), texts(other)]).toEqual([
      ["One", "Two", "Three"],
      ["One", "Two", "Three"],
    ]);
  });

  test("401 for a day disables the connection, and its messages stay pending", async () => {
    const { connectionId, contact } = await telegramChat(three);
    const { body } = failure(401, "Unauthorized");
    const act = { kind: "answer", status: 401, body } as const;
    world.telegram.script({ method: "sendMessage", times: 10, act });
    const { outbound, held } = await world.hold(connectionId);
    const state = async () => {
      const [row] = await world.api.deps.sql`
        select is_enabled, disabled_reason from channel_connections where id = ${connectionId}`;
      return row;
    };
    for (let refused = 0; refused < 9; refused++) await world.pass((await outbound.run(held)) ?? 0);
    expect(await state()).toEqual({ isEnabled: true, disabledReason: null });
    // Delete the message, because the service would retry it for up to a day.
    await world.api.deps.sql`delete from channel_sendings where contact_id = ${contact.id}`;
    await world.pass(24 * 3_600_000);
    const other = await world.contact(connectionId, "telegram");
    await world.begin(other, three);
    await outbound.run(held);

    expect(await state()).toEqual({ isEnabled: false, disabledReason: "refused" });
    expect((await world.sendings(other)).map((one) => one.state)).toEqual(["pending", "pending", "pending"]);
  });

  test("a message that Telegram rejects with 500 is sent again until it is accepted", async () => {
    const { connectionId, contact } = await telegramChat(three);
    const { body } = failure(500, "Internal Server Error");
    world.telegram.script({ chat: contact.address, times: 3, act: { kind: "answer", status: 500, body } });
    await (await world.hold(connectionId)).drain();

    expect(texts(contact)).toEqual(["One", "Two", "Three"]);
    expect((await world.sendings(contact))[0]).toMatchObject({ state: "accepted", attempts: 4 });
  });

  test("a message fails after twelve rejections with 500", async () => {
    const { connectionId, contact } = await telegramChat(three);
    const { body } = failure(500, "Internal Server Error");
    world.telegram.script({ chat: contact.address, times: 12, act: { kind: "answer", status: 500, body } });
    await (await world.hold(connectionId)).drain();

    expect(texts(contact)).toEqual(["Two", "Three"]);
    expect((await world.sendings(contact))[0]).toMatchObject({ state: "failed", attempts: 12, errorClass: "passing" });
  });

  test("messages to a group that became another chat are redirected to the new chat", async () => {
    const { connectionId, contact } = await telegramChat(three);
    const to = -1_001_234_567_890;
    const { body } = failure(400, "Bad Request: group chat was upgraded", { migrate_to_chat_id: to });
    world.telegram.script({ chat: contact.address, act: { kind: "answer", status: 400, body } });
    await (await world.hold(connectionId)).drain();

    expect(texts(contact)).toEqual([]);
    expect(world.telegram.shownTo(to)).toEqual(["One", "Two", "Three"]);
  });
});

describe("a message with an unknown outcome", () => {
  test("a message with an unknown outcome is sent again by default", async () => {
    const { connectionId, contact } = await telegramChat(three);
    world.telegram.script({ chat: contact.address, act: { kind: "drop" } });
    await (await world.hold(connectionId)).drain();

    expect(texts(contact)).toEqual(["One", "One", "Two", "Three"]);
  });

  test("`inDoubt: skip` does not resend a message with an unknown outcome", async () => {
    const { connectionId, contact, resultId } = await telegramChat(three, { inDoubt: "skip" });
    world.telegram.script({ chat: contact.address, act: { kind: "drop" } });
    await (await world.hold(connectionId)).drain();

    expect(texts(contact)).toEqual(["One", "Two", "Three"]);
    expect((await world.sendings(contact))[0]).toMatchObject({ state: "failed", errorClass: "doubt" });
    expect(await world.logs(resultId)).toEqual(["A message was not sent"]);
  });

  test("a message with an unknown outcome is sent again to a custom service", async () => {
    const connectionId = await world.connect("webhook");
    const contact = await world.contact(connectionId, "webhook", { address: "ana" });
    await world.begin(contact, three);
    world.webhook.script({ skip: 1, act: { kind: "drop" } });
    await (await world.hold(connectionId)).drain();

    expect(world.webhook.shownTo("ana")).toEqual(["One", "Two", "Three"]);
    expect(world.webhook.repeated).toHaveLength(1);
    expect(world.webhook.calls.filter(({ status }) => status === 401)).toEqual([]);
  });
});

describe("a process that is killed", () => {
  test("a process that dies after rendering a step loses and duplicates no message", async () => {
    const { connectionId, contact } = await telegramChat(three);
    const first = await world.hold(connectionId);
    // End the lease of the holder before the holder marks the first message as being sent.
    await world.api.deps.sql`update channel_leases set held_until = clock() where connection_id = ${connectionId}`;
    await first.outbound.run(first.held);
    first.die();
    expect(await states(contact)).toEqual(["pending", "pending", "pending"]);
    await (await world.hold(connectionId)).drain();

    expect(texts(contact)).toEqual(["One", "Two", "Three"]);
  });

  test("a process that dies between marking and sending a message loses no message", async () => {
    const { connectionId, contact } = await telegramChat(three);
    const first = await world.hold(connectionId);
    const never = Promise.withResolvers<void>();
    const marked = Promise.withResolvers<void>();
    const dying = createOutbound({
      ...outboundDependencies(world.api.deps),
      async call() {
        marked.resolve();
        await never.promise;
        return { kind: "busy" };
      },
    });
    void dying.run(first.held);
    await marked.promise;
    expect(await states(contact)).toEqual(["sending", "pending", "pending"]);
    first.die();
    await (await world.hold(connectionId)).drain();

    expect(texts(contact)).toEqual(["One", "Two", "Three"]);
    never.resolve();
  });

  test("a process that dies during a call duplicates only one message", async () => {
    const { connectionId, contact } = await telegramChat(three);
    const first = await world.hold(connectionId);
    const slow = Promise.withResolvers<void>();
    world.telegram.script({ chat: contact.address, skip: 1, act: { kind: "slow", until: slow.promise } });
    const running = first.drain();
    await waitFor(() => texts(contact).length === 2);
    const second = await world.hold(connectionId);
    first.die();
    await second.drain();
    slow.resolve();
    await running;

    expect(texts(contact)).toEqual(["One", "Two", "Two", "Three"]);
    expect(await states(contact)).toEqual(["accepted", "accepted", "accepted"]);
  });

  test("a process that has lost its lease sends no more messages", async () => {
    const { connectionId, contact } = await telegramChat(three);
    const first = await world.hold(connectionId);
    const slow = Promise.withResolvers<void>();
    world.telegram.script({ chat: contact.address, act: { kind: "slow", until: slow.promise } });
    const running = first.outbound.run(first.held);
    await waitFor(() => texts(contact).length === 1);
    await world.hold(connectionId);
    slow.resolve();
    await running;

    expect(texts(contact)).toEqual(["One"]);
    expect(await states(contact)).toEqual(["sending", "pending", "pending"]);
  });
});

describe("the rate limit", () => {
  test("an account sends at most 60 messages a second, and 4 a second to each chat", async () => {
    const connectionId = await world.connect("telegram");
    const contacts = [];
    for (let index = 0; index < 40; index++) contacts.push(await world.contact(connectionId, "telegram"));
    for (const contact of contacts) await world.begin(contact, flowOf(["a", "b", "c", "d"].map((text) => says(text))));
    const before = world.telegram.shown.length;
    const { outbound, held } = await world.hold(connectionId);
    const times: { at: number; chat: string }[] = [];
    for (;;) {
      const known = world.telegram.shown.length;
      const ms = await outbound.run(held);
      for (const { chat } of world.telegram.shown.slice(known)) times.push({ at: world.now(), chat });
      if (ms === undefined) break;
      await world.pass(Math.max(1, ms));
    }

    expect(world.telegram.shown.length - before).toBe(160);
    const within = (all: readonly { at: number }[], ms: number) =>
      Math.max(...all.map(({ at }) => all.filter((other) => other.at >= at && other.at < at + ms).length));
    expect(within(times, 1_000)).toBeLessThanOrEqual(60);
    expect(within(times, 10_000)).toBeLessThanOrEqual(330);
    for (const { address } of contacts.slice(0, 5)) {
      const own = times.filter(({ chat }) => chat === address);
      expect(within(own, 1_000)).toBeLessThanOrEqual(4);
      expect(world.telegram.shownTo(address)).toEqual(["a", "b", "c", "d"]);
    }
  });

  test("a call with a slow response delays only its own contact", async () => {
    const { connectionId, contact } = await telegramChat(three);
    const other = await world.contact(connectionId, "telegram");
    await world.begin(other, three);
    const slow = Promise.withResolvers<void>();
    world.telegram.script({ chat: contact.address, act: { kind: "slow", until: slow.promise } });
    const { outbound, held, drain } = await world.hold(connectionId);
    const running = drain();
    await waitFor(() => texts(contact).length === 1);
    await world.pass(5_000);
    void outbound.run(held);
    await waitFor(() => texts(other).length === 3);
    const third = await world.contact(connectionId, "telegram");
    await world.begin(third, flowOf([says("Hello")]));
    void outbound.run(held);
    await waitFor(() => texts(third).length === 1);

    expect(texts(contact)).toEqual(["One"]);
    slow.resolve();
    await running;
  });

  test("a delayed message is sent on time while another contact's call is slow", async () => {
    const { connectionId, contact } = await telegramChat(three);
    const other = await world.contact(connectionId, "telegram");
    const wait = { id: idOf("wait"), type: "Wait", options: { secondsToWaitFor: "30" } };
    await world.begin(other, flowOf([says("Soon"), wait, says("Now"), asks("text input")]));
    const slow = Promise.withResolvers<void>();
    world.telegram.script({ chat: contact.address, act: { kind: "slow", until: slow.promise } });
    const timers: (() => void)[] = [];
    const startTimer = (ms: number, onEnd: () => void) => {
      // Timers below 25 seconds belong to the provider's rate limit, not to the delayed message.
      if (ms < 25_000) void world.pass(ms).then(onEnd);
      else timers.push(onEnd);
      return () => {};
    };
    const clock = { ...world.api.deps.clock, now: world.now, startTimer };
    const { outbound, held } = await world.hold(connectionId, { clock });
    const running = outbound.run(held);
    await waitFor(() => texts(other).length === 1);
    await waitFor(() => timers.length > 0);
    await world.pass(30_000);
    for (const onEnd of timers) onEnd();
    await waitFor(() => texts(other).length === 2);

    expect(texts(contact)).toEqual(["One"]);
    slow.resolve();
    await running;
  });
});

test("a contact who opted out or blocked the bot gets no waiting messages", async () => {
  const { connectionId, contact } = await telegramChat(three);
  const other = await world.contact(connectionId, "telegram");
  await world.begin(other, three);
  const { sql } = world.api.deps;
  await sql`update channel_contacts set opted_out_at = clock() where id = ${contact.id}`;
  await sql`update channel_contacts set blocked_at = clock() where id = ${other.id}`;
  await (await world.hold(connectionId)).drain();

  expect([...texts(contact), ...texts(other)]).toEqual([]);
  expect([...(await states(contact)), ...(await states(other))]).toEqual(Array.from({ length: 6 }, () => "dropped"));
});

test("a contact who has opted out still gets the connection's own notices", async () => {
  const { connectionId, contact } = await telegramChat(three);
  const { sql } = world.api.deps;
  const message = { method: "sendMessage", body: { text: "Stopped." } };
  await sql`update channel_contacts set opted_out_at = clock(), next_sequence = 2 where id = ${contact.id}`;
  await sql`
    insert into channel_sendings (shard, id, connection_id, contact_id, sequence, source, message, choices)
    select (('x' || right(${connectionId}::uuid::text, 3))::bit(12)::integer & 1023)::smallint, new_id(), ${connectionId}, ${contact.id}, 1,
      'notice', ${JSON.stringify(message)}::text::json, '{}'::json`;
  await (await world.hold(connectionId)).drain();

  expect(texts(contact)).toEqual(["Stopped."]);
});

test("a typing indicator that fails is not retried", async () => {
  const { connectionId, contact } = await telegramChat(three);
  const { outbound, held } = await world.hold(connectionId);
  world.telegram.script({ method: "sendChatAction", act: { kind: "drop" } });
  outbound.sign(held, contact.id, { method: "sendChatAction", body: { action: "typing" } });
  await waitFor(() => world.telegram.signs.length === 1);
  await outbound.run(held);

  expect(world.telegram.signs).toHaveLength(1);
});
