import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { signatureHeaders } from "../../src/core/channels/webhook/index.ts";
import { textAt } from "../../src/core/interpreter/flow.ts";
import { newId } from "../../src/platform/ids.ts";
import { idOf } from "../support/builder-ids.ts";
import { sizeOf } from "../support/campaigns.ts";
import { startTelegramAccounts, type TelegramAccounts } from "../support/channels.ts";
import { asks, flowOf, says } from "../support/chat.ts";
import type { Answer } from "../support/client.ts";
import { diceOf } from "../tools/fuzz/dice.ts";
import { mutated, writeJson } from "../tools/fuzz/odd-values.ts";
import {
  type Account,
  type ChannelWorld,
  createChannelWorld,
  type Program,
  programOf,
  textUpdate,
} from "./channel-world.ts";

let world: ChannelWorld;
let telegram: TelegramAccounts;
let bot: { readonly botId: string; readonly isEnabled: true };

beforeAll(async () => {
  telegram = await startTelegramAccounts();
  world = await createChannelWorld({ config: { TELEGRAM_API_URL: telegram.url, RATE_LIMITS: "off" } });
  const asking = flowOf([says("Hello"), asks("text input", { variableId: idOf("Name") }), says("You said {{Name}}")]);
  bot = { ...(await world.makeBot(asking)), isEnabled: true };
});
afterAll(async () => {
  await world.close();
  await telegram.close();
});

const reasons = async (connectionId: string) =>
  (await world.inbox(connectionId)).map(({ state, reason }) => (reason === null ? state : `${state} ${reason}`));

async function postTo(connectionId: string, headers: Readonly<Record<string, string>>, body: string): Promise<Answer> {
  return world.api.client.post(`/api/v1/channels/${connectionId}/webhook`, {
    rawBody: body,
    headers: { "Content-Type": "application/json", ...headers },
  });
}

/** Request bodies that are not JSON, or not valid messages. */
const nonsense = [
  ...["", " ", "null", "7", '"Hi"', "[]", "{}", "{", "\u0000", "\ufeff{}", "<update/>", "update_id=1&text=Hi"],
  ...["\ud83d", "[".repeat(5_000), `{"a":`.repeat(5_000), `{"__proto__":{"kind":"message"}}`, "👍".repeat(3_000)],
] as const;

const contact = { id: "ana", name: "Ana", phone: "+4915112345", language: "de" };
const now = () => new Date().toISOString();
const programMessages = (): object[] => [
  { id: newId(), contact, time: now(), message: { text: "Hi" } },
  { id: newId(), contact, message: { tap: `${newId()}.0` } },
  {
    ...{ id: newId(), contact, time: now() },
    message: { file: { url: "https://example.com/a.png", name: "a.png", type: "image/png" }, caption: "A" },
  },
  { id: newId(), contact, time: now(), message: { location: { latitude: 52.5, longitude: 13.4 } } },
  { messages: [{ id: newId(), contact, message: { text: "Hi" } }] },
];

const person = { id: 77, first_name: "Ana", last_name: "Doe", username: "ana", language_code: "de" };
const chat = { id: 77, type: "private", first_name: "Ana" };
let messageIds = 10_000;
const update = (part: object) => ({ update_id: ++messageIds, ...part });
const message = (content: object) => ({
  message: { message_id: messageIds, date: Math.floor(Date.now() / 1_000), chat, from: person, ...content },
});
const file = { file_id: "f1", file_unique_id: "u1", file_size: 70, file_name: "a.png", mime_type: "image/png" };
const telegramUpdates = (): object[] => [
  update(message({ text: "Hi" })),
  update(message({ text: "/start abc", entities: [{ type: "bot_command", offset: 0, length: 6 }] })),
  update(message({ photo: [file, { ...file, width: 9, height: 9 }], caption: "A" })),
  update(message({ document: file })),
  update(message({ voice: { ...file, duration: 3 } })),
  update(message({ location: { latitude: 52.5, longitude: 13.4 } })),
  update(message({ venue: { location: { latitude: 52.5, longitude: 13.4 }, title: "Home", address: "A 1" } })),
  update(message({ contact: { phone_number: "4915112345", first_name: "Bo" } })),
  update(message({ migrate_to_chat_id: -1_001 })),
  update({ callback_query: { id: "q1", from: person, message: { message_id: 5, chat }, data: `${newId()}.0` } }),
  update({ my_chat_member: { chat, from: person, date: 1, new_chat_member: { status: "kicked", user: person } } }),
  update({ edited_message: { message_id: 5, date: 1, chat, from: person, text: "Ho" } }),
];

async function expectAnswered(connectionId: string, name: string, write: () => Promise<Answer>): Promise<void> {
  expect((await write()).status).toBe(200);
  await world.settled();
  expect(await world.said(connectionId, name)).toEqual(["Hello"]);
}

