import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import { newId } from "../../src/platform/ids.ts";
import { type FakeWebhook, startFakeWebhook } from "../fake-channels/webhook.ts";
import { idOf } from "../support/builder-ids.ts";
import { startTelegramAccounts, type TelegramAccounts } from "../support/channels.ts";
import { asks, flowOf, says } from "../support/chat.ts";
import { moveClock } from "../support/moved-clock.ts";
import { waitFor } from "../support/wait.ts";
import { type ChannelWorld, createChannelWorld, type Program, textUpdate } from "./channel-world.ts";

let world: ChannelWorld;
let telegram: TelegramAccounts;
let service: FakeWebhook;
let bot: { readonly botId: string; readonly isEnabled: true };
let program: Program;

const day = 86_400;
const drinks = ["Tea", "Coffee"].map((content) => ({ id: idOf(content), content }));

beforeAll(async () => {
  telegram = await startTelegramAccounts();
  service = await startFakeWebhook();
  world = await createChannelWorld({ config: { TELEGRAM_API_URL: telegram.url }, isSending: true });
  const flow = flowOf([
    says("Hello"),
    { ...asks("choice input", { variableId: idOf("Name") }), items: drinks },
    says("One {{Name}}."),
    asks("text input"),
  ]);
  bot = { ...(await world.makeBot(flow)), isEnabled: true };
});
beforeEach(async () => {
  program = await world.connectWebhook([bot], {}, service.url);
  service.secret = program.secret;
});
afterEach(() => moveClock(world.api.deps.sql, 0));
afterAll(async () => {
  await world.close();
  await telegram.close();
  await service.close();
});

const reasons = async (connectionId: string) =>
  (await world.inbox(connectionId)).map(({ state, reason }) => (reason === null ? state : `${state} ${reason}`));

/** Starts a chat, and returns the tokens of the buttons that were sent to its contact. */
async function asked(contact: string, by = program): Promise<string[]> {
  await by.write(contact, "Hi");
  const shown = () => service.shown.find(({ chat, method }) => chat === contact && method === "question");
  await waitFor(() => shown() !== undefined);
  await world.settled();
  return [...JSON.stringify(shown()?.body).matchAll(/"token":"([^"]+)"/g)].map(([, token = ""]) => token);
}

const tap = (contact: string, token: string) =>
  program.post({ id: newId(), contact: { id: contact }, message: { tap: token } });

test("a call that is sent again after days causes no new step", async () => {
  const account = await world.connectTelegram([bot]);
  const hi = textUpdate(41, "Hi");
  const tea = textUpdate(41, "Tea");
  for (const update of [hi, tea]) {
    await account.report(update);
    await world.settled();
  }
  for (const seconds of [60, day, 40 * day]) {
    await moveClock(world.api.deps.sql, seconds);
    for (const update of [hi, tea, tea]) expect((await account.report(update)).status).toBe(200);
    await world.settled();
  }
  // A message whose row was deleted long ago.
  const ancient = textUpdate(41, "Tea");
  ancient.message.date -= 40 * day;
  await account.report(ancient);
  await world.settled();

  expect(await world.said(account.connectionId, "41")).toEqual(["Hello | One Tea."]);
  expect(await reasons(account.connectionId)).toEqual(["done", "done", "dropped stale"]);
});

test("a button works only for its recipient", async () => {
  const [tea = ""] = await asked("ana1");
  const others = await world.connectWebhook([bot], {}, service.url);
  service.secret = others.secret;
  await asked("eve1", others);
  await others.post({ id: newId(), contact: { id: "eve1" }, message: { tap: tea } });
  await others.post({ id: newId(), contact: { id: "ana1" }, message: { tap: tea } });
  service.secret = program.secret;
  await asked("bo1");
  await tap("bo1", tea);
  await world.settled();

  expect(await reasons(others.connectionId)).toEqual(["done", "dropped stale_tap", "dropped stale_tap"]);
  expect(await reasons(program.connectionId)).toEqual(["done", "done", "dropped stale_tap"]);
  expect(await world.said(others.connectionId, "eve1")).toEqual(["Hello"]);
  expect(await world.said(program.connectionId, "bo1")).toEqual(["Hello"]);
  await tap("ana1", tea);
  await world.settled();
  expect(await world.said(program.connectionId, "ana1")).toEqual(["Hello | One Tea."]);
});

test("pressing a button of an answered question causes no step", async () => {
  const [tea = "", coffee = ""] = await asked("ana2");
  await tap("ana2", tea);
  await world.settled();
  await tap("ana2", coffee);
  await world.settled();
  await moveClock(world.api.deps.sql, 7 * day);
  await tap("ana2", coffee);
  await world.settled();
  await program.write("ana2", "Hi");
  await world.settled();
  await tap("ana2", coffee);
  await world.settled();

  const stale = "dropped stale_tap";
  expect(await reasons(program.connectionId)).toEqual(["done", "done", stale, stale, "done", stale]);
  expect(await world.said(program.connectionId, "ana2")).toEqual(["Hello | One Tea.", "Hello"]);
});

test("forged button tokens cause no step", async () => {
  const [tea = ""] = await asked("ana3");
  const [id = ""] = tea.split(".");
  const [session] = await world.api.deps.sql<{ id: string }[]>`
    select s.id from sessions s join channel_contacts c on c.session_id = s.id where c.connection_id = ${program.connectionId}`;
  const madeUp = [
    ...[`${newId()}.0`, `${id}.9`, `${id}.0.0`, `${id}.1.0`, `${id}.0.0.0`, `${id}.`, id, `${id}.-1`, `${id}.00`],
    ...[
      `${id.toUpperCase()}.0`,
      `${session?.id}.0`,
      session?.id ?? "",
      "state",
      "__proto__",
      "constructor",
      "x".repeat(200),
    ],
    ...[`${id}.state`, `${id}.__proto__`, idOf("Tea"), "0.0", "\u0000", "{{Name}}", `${tea} `, "1e1.0"],
  ];
  for (const token of madeUp) expect((await tap("ana3", token)).status).toBe(200);
  await world.settled();

  expect((await reasons(program.connectionId)).slice(1)).toEqual(madeUp.map(() => "dropped stale_tap"));
  expect(await world.said(program.connectionId, "ana3")).toEqual(["Hello"]);
});
