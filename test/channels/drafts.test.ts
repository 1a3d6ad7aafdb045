import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { openConnection } from "../../src/management/channels/open-connections.ts";
import { createTelegramScreen } from "../fake-channels/phone/telegram-screen.ts";
import { type FakeTelegram, startFakeTelegram } from "../fake-channels/telegram.ts";
import { type FakeModel, startFakeModel } from "../fake-model/server.ts";
import { idOf } from "../support/builder-ids.ts";
import { asks, flowOf, says } from "../support/chat.ts";
import { type DatabaseProxy, openDatabaseProxy } from "../support/database-proxy.ts";
import { createHastenedClock, type HastenedClock } from "../support/hastened-clock.ts";
import { moveClock } from "../support/moved-clock.ts";
import { waitFor } from "../support/wait.ts";
import { type Account, type ChannelWorld, createChannelWorld, textUpdate } from "./channel-world.ts";

let world: ChannelWorld;
let other: ChannelWorld;
let telegram: FakeTelegram;
let model: FakeModel;
let proxy: DatabaseProxy;
let clock: HastenedClock;
let credentialsId: string;
let chat = 500;
const ends: (() => void)[] = [];

beforeAll(async () => {
  [telegram, model] = [await startFakeTelegram(), await startFakeModel()];
  clock = createHastenedClock();
  const config = { MODEL_SERVERS: model.origin, TELEGRAM_API_URL: telegram.url };
  world = await createChannelWorld({
    ...{ config, isSending: true, clock },
    through: async (url) => {
      proxy = await openDatabaseProxy(url);
      return proxy.url;
    },
  });
  other = await createChannelWorld({ config, isSending: true, beside: world, looksByItself: false, clock });
  const made = await world.api.client.post(`/api/v1/workspaces/${world.workspaceId}/credentials`, {
    token: world.owner.token,
    body: { type: "openai", name: "Ours", data: { apiKey: "sk-1234567890abcdef", baseUrl: model.baseUrl } },
  });
  credentialsId = made.text("credentials.id");
});
afterEach(async () => {
  for (const end of ends.splice(0)) end();
  proxy.thaw();
});
afterAll(async () => {
  await moveClock(other.api.deps.sql, 0);
  await other.close();
  await world.close();
  await proxy.close();
  await model.close();
  await telegram.close();
});

/** Pauses the model before each of its words. Returns a function that lets the model write its first `count` words. */
function heldModel() {
  const gates = Array.from({ length: 200 }, () => Promise.withResolvers<void>());
  const write = (count: number) => {
    for (const { resolve } of gates.slice(0, count)) resolve();
  };
  const end = model.onWord((index) => gates[index]?.promise);
  ends.push(() => {
    end();
    write(gates.length);
  });
  return write;
}

const answering = (words: string) =>
  flowOf([
    says("Hello"),
    asks("text input", { variableId: idOf("Name") }),
    {
      ...{ id: "model", type: "openai" },
      options: {
        ...{ action: "Create chat completion", credentialsId, model: "echo" },
        messages: [{ id: "m1", role: "user", content: words }],
        responseMapping: [{ id: "r1", variableId: idOf("Email") }],
      },
    },
    says("{{Email}}"),
    asks("number input"),
  ]);

let account: Account | undefined;

/** Starts a chat whose next message calls the model. */
async function begun(words: string, settings: object = {}) {
  const { botId } = await world.makeBot(answering(words));
  const { sql } = world.database;
  // Delete the earlier connection, because an account can belong to only one connection.
  await sql`update channel_connections set deleted_at = clock(), is_enabled = false where channel = 'telegram'`;
  account = await world.connectTelegram([{ botId, isEnabled: true }], settings, telegram.token);
  chat++;
  const person = chat;
  await account.report(textUpdate(person, "Hi"));
  await waitFor(() => telegram.shownTo(person).length === 1);
  await world.settled();
  const asked = model.asked.length;
  return {
    ...{ person, account },
    shown: () => telegram.shownTo(person),
    drafts: () => textsOf("sendMessageDraft", person),
    async ask() {
      await account?.report(textUpdate(person, "Ana"));
      await waitFor(() => model.asked.length > asked);
    },
  };
}

function textsOf(method: string, person: number): string[] {
  return telegram.signs
    .filter((sign) => sign.method === method && sign.body["chat_id"] === person)
    .map(({ body }) => String(body["text"] ?? ""));
}

