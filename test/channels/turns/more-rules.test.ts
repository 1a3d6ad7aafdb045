import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { limits } from "../../../src/limits/index.ts";
import { newId } from "../../../src/platform/ids.ts";
import { idOf } from "../../support/builder-ids.ts";
import { startTelegramAccounts, type TelegramAccounts } from "../../support/channels.ts";
import { asks, flowOf, says } from "../../support/chat.ts";
import { moveClock } from "../../support/moved-clock.ts";
import { waitFor } from "../../support/wait.ts";
import { type ChannelWorld, createChannelWorld, type Program, textUpdate } from "../channel-world.ts";

let world: ChannelWorld;
let telegram: TelegramAccounts;

beforeAll(async () => {
  telegram = await startTelegramAccounts();
  world = await createChannelWorld({ config: { TELEGRAM_API_URL: telegram.url } });
});
afterEach(async () => {
  const { sql } = world.api.deps;
  // Otherwise the next test would wait for the messages that are still waiting.
  await sql`update channel_inbox set state = 'dropped' where state = 'waiting'`;
  await moveClock(sql, 0);
});
afterAll(async () => {
  await world.close();
  await telegram.close();
});

const asked = ({ botId }: { readonly botId: string }, more: object = {}) => ({ botId, isEnabled: true, ...more });
const when = (operator: string, value: string) => ({ comparisons: [{ comparisonOperator: operator, value }] });
const greeting = (text: string) => flowOf([says(text), asks("text input", { variableId: idOf("Name") }), says("Bye")]);
const asking = flowOf([
  says("Hello"),
  asks("text input", { variableId: idOf("Name") }),
  says("You said {{Name}}"),
  asks("text input", { variableId: idOf("Email") }, { id: idOf("second") }),
  says("And {{Email}}", idOf("last")),
]);
const reasons = async ({ connectionId }: { readonly connectionId: string }) =>
  (await world.inbox(connectionId)).map(({ state, reason }) => (reason === null ? state : `${state} ${reason}`));
const patch = (botId: string, body: object) =>
  world.api.client.patch(`/api/v1/bots/${botId}`, { token: world.owner.token, body });
const act = (path: string, body: object = {}) =>
  world.api.client.post(`/api/v1/${path}`, { token: world.owner.token, body });

async function writes(program: Program, contactId: string, ...texts: readonly string[]): Promise<void> {
  for (const text of texts) {
    await program.write(contactId, text);
    await world.settled();
  }
}

const postAll = (program: Program, id: string, texts: readonly string[]) =>
  program.post({ messages: texts.map((text) => ({ id: newId(), contact: { id }, message: { text } })) });

