import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { idOf } from "../../support/builder-ids.ts";
import { startTelegramAccounts, type TelegramAccounts } from "../../support/channels.ts";
import { asks, flowOf, says } from "../../support/chat.ts";
import { type ChannelWorld, createChannelWorld, partUpdate, textUpdate } from "../channel-world.ts";

let world: ChannelWorld;
let telegram: TelegramAccounts;

beforeAll(async () => {
  telegram = await startTelegramAccounts();
  world = await createChannelWorld({ config: { TELEGRAM_API_URL: telegram.url } });
});
afterAll(async () => {
  await world.close();
  await telegram.close();
});

const choice = {
  ...asks("choice input"),
  items: [
    { id: "tea", content: "Tea" },
    { id: "milk", content: "Milk" },
  ],
};
const reasons = async ({ connectionId }: { readonly connectionId: string }) =>
  (await world.inbox(connectionId)).map(({ state, reason }) => (reason === null ? state : `${state} ${reason}`));

async function connected(flow: object, settings: object = {}) {
  const { botId } = await world.makeBot(flow);
  return world.connectWebhook([{ botId, isEnabled: true }], settings);
}

describe("a message sent before its question has arrived", () => {
  test("a message sent before its question counts if it matches an item", async () => {
    const program = await connected(flowOf([says("Hello"), choice, says("Well")]));
    for (const text of ["Hi", "Coffee", "Milk"]) {
      await program.write("ana", text);
      await world.settled();
    }

    expect(await reasons(program)).toEqual(["done", "dropped early", "done"]);
    expect(await world.said(program.connectionId, "ana")).toEqual(["Hello | Well"]);
  });

  test("a message sent before its question is ignored with `early: ignore`", async () => {
    const program = await connected(flowOf([says("Hello"), choice, says("Well")]), { early: "ignore" });
    for (const text of ["Hi", "Milk"]) {
      await program.write("ana", text);
      await world.settled();
    }

    expect(await reasons(program)).toEqual(["done", "dropped early"]);
  });
});

test("a restarted chat continues its result if the bot remembers users", async () => {
  const flow = flowOf([says("Hello"), asks("text input", { variableId: idOf("Name") })]);
  const { botId } = await world.makeBot(flow);
  const { token } = world.owner;
  const settings = {
    messenger: { isEnabled: true },
    general: { rememberUser: { isEnabled: true } },
    typingEmulation: { enabled: false },
  };
  expect((await world.api.client.patch(`/api/v1/bots/${botId}`, { token, body: { bot: { settings } } })).status).toBe(
    200,
  );
  const body = { force: true };
  expect((await world.api.client.post(`/api/v1/bots/${botId}/publish`, { token, body })).status).toBe(200);
  const program = await world.connectWebhook([{ botId, isEnabled: true }], { restartWords: ["menu"] });
  for (const text of ["Hi", "Ana", "menu"]) {
    await program.write("ana", text);
    await world.settled();
  }

  const results = await world.api.deps.sql`
    select count(distinct s.id)::int as chats, count(distinct s.result_id)::int as results
    from sessions s
    join channel_contacts c on c.id = s.channel_contact_id
    where c.connection_id = ${program.connectionId}`;
  expect([...results]).toEqual([{ chats: 2, results: 1 }]);
});

describe("a contact of Telegram", () => {
  const account = async (settings: object = {}) => {
    const { botId } = await world.makeBot(flowOf([says("Hello"), asks("text input", { variableId: idOf("Name") })]));
    return world.connectTelegram([{ botId, isEnabled: true }], settings);
  };
  const contactOf = async (connectionId: string) => {
    const [contact] = await world.api.deps.sql<{ isBlocked: boolean }[]>`
      select blocked_at is not null as is_blocked from channel_contacts where connection_id = ${connectionId}`;
    return contact;
  };

  test("a Telegram contact who blocks the bot counts as blocked until the next message", async () => {
    const { connectionId, report } = await account();
    await report(textUpdate(71, "Hi"));
    await world.settled();
    const { update_id, message } = textUpdate(71, "");
    const { chat, from, date } = message;
    const new_chat_member = { status: "kicked", user: { id: 1, is_bot: true, first_name: "Tea" } };
    await report({ update_id, my_chat_member: { chat, from, date, new_chat_member } });
    await world.settled();

    expect((await reasons({ connectionId })).at(-1)).toBe("done blocked");
    expect(await contactOf(connectionId)).toEqual({ isBlocked: true });
    await report(textUpdate(71, "Back"));
    await world.settled();
    expect(await contactOf(connectionId)).toEqual({ isBlocked: false });
  });

  test("a Telegram contact is informed once about unsupported messages", async () => {
    const { connectionId, report } = await account();
    await report(textUpdate(72, "Hi"));
    await world.settled();
    for (let times = 0; times < 2; times++) {
      await report(partUpdate(72, { dice: { emoji: "🎲", value: 3 } }));
      await world.settled();
    }

    expect(await reasons({ connectionId })).toEqual(["done", "dropped unsupported", "dropped unsupported"]);
    const notices = await world.api.deps.sql`
      select from channel_sendings where connection_id = ${connectionId} and source = 'notice'`;
    expect(notices).toHaveLength(1);
  });

  test("a Telegram contact gets notices in the connection's language", async () => {
    const { connectionId, report } = await account({ language: "it" });
    await report(textUpdate(73, "Hi"));
    await report(partUpdate(73, { dice: { emoji: "🎲", value: 3 } }));
    await world.settled();
    const [notice] = await world.api.deps.sql<[{ message: { body: object } }]>`
      select message from channel_sendings where connection_id = ${connectionId} and source = 'notice'`;

    expect(notice.message.body).toMatchObject({ text: "Non riesco a leggere questo tipo di messaggio." });
  });
});
