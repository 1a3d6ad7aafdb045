import { afterAll, beforeAll, expect, test } from "bun:test";
import { isJsonObject, type JsonObject, textAt, valueAt } from "../../src/core/interpreter/flow.ts";
import { type FakeTelegram, startFakeTelegram } from "../fake-channels/telegram.ts";
import { idOf } from "../support/builder-ids.ts";
import { asks, flowOf, says } from "../support/chat.ts";
import { type DatabaseProxy, openDatabaseProxy } from "../support/database-proxy.ts";
import { waitFor } from "../support/wait.ts";
import { type ChannelWorld, createChannelWorld } from "./channel-world.ts";

let world: ChannelWorld;
let telegram: FakeTelegram;
let connectionId: string;
let proxy: DatabaseProxy;

beforeAll(async () => {
  telegram = await startFakeTelegram();
  world = await createChannelWorld({
    config: { TELEGRAM_API_URL: telegram.url },
    isSending: true,
    through: async (url) => {
      proxy = await openDatabaseProxy(url);
      return proxy.url;
    },
  });
  const cities = Array.from({ length: 40 }, (_, index) => ({
    id: idOf(`City ${index + 1}`),
    content: `City ${index + 1}`,
  }));
  const drinks = ["Tea", "Coffee", "Water"].map((content) => ({ id: idOf(content), content }));
  const { botId } = await world.makeBot(
    flowOf([
      says("Where?"),
      { ...asks("choice input", { variableId: idOf("Name") }), items: cities },
      says("To {{Name}}."),
      says("What?"),
      {
        ...asks("choice input", { variableId: idOf("Email"), isMultipleChoice: true }, { id: idOf("drinks") }),
        items: drinks,
      },
      says("So {{Email}}."),
      asks("text input", {}),
    ]),
  );
  const bots = [{ botId, isEnabled: true }];
  ({ connectionId } = await world.connectTelegram(bots, { transport: "poll" }, telegram.token));
  world.holding.wake();
});
afterAll(async () => {
  await world.close();
  await proxy.close();
  await telegram.close();
});

type Person = { readonly id: number; readonly firstName: string };
const messageOf = ({ id }: Person, text: string) =>
  waitFor(() => telegram.shown.findLast((one) => one.chat === String(id) && one.text === text));

async function buttonsOf(person: Person, question: string): Promise<JsonObject[]> {
  const { body } = await messageOf(person, question);
  const rows = valueAt(body["reply_markup"], "inline_keyboard");
  return Array.isArray(rows) ? rows.flat().filter(isJsonObject) : [];
}

const titlesOf = async (person: Person, question: string) =>
  (await buttonsOf(person, question)).map((button) => textAt(button, "text") ?? "");

/** Presses the button with the given title, and waits until the service has handled the press. */
async function press(person: Person, question: string, title: string): Promise<void> {
  const button = (await buttonsOf(person, question)).find((one) => textAt(one, "text") === title);
  if (!button) throw new Error(`There is no button ${title}`);
  const { id } = await messageOf(person, question);
  await telegram.press(person, id, textAt(button, "callback_data") ?? "");
}

async function change(person: Person, question: string, title: string): Promise<void> {
  const before = await messageOf(person, question);
  await press(person, question, title);
  await waitFor(() => telegram.shown.find(({ id }) => id === before.id) !== before);
}

const steps = async () => {
  const rows = await world.api.deps.sql`
    select from channel_inbox where connection_id = ${connectionId} and reason is null`;
  return rows.length;
};

test("a long choice is shown in pages, and turning a page causes no step", async () => {
  const ana = { id: 51, firstName: "Ana" };
  await telegram.write(ana, "/start");
  const first = await titlesOf(ana, "Where?");
  expect(first).toEqual([...Array.from({ length: 30 }, (_, index) => `City ${index + 1}`), "More"]);
  const before = await steps();
  await change(ana, "Where?", "More");
  expect(await titlesOf(ana, "Where?")).toEqual([
    ...Array.from({ length: 10 }, (_, index) => `City ${index + 31}`),
    "Back",
  ]);
  await change(ana, "Where?", "Back");
  expect(await titlesOf(ana, "Where?")).toEqual(first);
  await change(ana, "Where?", "More");
  await world.settled();
  expect(await steps()).toBe(before);
  await press(ana, "Where?", "City 38");

  await messageOf(ana, "To City 38.");
});

test("marked items are sent in the order of the list", async () => {
  const bo = { id: 52, firstName: "Bo" };
  await telegram.write(bo, "/start");
  await messageOf(bo, "Where?");
  await telegram.write(bo, "City 2");
  expect(await titlesOf(bo, "What?")).toEqual(["☐ Tea", "☐ Coffee", "☐ Water", "Send"]);
  await change(bo, "What?", "☐ Water");
  await change(bo, "What?", "☐ Tea");
  await change(bo, "What?", "☐ Coffee");
  await change(bo, "What?", "☑ Coffee");
  expect(await titlesOf(bo, "What?")).toEqual(["☑ Tea", "☐ Coffee", "☑ Water", "Send"]);
  await press(bo, "What?", "Send");

  await messageOf(bo, "So Tea, Water.");
});

test("repeated page turns keep the number of stored choices limited", async () => {
  const cy = { id: 53, firstName: "Cy" };
  await telegram.write(cy, "/start");
  await messageOf(cy, "Where?");
  for (let turns = 0; turns < 12; turns++) {
    await change(cy, "Where?", "More");
    await change(cy, "Where?", "Back");
  }
  const [row] = await world.api.deps.sql<{ choices: JsonObject }[]>`
    select o.choices
    from channel_sendings o
    join channel_addresses a on a.contact_id = o.contact_id
    where a.connection_id = ${connectionId} and a.value = '53' and o.choices::text <> '{}'`;

  expect(Object.keys(row?.choices ?? {}).length).toBeLessThan(350);
  await press(cy, "Where?", "City 7");
  await messageOf(cy, "To City 7.");
});

test("a page can be turned before the question is recorded as sent", async () => {
  const dee = { id: 54, firstName: "Dee" };
  const late = proxy.inject({ kind: "delay", ms: 500, statement: /set state = 'accepted'/, times: 2 });
  await telegram.write(dee, "/start");
  await messageOf(dee, "Where?");
  await change(dee, "Where?", "More");
  late.end();

  expect((await titlesOf(dee, "Where?")).at(-1)).toBe("Back");
});
