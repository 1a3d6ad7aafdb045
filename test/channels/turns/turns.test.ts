import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { newId } from "../../../src/platform/ids.ts";
import { idOf } from "../../support/builder-ids.ts";
import { startTelegramAccounts, type TelegramAccounts } from "../../support/channels.ts";
import { asks, flowOf, nameAndEmail, says } from "../../support/chat.ts";
import { moveClock } from "../../support/moved-clock.ts";
import { waitFor } from "../../support/wait.ts";
import { type ChannelWorld, createChannelWorld, type Program, textUpdate } from "../channel-world.ts";

let world: ChannelWorld;
let telegram: TelegramAccounts;

beforeAll(async () => {
  telegram = await startTelegramAccounts();
  world = await createChannelWorld({ config: { TELEGRAM_API_URL: telegram.url } });
});
afterEach(() => moveClock(world.api.deps.sql, 0));
afterAll(async () => {
  await world.close();
  await telegram.close();
});

const asked = ({ botId }: { readonly botId: string }, more: object = {}) => ({ botId, isEnabled: true, ...more });
const asking = flowOf([
  says("Hello"),
  asks("text input", { variableId: idOf("Name") }),
  says("You said {{Name}}"),
  asks("email input", { variableId: idOf("Email") }),
  says("Bye"),
]);
const when = (operator: string, value: string) => ({ comparisons: [{ comparisonOperator: operator, value }] });

async function writes(program: Program, contactId: string, ...texts: readonly string[]): Promise<void> {
  for (const text of texts) {
    await program.write(contactId, text);
    await world.settled();
  }
}

async function notices(connectionId: string): Promise<string[]> {
  const rows = await world.api.deps.sql<{ message: { body: { text?: { text: string } | string } } }[]>`
    select message from channel_sendings where connection_id = ${connectionId} and source = 'notice' order by sequence`;
  return rows.map(({ message }) => JSON.stringify(message));
}

const reasons = async ({ connectionId }: { readonly connectionId: string }) =>
  (await world.inbox(connectionId)).map(({ state, reason }) => (reason === null ? state : `${state} ${reason}`));

describe("the bot that answers a first message", () => {
  test("a first message is answered by the first bot that matches", async () => {
    const orders = await world.makeBot(flowOf([says("Order?"), asks("text input", {})]));
    const prices = await world.makeBot(flowOf([says("Prices"), asks("text input", {})]), {
      startCondition: when("Contains", "price"),
    });
    const every = await world.makeBot(flowOf([says("Welcome"), asks("text input", {})]), {
      startCondition: { comparisons: [] },
    });
    const silent = await world.makeBot(flowOf([says("Never")]), { isEnabled: false });
    const program = await world.connectWebhook([
      asked(silent),
      asked(every),
      asked(orders, { startCondition: when("Matches regex", "/^order \\d+$/i") }),
      asked(prices),
    ]);
    await Promise.all([
      writes(program, "ana", "Order 12"),
      writes(program, "bo", "What PRICE?"),
      writes(program, "cy", "Hi"),
    ]);

    const said = await Promise.all(["ana", "bo", "cy"].map((name) => world.said(program.connectionId, name)));
    expect(said).toEqual([["Order?"], ["Prices"], ["Welcome"]]);
  });

  test("a contact is informed only once if no bot matches", async () => {
    const bot = await world.makeBot(asking, { startCondition: when("Equal to", "Hi") });
    const program = await world.connectWebhook([asked(bot)], { texts: { noBot: "Nobody is here, {{contactName}}." } });
    await program.write("ana", "Hello", { contact: { id: "ana", name: "Ana" } });
    await writes(program, "ana", "Hello");

    expect(await reasons(program)).toEqual(["dropped no_bot", "dropped no_bot"]);
    expect(await notices(program.connectionId)).toEqual([expect.stringContaining("Nobody is here, Ana.")]);
  });
});

describe("a command word of the connection", () => {
  test("a stop word stops messages until a start word is sent", async () => {
    const bot = await world.makeBot(asking);
    const program = await world.connectWebhook([asked(bot)]);
    await writes(program, "ana", "Hi", "stop!", "Hello?", "START", "Hi");

    expect(await reasons(program)).toEqual(["done", "done opted_out", "dropped opted_out", "done opted_in", "done"]);
    expect(await world.said(program.connectionId, "ana")).toEqual(["Hello", "Hello"]);
    expect(await notices(program.connectionId)).toHaveLength(1);
  });

  test("a configured restart word restarts the chat in any letter case", async () => {
    const bot = await world.makeBot(asking);
    const program = await world.connectWebhook([asked(bot)], { restartWords: ["Menu"] });
    await writes(program, "ana", "Hi", "Ana", "menu", "Bo");

    expect(await world.said(program.connectionId, "ana")).toEqual(["Hello | You said Ana", "Hello | You said Bo"]);
  });

  test("a command word selects an item with the same title", async () => {
    const choice = {
      ...asks("choice input", { variableId: idOf("Name") }),
      items: [
        { id: idOf("stop"), content: "Stop" },
        { id: idOf("go"), content: "Go" },
      ],
    };
    const bot = await world.makeBot(flowOf([choice, says("{{Name}}")]));
    const program = await world.connectWebhook([asked(bot)]);
    await writes(program, "ana", "Hi", "Stop");

    expect(await world.said(program.connectionId, "ana")).toEqual(["Stop"]);
  });

  test("a deep link on Telegram selects the bot", async () => {
    const first = await world.makeBot(asking);
    const linked = await world.makeBot({
      ...flowOf([says("From {{startPayload}}"), asks("text input", {})]),
      variables: [{ id: idOf("startPayload"), name: "startPayload" }],
    });
    const account = await world.connectTelegram([asked(first), asked(linked)], { deepLinks: [linked.publicId] });
    for (const text of ["/start", "Ana", `/start ${linked.publicId}`]) {
      await account.report(textUpdate(8, text));
      await world.settled();
    }

    expect(await world.said(account.connectionId, "8")).toEqual(["Hello | You said Ana", `From ${linked.publicId}`]);
  });
});

