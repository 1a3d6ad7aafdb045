import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mergeContacts } from "../../../src/channels/inbound/contacts.sql.ts";
import { newId } from "../../../src/platform/ids.ts";
import { idOf } from "../../support/builder-ids.ts";
import { startTelegramAccounts, type TelegramAccounts } from "../../support/channels.ts";
import { asks, flowOf, nameAndEmail, says } from "../../support/chat.ts";
import { type ChannelWorld, createChannelWorld, textUpdate } from "../channel-world.ts";

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

const asked = ({ botId }: { readonly botId: string }, more: object = {}) => ({ botId, isEnabled: true, ...more });

describe("a contact's message", () => {
  test("the bot answers each message of a contact in a separate step", async () => {
    const bot = await world.makeBot(nameAndEmail);
    const program = await world.connectWebhook([asked(bot)]);

    expect((await program.write("ana", "Hi")).status).toBe(200);
    await world.settled();
    await program.write("ana", "Ana");
    await world.settled();
    await program.write("ana", "ana@example.com");
    await world.settled();

    expect(await world.said(program.connectionId, "ana")).toEqual([
      "Your name? | Hello Ana, and your e-mail? | Thank you",
    ]);
    expect(await world.inbox(program.connectionId)).toEqual([
      { kind: "message", state: "done", reason: null, revision: 1 },
      { kind: "message", state: "done", reason: null, revision: 2 },
      { kind: "message", state: "done", reason: null, revision: 3 },
    ]);
  });

  test("a message reported several times is processed once", async () => {
    const bot = await world.makeBot(flowOf([says("Hello"), asks("text input", {}), says("Bye")]));
    const program = await world.connectWebhook([asked(bot)]);
    const message = { id: newId(), contact: { id: "bo" }, message: { text: "Hi" } };
    await Promise.all([program.post(message), program.post(message), program.post({ messages: [message, message] })]);
    await world.settled();
    await program.write("bo", "Done");
    await world.settled();
    await program.post(message);
    await program.write("bo", "Again");
    await world.settled();

    expect(await world.said(program.connectionId, "bo")).toEqual(["Hello | Bye", "Hello"]);
  });

  test("eleven messages in one call are processed in order", async () => {
    const numbers = Array.from({ length: 10 }, (_, index) => [
      asks("text input", { variableId: idOf("Name") }, { id: idOf(`asks ${index}`) }),
      says("{{Name}}", idOf(`says ${index}`)),
    ]).flat();
    const bot = await world.makeBot(flowOf([says("Go"), ...numbers]));
    const program = await world.connectWebhook([asked(bot)]);
    const messages = Array.from({ length: 11 }, (_, index) => ({
      id: newId(),
      contact: { id: "cy" },
      message: { text: String(index) },
    }));
    await program.post({ messages });
    await world.settled();

    expect(await world.said(program.connectionId, "cy")).toEqual([
      `Go | ${Array.from({ length: 10 }, (_, index) => index + 1).join(" | ")}`,
    ]);
  });

  test("Telegram messages are processed in the order of their update numbers", async () => {
    const bot = await world.makeBot(
      flowOf([
        says("Go"),
        asks("text input", { variableId: idOf("Name") }, { id: idOf("asks a") }),
        says("{{Name}}", idOf("says a")),
        asks("text input", { variableId: idOf("Name") }, { id: idOf("asks b") }),
        says("{{Name}}", idOf("says b")),
      ]),
    );
    const account = await world.connectTelegram([asked(bot)]);
    await account.report(textUpdate(7, "/start", { updateId: 5 }));
    await world.settled();
    await account.report(textUpdate(7, "second", { updateId: 7 }));
    await account.report(textUpdate(7, "first", { updateId: 6 }));
    await world.settled();

    expect(await world.said(account.connectionId, "7")).toEqual(["Go | first | second"]);
  });
});