describe("calls in any form", () => {
  const size = sizeOf({ short: 40, long: 5_000, variable: "PARLEY_CHANNEL_FUZZED_CALLS" });

  test("malformed calls from a custom program do not block later messages", async () => {
    const program = await world.connectWebhook([bot]);
    const statuses = new Set<number>();
    for (const text of nonsense) statuses.add((await program.post(text)).status);
    for (let visit = 0; visit < size; visit++) {
      const dice = diceOf({ seed: 53, visit });
      const body = writeJson(mutated(dice.pick(programMessages()), dice));
      const { status } = await program.post(body);
      if (status !== 200 && status !== 413) throw new Error(`${status} to ${body.slice(0, 500)}`);
      statuses.add(status);
    }
    expect([...statuses].filter((status) => status !== 413)).toEqual([200]);
    await expectAnswered(program.connectionId, "zoe", () => program.write("zoe", "Hi"));
    expect((await reasons(program.connectionId)).filter((reason) => reason === "waiting")).toEqual([]);
  });

  test("malformed calls from Telegram do not block later messages", async () => {
    const account = await world.connectTelegram([bot]);
    const headers = { "X-Telegram-Bot-Api-Secret-Token": secretOf(account) };
    const post = (body: string) => postTo(account.connectionId, headers, body);
    for (const text of nonsense) expect([200, 413]).toContain((await post(text)).status);
    for (let visit = 0; visit < size; visit++) {
      const dice = diceOf({ seed: 54, visit });
      const body = writeJson(mutated(dice.pick(telegramUpdates()), dice));
      const { status } = await post(body);
      if (status !== 200 && status !== 413) throw new Error(`${status} to ${body.slice(0, 500)}`);
    }
    await expectAnswered(account.connectionId, "99", () => account.report(textUpdate(99, "Hi")));
    expect((await reasons(account.connectionId)).filter((reason) => reason === "waiting")).toEqual([]);
  });
});

/** Returns the secret token of the account's last `setWebhook` call, or an empty text. */
function secretOf({ botToken }: Account): string {
  const set = telegram.calls.findLast(({ token, method }) => token === botToken && method === "setWebhook");
  return textAt(set?.body, "secret_token") ?? "";
}

describe("the signature of a call", () => {
  test("calls without a valid signature get the same 401 response", async () => {
    const [program, other] = [await world.connectWebhook([bot]), await world.connectWebhook([bot])];
    const account = await world.connectTelegram([bot]);
    const text = JSON.stringify({ id: newId(), contact: { id: "ana" }, message: { text: "Hi" } });
    const refused = [
      await program.post(text, { secret: other.secret }),
      await program.post(text, { seconds: Math.floor(Date.now() / 1_000) + 600 }),
      await program.post(text, { seconds: Number.NaN }),
      await postTo(program.connectionId, signedBy(program, text), text.replace("Hi", "Ho")),
      await postTo(other.connectionId, signedBy(program, text), text),
      await postTo(program.connectionId, { "webhook-signature": "v1," }, text),
      await postTo(account.connectionId, {}, JSON.stringify(textUpdate(7, "Hi"))),
      await account.report(textUpdate(7, "Hi"), { secret: "" }),
      await account.report(textUpdate(7, "Hi"), { secret: `${secretOf(account)}x` }),
    ];

    const { requestId: _, ...first } = Object(refused[0]?.body);
    for (const answer of refused) {
      const { requestId: __, ...body } = Object(answer.body);
      expect({ status: answer.status, body }).toEqual({ status: 401, body: first });
    }
    for (const { connectionId } of [program, other, account]) expect(await reasons(connectionId)).toEqual([]);
  });

  test("the previous secret is accepted for a limited time after a rotation", async () => {
    const program = await world.connectWebhook([bot]);
    const at = `/api/v1/workspaces/${world.workspaceId}/channel-connections/${program.connectionId}/rotate`;
    const rotated = await world.api.client.post(at, { token: world.owner.token, body: {} });
    expect(rotated.status).toBe(200);
    expect((await program.write("ana", "Hi")).status).toBe(200);
    const { sql } = world.api.deps;
    await sql`
      update channel_connections
      set previous_until = clock() - interval '1 second', updated_at = clock()
      where id = ${program.connectionId}`;
    const elsewhere = await createChannelWorld({ beside: world, looksByItself: false });
    const late = programOf(elsewhere.api, program.connectionId, program.secret);

    expect((await late.write("ana", "Hi")).status).toBe(401);
    await elsewhere.close();
  });
});

function signedBy({ secret }: Program, body: string): Record<string, string> {
  return Object.fromEntries(signatureHeaders({ id: newId(), seconds: Math.floor(Date.now() / 1_000), body }, [secret]));
}