test("a slowly written answer is shown as drafts, then as one message", async () => {
  const write = heldModel();
  const words = Array.from({ length: 42 }, (_, index) => (index === 20 ? "**bold**" : `word${index}`));
  const { shown, drafts, ask, person } = await begun(words.join(" "));
  const phone = createTelegramScreen(telegram, () => 0);
  await ask();
  await waitFor(() => drafts().length > 0);
  for (let second = 1; second <= 40; second++) {
    write(second);
    clock.pass(1_000);
    await waitFor(() => drafts().at(-1)?.split(" ").length === second, { what: () => JSON.stringify(drafts()) });
  }
  const before = drafts();
  const onPhone = phone.read({ id: person, firstName: "Ana" });
  write(200);
  await waitFor(() => shown().length === 2);
  clock.pass(60_000);
  await world.settled();

  const whole = `You said: ${words.join(" ").replaceAll("**", "")}`;
  expect(shown()).toEqual(["Hello", whole]);
  expect(before[0]).toBe("");
  expect(
    before.slice(1).every((draft, index) => draft.startsWith(before[index] ?? "") && whole.startsWith(draft)),
  ).toBe(true);
  expect(before.at(-1)).toContain("word37");
  // The last words may be shown while the step is being saved.
  expect(drafts().slice(0, before.length)).toEqual(before);
  expect(
    drafts()
      .slice(before.length)
      .filter((draft) => !whole.startsWith(draft)),
  ).toEqual([]);
  expect(onPhone).toMatchObject({ draft: before.at(-1), isWriting: true });
  expect(phone.read({ id: person, firstName: "Ana" })).not.toHaveProperty("draft");
  const ids = telegram.signs.filter(({ body }) => body["chat_id"] === person).map(({ body }) => body["draft_id"]);
  expect(new Set(ids.filter((id) => id !== undefined)).size).toBe(1);
  expect(
    telegram.signs.filter(({ method, body }) => method === "sendChatAction" && body["chat_id"] === person).length,
  ).toBeGreaterThanOrEqual(8);
  expect(telegram.calls.findLastIndex(({ method }) => method === "sendMessageDraft")).toBeLessThan(
    telegram.calls.findLastIndex(({ method }) => method === "sendMessage"),
  );
});

test("an opt-out message ends an answer that is shown as a draft", async () => {
  const write = heldModel();
  const { shown, drafts, ask, person, account: at } = await begun("one two three four five six");
  await ask();
  write(4);
  await waitFor(() => drafts().at(-1)?.includes("two") === true);
  const left = model.left();
  await at.report(textUpdate(person, "/stop"));
  await waitFor(() => model.left() > left);
  await waitFor(() => shown().at(-1)?.includes("no more messages") === true);
  await world.settled();
  const before = drafts();
  clock.pass(30_000);
  await at.report(textUpdate(person, "Hello?"));
  await world.settled();

  expect(shown().at(-1)).toContain("no more messages");
  expect(shown().some((words) => words.includes("six"))).toBe(false);
  expect(drafts()).toEqual(before);
});

test("a node that takes over from a frozen node updates the same draft", async () => {
  const write = heldModel();
  const { shown, drafts, ask, person, account: at } = await begun("one two three four five six");
  await ask();
  write(4);
  await waitFor(() => drafts().at(-1)?.includes("two") === true);
  proxy.freeze();
  // Let the lease of the connection and the claim of the step expire.
  clock.pass(120_000);
  await moveClock(other.api.deps.sql, 120);
  const asked = model.asked.length;
  await other.api.client.post(`/api/v1/channels/${at.connectionId}/webhook`, {
    body: textUpdate(person, "7"),
    headers: { "X-Telegram-Bot-Api-Secret-Token": await secretOf(at.connectionId) },
  });
  other.holding.wake();
  await waitFor(() => model.asked.length > asked);
  expect(shown()).toEqual(["Hello"]);
  write(200);
  await waitFor(() => shown().length >= 2);
  await other.settled();
  proxy.thaw();
  await world.settled();

  const whole = "You said: one two three four five six";
  expect(shown()).toEqual(["Hello", whole]);
  expect(await other.said(at.connectionId, String(person))).toEqual([`Hello | ${whole}`]);
  const ids = telegram.signs.filter(({ body }) => body["chat_id"] === person).map(({ body }) => body["draft_id"]);
  expect(new Set(ids.filter((id) => id !== undefined)).size).toBe(1);
});

async function secretOf(connectionId: string): Promise<string> {
  const connection = await openConnection(other.api.deps, connectionId);
  return String(connection?.secrets["secretToken"]);
}

test("a provider that rejects a draft gets only the final message", async () => {
  const write = heldModel();
  const { shown, drafts, ask } = await begun("one two three four five six");
  telegram.script({
    method: "sendMessageDraft",
    act: { kind: "answer", status: 404, body: { ok: false, error_code: 404, description: "Not Found" } },
  });
  const before = telegram.calls.filter(({ method }) => method === "sendMessageDraft").length;
  await ask();
  write(4);
  await waitFor(() => telegram.calls.filter(({ method }) => method === "sendMessageDraft").length > before);
  clock.pass(5_000);
  write(6);
  clock.pass(5_000);
  write(200);
  await waitFor(() => shown().length === 2);

  expect(drafts()).toEqual([]);
  expect(telegram.calls.filter(({ method }) => method === "sendMessageDraft")).toHaveLength(before + 1);
});

test("a connection with disabled drafts shows a typing indicator", async () => {
  const write = heldModel();
  const { shown, drafts, ask, person } = await begun("one two three", { drafts: false });
  await ask();
  write(3);
  await waitFor(() => textsOf("sendChatAction", person).length > 0);
  write(200);
  await waitFor(() => shown().length === 2);

  expect(drafts()).toEqual([]);
});