describe("the choice of the bot that answers", () => {
  test("a bot answers only if it is published, open and enabled", async () => {
    const settings = { messenger: { isEnabled: true } };
    const bot = { name: "Draft", ...greeting("Draft"), settings };
    const draft = (await act("bots", { workspaceId: world.workspaceId, bot })).text("bot.id");
    const [closed, archived, silent, switchedOff, open] = [
      await world.makeBot(greeting("Closed")),
      await world.makeBot(greeting("Archived")),
      await world.makeBot(greeting("Silent"), { isEnabled: false }),
      await world.makeBot(greeting("Switched off")),
      await world.makeBot(greeting("Open")),
    ];
    const program = await world.connectWebhook([
      ...[closed, archived, silent, { botId: draft }].map((one) => asked(one)),
      asked(switchedOff, { isEnabled: false }),
      asked(open),
    ]);
    expect((await patch(closed.botId, { bot: { isClosed: true } })).status).toBe(200);
    const deleted = await world.api.client.delete(`/api/v1/bots/${archived.botId}`, { token: world.owner.token });
    expect(deleted.status).toBe(200);
    await writes(program, "ana", "Hi");

    expect(await world.said(program.connectionId, "ana")).toEqual(["Open"]);
  });

  test("bots that name the connection are chosen after its listed bots", async () => {
    const [older, newer, listed] = [
      await world.makeBot(greeting("Older")),
      await world.makeBot(greeting("Newer")),
      await world.makeBot(greeting("Listed"), { startCondition: when("Equal to", "list") }),
    ];
    const program = await world.connectWebhook([asked(listed)]);
    for (const { botId } of [newer, older]) {
      const named = await patch(botId, { bot: { messengerCredentialsId: program.connectionId } });
      expect(named.status).toBe(200);
    }
    await writes(program, "ana", "list");
    await writes(program, "bo", "Hi");
    await patch(older.botId, { bot: { messengerCredentialsId: null } });
    await writes(program, "cy", "Hi");

    const said = await Promise.all(["ana", "bo", "cy"].map((name) => world.said(program.connectionId, name)));
    expect(said).toEqual([["Listed"], ["Older"], ["Newer"]]);
  });

  test("another bot is chosen only if no chat is running or a restart word is sent", async () => {
    const every = await world.makeBot(asking);
    const orders = await world.makeBot(greeting("Order?"), { startCondition: when("Contains", "order") });
    const menu = await world.makeBot(greeting("Menu"), { startCondition: when("Equal to", "menu") });
    const program = await world.connectWebhook([asked(every), asked(orders), asked(menu)], { restartWords: ["menu"] });
    await writes(program, "ana", "Hi", "order 12", "menu");

    expect(await world.said(program.connectionId, "ana")).toEqual(["Hello | You said order 12", "Menu"]);
  });

  test("the next bot answers if the pattern in a bot's condition takes too long", async () => {
    const endless = await world.makeBot(greeting("Endless"), { startCondition: when("Matches regex", "^(a|aa)+$") });
    const after = await world.makeBot(greeting("After"), { startCondition: when("Contains", "aaa") });
    const program = await world.connectWebhook([asked(endless), asked(after)]);
    await writes(program, "ana", `${"a".repeat(60)}!`);

    expect(await world.said(program.connectionId, "ana")).toEqual(["After"]);
    expect(await reasons(program)).toEqual([`done pattern_stopped ${endless.botId}`]);
    const alone = await world.connectWebhook([asked(endless)]);
    await writes(alone, "ana", `${"a".repeat(60)}!`);

    expect(await reasons(alone)).toEqual([`dropped no_bot pattern_stopped ${endless.botId}`]);
  });
});

test("the configured expiry time of a chat is limited and defaults to four hours", async () => {
  const times = [undefined, 0, -1, 100, 0.001, 2];
  const bots = [];
  for (const [index, sessionExpiryTimeout] of times.entries()) {
    bots.push(await world.makeBot(asking, { startCondition: when("Equal to", String(index)), sessionExpiryTimeout }));
  }
  const listed = asked(bots[5] ?? { botId: "" }, { sessionExpiryTimeout: 3 });
  const program = await world.connectWebhook([...bots.slice(0, 5).map((bot) => asked(bot)), listed]);
  for (const index of times.keys()) await program.write(`ana${index}`, String(index));
  await world.settled();

  const hours = await world.api.deps.sql<{ hours: number }[]>`
    select (extract(epoch from c.expires_at - c.asked_at) / 3600)::double precision as hours
    from channel_contacts c
    join channel_addresses a on a.contact_id = c.id
    where c.connection_id = ${program.connectionId}
    order by a.value`;
  expect(hours.map((row) => Math.round(row.hours * 1_000) / 1_000)).toEqual([4, 4, 4, 48, 0.01, 3]);
});