describe("a call of a messenger", () => {
  test("a messenger's call without a valid signature is refused and not stored", async () => {
    const bot = await world.makeBot(nameAndEmail);
    const program = await world.connectWebhook([asked(bot)]);
    const message = { id: newId(), contact: { id: "ana" }, message: { text: "Hi" } };
    const old = Math.floor(Date.now() / 1_000) - 600;

    const refused = [
      await program.post(message, { secret: "whsec_c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0" }),
      await program.post(message, { seconds: old }),
      await world.api.client.post(`/api/v1/channels/${program.connectionId}/webhook`, { body: message }),
    ];

    expect(refused.map((answer) => answer.at("code"))).toEqual(Array(3).fill("channel_connection.not_signed"));
    expect(await world.inbox(program.connectionId)).toEqual([]);
    const unknown = await world.api.client.post(`/api/v1/channels/${newId()}/webhook`, { body: message });
    expect(unknown.at("code")).toBe("channel_connection.not_found");
  });

  test("malformed messages in a messenger's call are accepted and dropped", async () => {
    const program = await world.connectWebhook([]);
    const odd = [
      "not JSON",
      { id: 7 },
      [],
      { id: "a", contact: {}, message: { text: "x" } },
      { messages: [{}, null, 1] },
      { id: "x".repeat(10_000), contact: { id: "y".repeat(10_000) }, message: { text: "x" } },
      {
        id: "future",
        time: "9999-01-01T00:00:00Z",
        contact: { id: "z\u0000\ud800" },
        message: { text: "\u0000\ud800" },
      },
      { id: "past", time: "1999-01-01T00:00:00Z", contact: { id: "past" }, message: { text: "old" } },
    ];
    for (const body of odd) expect((await program.post(body)).status).toBe(200);
    expect((await program.post({ id: "big", message: { text: "x".repeat(5 * 1024 * 1024) } })).status).toBe(413);
    const many = Array.from({ length: 2_000 }, (_, index) => ({ id: String(index) }));
    expect((await program.post({ messages: many })).status).toBe(413);
    await world.settled();

    const reasons = (await world.inbox(program.connectionId)).map(({ reason }) => reason);
    expect(reasons.toSorted()).toEqual([...Array(8).fill("unreadable"), "no_bot", "stale"].toSorted());
  });
});

describe("two merged contacts", () => {
  test("a merged contact keeps the newer contact's opt-out", async () => {
    const bot = await world.makeBot(nameAndEmail);
    const { connectionId, write } = await world.connectWebhook([asked(bot)]);
    for (const name of ["older", "newer"]) {
      await write(name, "Hi");
      await world.settled();
    }
    await write("newer", "STOP");
    await world.settled();
    const { sql } = world.api.deps;
    const ids = await sql<{ id: string }[]>`
      select contact_id as id from channel_addresses where connection_id = ${connectionId} order by value desc`;
    const [older = "", id = ""] = ids.map((row) => row.id);
    await sql`
      insert into event_endpoints (id, workspace_id, url, event_types, secret)
      values (${newId()}, ${world.workspaceId}, 'https://example.com/', array['message.sent'], '')`;
    await sql`
      insert into event_deliveries (id, endpoint_id, type, order_key, content)
      select new_id(), e.id, 'message.sent', ${id}, '{}' from event_endpoints e where e.workspace_id = ${world.workspaceId}`;
    const newer = { id, name: null, username: null, language: null, sessionId: null };
    await mergeContacts(sql, { connectionId, older, newer });

    const [left] = await sql`
      select opted_out_at is not null as wants_none
      from channel_contacts
      where connection_id = ${connectionId}`;
    expect(left).toEqual({ wantsNone: true });
    // An erasure finds the rows by the contact that remains after the merge.
    expect(await sql`select from event_deliveries where order_key = ${older}`).toHaveLength(1);
    expect(await sql`select from results where bot_id = ${bot.botId} and contact_id = ${older}`).toHaveLength(2);
  });
});