describe("a message", () => {
  test("a message is combined with the texts that follow within the configured time", async () => {
    const bot = await world.makeBot(asking);
    const program = await world.connectWebhook([asked(bot)], { gatherSeconds: 1 });
    await writes(program, "ana", "Hi");
    await program.post({
      messages: ["one", "two"].map((text) => ({ id: newId(), contact: { id: "ana" }, message: { text } })),
    });
    await world.settled();

    expect(await reasons(program)).toEqual(["done", "merged gathered", "done"]);
    expect(await world.said(program.connectionId, "ana")).toEqual(["Hello | You said one\ntwo"]);
  });

  test("a message is erased with its chat's result, even if it caused no step", async () => {
    const bot = await world.makeBot(asking);
    const program = await world.connectWebhook([asked(bot)], { gatherSeconds: 1 });
    await writes(program, "ana", "Hi");
    await program.post({
      messages: ["one", "two"].map((text) => ({ id: newId(), contact: { id: "ana" }, message: { text } })),
    });
    await world.settled();
    await writes(program, "ana", "STOP");
    expect(await reasons(program)).toEqual(["done", "merged gathered", "done", "done opted_out"]);
    const { client, deps } = world.api;
    const { token } = world.owner;
    const [result] = await deps.sql<{ id: string }[]>`select id from results where bot_id = ${bot.botId}`;
    const results = `/api/v1/bots/${bot.botId}/results`;
    await client.delete(`${results}/${result?.id}`, { token });
    await client.post(`${results}/erase`, { token, body: { resultIds: [result?.id] } });

    const left = await deps.sql`
      select from channel_inbox where connection_id = ${program.connectionId} and content is not null`;
    expect(left).toHaveLength(0);
  });

  test("a message older than the connection's limit is not answered", async () => {
    const bot = await world.makeBot(asking);
    const program = await world.connectWebhook([asked(bot)], { staleMinutes: 5 });
    const time = new Date(Date.now() - 600_000).toISOString();
    await program.write("ana", "Hi", { time });
    await world.settled();

    expect(await reasons(program)).toEqual(["dropped stale"]);
  });

  test("a message sent after the chat has expired starts another chat", async () => {
    const bot = await world.makeBot(asking, { sessionExpiryTimeout: 1 });
    const program = await world.connectWebhook([asked(bot)]);
    await writes(program, "ana", "Hi", "Ana");
    await moveClock(world.api.deps.sql, 3_700);
    await writes(program, "ana", "Back");

    expect(await world.said(program.connectionId, "ana")).toEqual(["Hello | You said Ana", "Hello"]);
  });

  test("a message waits up to a minute for a question", async () => {
    const bot = await world.makeBot(flowOf([says("Wait"), { id: "l", type: "webhook", options: {} }, says("Done")]));
    const program = await world.connectWebhook([asked(bot)]);
    await writes(program, "ana", "Hi");
    await program.write("ana", "Hello?");
    await waitFor(async () => (await world.inbox(program.connectionId)).length === 2);
    await moveClock(world.api.deps.sql, 61);
    world.holding.rung(program.connectionId);
    await world.settled();

    expect(await reasons(program)).toEqual(["done", "dropped not_asked"]);
  });

  test("a message to a disabled connection is stored without its content", async () => {
    const bot = await world.makeBot(nameAndEmail);
    const program = await world.connectWebhook([asked(bot)]);
    const at = `/api/v1/workspaces/${world.workspaceId}/channel-connections/${program.connectionId}/disable`;
    expect((await world.api.client.post(at, { token: world.owner.token, body: {} })).status).toBe(200);
    await program.write("ana", "Hi");

    expect(await reasons(program)).toEqual(["dropped connection_disabled"]);
    const [row] = await world.api.deps.sql`
      select content from channel_inbox where connection_id = ${program.connectionId}`;
    expect(row).toEqual({ content: null });
  });

  test("a message whose step loops forever fails, and the next message is answered", async () => {
    const bot = await world.makeBot(
      flowOf([
        says("Hello"),
        asks("text input", { variableId: idOf("Name") }),
        { id: "j", type: "Jump", options: { groupId: idOf("g0"), blockId: "k" } },
        { id: "k", type: "Jump", options: { groupId: idOf("g0"), blockId: "j" } },
      ]),
    );
    const program = await world.connectWebhook([asked(bot)], { restartWords: ["menu"] });
    await writes(program, "ana", "Hi", "again", "menu");

    expect(await reasons(program)).toEqual(["done", "done failed", "done"]);
    expect(await notices(program.connectionId)).toHaveLength(1);
  });
});