describe("the messages of a contact", () => {
  test("at most twenty messages of a contact are combined", async () => {
    const bot = await world.makeBot(asking);
    const program = await world.connectWebhook([asked(bot)], { gatherSeconds: 30, restartWords: ["menu"] });
    await writes(program, "ana", "Hi");
    const texts = Array.from({ length: limits.channels.gathered + 2 }, (_, index) => `${index}`);
    await postAll(program, "ana", [...texts, "menu"]);
    await world.settled();

    const [first, rest] = [texts.slice(0, 20).join("\n"), texts.slice(20).join("\n")];
    expect(await world.said(program.connectionId, "ana")).toEqual([`Hello | You said ${first} | And ${rest}`, "Hello"]);
  });

  test("a message sent while the chat waits for a call answers the next question", async () => {
    const listens = { id: idOf("listen"), type: "webhook", options: { responseVariableMapping: [] } };
    const name = asks("text input", { variableId: idOf("Name") });
    const { botId } = await world.makeBot(flowOf([says("Wait"), listens, says("Name?"), name, says("Dear {{Name}}")]));
    const program = await world.connectWebhook([asked({ botId })]);
    await writes(program, "ana", "Hi");
    await program.write("ana", "Ana");
    // When Bo's later message is answered, the service has tried Ana's message once.
    await program.write("bo", "Hi");
    await waitFor(async () => (await reasons(program)).filter((one) => one === "done").length === 2);
    const [result] = await world.api.deps.sql<{ id: string }[]>`
      select id from results where bot_id = ${botId} order by id limit 1`;
    expect((await act(`bots/${botId}/blocks/${idOf("listen")}/results/${result?.id}/executeWebhook`)).status).toBe(200);
    await world.settled();

    expect(await world.said(program.connectionId, "ana")).toEqual(["Wait | Name? | Dear Ana"]);
  });

  test("a restart word restarts the chat even while the chat waits for a call", async () => {
    const listens = { id: idOf("listen"), type: "webhook", options: {} };
    const bot = await world.makeBot(flowOf([says("Wait"), listens, says("Done")]));
    const program = await world.connectWebhook([asked(bot)], { restartWords: ["menu"] });
    await writes(program, "ana", "Hi");
    await postAll(program, "ana", ["Hello?", "menu"]);
    await world.settled();

    expect(await reasons(program)).toEqual(["done", "dropped not_asked", "done"]);
    expect(await world.said(program.connectionId, "ana")).toEqual(["Wait", "Wait"]);
  });

  test("a message above the size limit of replies is truncated", async () => {
    const bot = await world.makeBot(asking);
    const program = await world.connectWebhook([asked(bot)]);
    await writes(program, "ana", "Hi", "👍".repeat(40_000), "short");

    const [answer] = await world.api.deps.sql<{ content: string }[]>`
      select a.content from answers a join results r on r.id = a.result_id where r.bot_id = ${bot.botId} order by a.created_at limit 1`;
    expect(answer?.content.length).toBeGreaterThan(20_000);
    expect(Buffer.byteLength(answer?.content ?? "")).toBeLessThanOrEqual(limits.reply.bytes);
    expect(answer?.content.replaceAll("👍", "")).toBe("");
    const logs = await world.api.deps.sql`
      select from logs l
      join results r on r.id = l.result_id
      where r.bot_id = ${bot.botId}
        and l.description = 'A message of the contact was cut: it is longer than a reply may be'`;
    expect(logs).toHaveLength(1);
  });

  test("a message with invalid characters or a future time is answered", async () => {
    const bot = await world.makeBot(asking);
    const program = await world.connectWebhook([asked(bot)]);
    const contact = { id: "ana", name: "A\u0000na \ud800" };
    await program.write("ana", "Hi", { contact, time: "2099-01-01T00:00:00Z" });
    await world.settled();
    await program.write("ana", "\u0000\ud800", { contact });
    await world.settled();

    expect(await reasons(program)).toEqual(["done", "done"]);
    expect(await world.said(program.connectionId, "ana")).toEqual(["Hello | You said \ufffd\ufffd"]);
  });

  test("a contact's message waits while the contact has too many unsent messages", async () => {
    const bot = await world.makeBot(asking);
    const program = await world.connectWebhook([asked(bot)]);
    const { connectionId } = program;
    await writes(program, "ana", "Hi");
    const { sql } = world.api.deps;
    await sql`
      insert into channel_sendings (shard, id, connection_id, contact_id, sequence, source, message)
      select i.shard, new_id(), i.connection_id, i.contact_id, n, 'step', '{"method":"message","body":{}}'
      from channel_inbox i
      cross join generate_series(1000, 1000 + ${limits.channels.pendingPerContact}::integer) as n
      where i.connection_id = ${connectionId}`;
    await program.write("ana", "Ana");
    await program.write("bo", "Hi");
    await waitFor(async () => (await reasons(program)).filter((one) => one === "done").length === 2);
    expect(await world.said(connectionId, "ana")).toEqual(["Hello"]);
    await sql`update channel_sendings set state = 'accepted' where connection_id = ${connectionId}`;
    await world.settled();

    expect(await world.said(connectionId, "ana")).toEqual(["Hello | You said Ana"]);
  });

  test("a contact's messages are processed at a limited rate", async () => {
    const program = await world.connectWebhook([asked(await world.makeBot(asking))]);
    const since = performance.now();
    await writes(program, "ana", "STOP");
    await postAll(program, "ana", Array.from({ length: limits.channels.waitingPerContact + 200 }, String));
    const count = async (reason: string) => (await reasons(program)).filter((one) => one === reason).length;
    await waitFor(async () => (await count("dropped flood")) === 200);
    await waitFor(async () => (await count("dropped opted_out")) >= 122);
    // The messages of another contact are answered while Ana's messages wait.
    for (const text of ["Hi", "Ana", "Bo"]) {
      await program.write("bo", text);
      await waitFor(async () =>
        (await world.said(program.connectionId, "bo")).join().includes(text.replace("Hi", "Hello")),
      );
    }
    const taken = await count("dropped opted_out");

    // The limit allows 120 messages immediately, and one message a second afterwards.
    expect(taken).toBeLessThanOrEqual(121 + (performance.now() - since) / 1_000);
  });
});

test("a press on another program's button counts as a reply with the button's title", async () => {
  const items = ["Tea", "Milk"].map((content) => ({ id: idOf(content), content }));
  const choice = { ...asks("choice input", { variableId: idOf("Name") }), items };
  const bot = await world.makeBot(flowOf([says("Hello"), choice, says("One {{Name}}")]));
  const account = await world.connectTelegram([asked(bot)]);
  await account.report(textUpdate(31, "Hi"));
  await world.settled();
  const { update_id, message } = textUpdate(31, "");
  const inline_keyboard = [[{ text: "Milk", callback_data: "of-another" }]];
  const pressed = { message_id: 1, chat: message.chat, reply_markup: { inline_keyboard } };
  await account.report({
    update_id,
    callback_query: { id: "q", from: message.from, message: pressed, data: "of-another" },
  });
  await world.settled();

  expect(await world.said(account.connectionId, "31")).toEqual(["Hello | One Milk"]);
});

test("a group that is upgraded to a supergroup stays the same contact", async () => {
  const bot = await world.makeBot(asking);
  const account = await world.connectTelegram([asked(bot)], { groups: true });
  const write = async (id: number, text: string, more: object = {}) => {
    const { update_id, message } = textUpdate(32, text);
    await account.report({
      update_id,
      message: { ...message, chat: { id, type: "supergroup", title: "Us" }, ...more },
    });
    await world.settled();
  };
  await write(-5, "/start");
  await write(-5, "", { migrate_to_chat_id: -1_005 });
  await write(-1_005, "/start");

  const contacts = await world.api.deps.sql<{ address: string }[]>`
    select address_value as address from channel_contacts where connection_id = ${account.connectionId}`;
  expect([...contacts]).toEqual([{ address: "-1005" }]);
});

test("the preset `Moment of the day` uses the connection's time zone", async () => {
  const { owner, workspaceId, api } = world;
  const preset = { variableId: idOf("Name"), type: "Moment of the day" };
  const moment = { id: idOf("moment"), type: "Set variable", options: preset };
  const bot = await world.makeBot(flowOf([moment, says("{{Name}}"), asks("text input")]));
  const said: string[][] = [];
  const zones = ["UTC", "Asia/Kolkata", "Pacific/Auckland", "America/Los_Angeles"];
  for (const timeZone of zones) {
    const { connectionId, write } = await world.connectWebhook([asked(bot)], { timeZone });
    await write("ana", "Hi");
    await world.settled();
    said.push(await world.said(connectionId, "ana"));
  }
  const hourIn = (timeZone: string) =>
    Number(new Intl.DateTimeFormat("en-GB", { timeZone, hour: "numeric", hourCycle: "h23" }).format());
  const momentOf = (hour: number) => (hour < 12 ? "morning" : hour < 18 ? "afternoon" : "evening");

  expect(said).toEqual(zones.map((zone) => [momentOf(hourIn(zone))]));
  const body = {
    channel: "webhook",
    name: "Clock",
    settings: { url: "https://example.com", timeZone: "Middle/Earth" },
  };
  const base = `/api/v1/workspaces/${workspaceId}/channel-connections`;
  const refused = await api.client.post(base, { token: owner.token, body: { ...body, secrets: {} } });
  expect(refused.at("data.issues.*.path")).toEqual(["settings.timeZone"]);
});
