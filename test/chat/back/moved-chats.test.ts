import { afterAll, beforeAll, expect, test } from "bun:test";
import { listHeldChats, readHeldSteps } from "../../../src/chat/kept/held-chats.sql.ts";
import type { StoredStep } from "../../../src/core/replay/chat.ts";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { idOf } from "../../support/builder-ids.ts";
import { asks, flowOf, publish, say, says, start } from "../../support/chat.ts";
import { equalSteps } from "../../support/held-chats.ts";
import { createThreads, type Threads } from "../../support/threads.ts";

let api: TestApi;
let threads: Threads;
let owner: TestUser;
let workspaceId: string;
beforeAll(async () => {
  threads = createThreads({ count: 1 });
  api = await createTestApi({ threads });
  owner = await api.makeUser();
  workspaceId = await api.makeWorkspace(owner);
});
afterAll(async () => {
  await threads.close();
  await api.close();
});

const settings = { general: { isGoBackEnabled: true } };
const name = asks("text input", { variableId: idOf("Name") });
const flow = (word: string, first: object = name) => ({
  ...flowOf([
    first,
    says(`${word} {{Name}}`),
    asks("email input"),
    says(`${word} mail`),
    asks("url input"),
    says(`${word} end`),
  ]),
  settings,
});

async function begin() {
  const bot = await publish(api.client, { token: owner.token, workspaceId }, flow("Old"));
  const started = await start(api.client, bot.publicId);
  return { ...bot, sessionId: started.text("sessionId") };
}

/** Publishes another version, and moves the bot's chats there. */
async function move(botId: string, version: object) {
  await api.client.patch(`/api/v1/bots/${botId}`, { token: owner.token, body: { bot: version } });
  const body = { force: true, runningChats: "move" };
  expect((await api.client.post(`/api/v1/bots/${botId}/publish`, { token: owner.token, body })).status).toBe(200);
}

const reply = async (sessionId: string, text: string) =>
  (await say(api.client, sessionId, text)).at("messages.*.content.plainText");
const back = async (sessionId: string) => {
  const answer = await api.client.post(`/api/v1/sessions/${sessionId}/goBack`);
  expect(answer.status).toBe(200);
  return answer.at("input.type");
};
const versionOf = async (sessionId: string) => {
  const [row] = await api.deps.sql<[{ number: number; movingTo: number | null; isOfVersion: boolean }]>`
    select s.publication_number as number, s.moving_to, s.state like '%' || encode(s.flow_hash, 'hex') || '%' as is_of_version
    from sessions s
    where s.id = ${sessionId}`;
  return row;
};

/** Whether each step of a bot's only chat comes out byte for byte as it did. */
async function isReproduced(botId: string) {
  const { sql } = api.deps;
  const [row] = await listHeldChats(sql, { botId, after: undefined, limit: 1 });
  if (!row?.sessionId) throw new Error("No chat");
  const [steps = []]: StoredStep[][] = JSON.parse(await readHeldSteps(sql, [row.sessionId]));
  const programs = await sql<{ key: string; botId: string; flow: string }[]>`
    select bot_id, encode(hash, 'hex') as key, content::text as flow from flows where bot_id = ${botId}`;
  const { sessionId, id: resultId, flowHash } = row;
  const chat = {
    sessionId,
    resultId,
    botId,
    dialect: "bot",
    flowHash: flowHash ?? "",
    isEnded: false,
    isCut: false,
  } as const;
  return (
    equalSteps({ chat, steps, programs: programs.map((one) => ({ ...one, key: `${one.botId}:${one.key}` })) }) ===
    steps.length
  );
}

test("going back to before a move stays in the version that the chat has moved to", async () => {
  const { botId, sessionId } = await begin();
  await reply(sessionId, "Ana");
  await move(botId, flow("New"));
  expect(await reply(sessionId, "a@b.co")).toEqual(["New mail"]);
  await back(sessionId);
  expect(await back(sessionId)).toBe("text input");

  expect(await versionOf(sessionId)).toEqual({ number: 2, movingTo: null, isOfVersion: true });
  expect(await reply(sessionId, "Bea")).toEqual(["New Bea"]);
  expect(await reply(sessionId, "b@c.co")).toEqual(["New mail"]);
  expect(await isReproduced(botId)).toBe(true);
});

test("a question that the new version does not ask is asked in its own, and the chat moves again behind it", async () => {
  const { botId, sessionId } = await begin();
  await reply(sessionId, "Ana");
  await move(botId, flow("New", asks("text input", { variableId: idOf("Name"), isLong: true })));
  expect(await reply(sessionId, "a@b.co")).toEqual(["New mail"]);
  await back(sessionId);
  expect(await back(sessionId)).toBe("text input");

  expect(await versionOf(sessionId)).toEqual({ number: 1, movingTo: 2, isOfVersion: true });
  expect(await reply(sessionId, "Bea")).toEqual(["Old Bea"]);
  expect(await reply(sessionId, "b@c.co")).toEqual(["New mail"]);
  expect(await versionOf(sessionId)).toEqual({ number: 2, movingTo: null, isOfVersion: true });
  expect(await isReproduced(botId)).toBe(true);
});

test("a chat that cannot move there stays in its version where another one is published by then", async () => {
  const { botId, sessionId } = await begin();
  await reply(sessionId, "Ana");
  await move(botId, flow("New", asks("text input", { variableId: idOf("Name"), isLong: true })));
  await reply(sessionId, "a@b.co");
  await api.client.patch(`/api/v1/bots/${botId}`, { token: owner.token, body: { bot: flow("Newest") } });
  await api.client.post(`/api/v1/bots/${botId}/publish`, { token: owner.token, body: { force: true } });
  await back(sessionId);
  await back(sessionId);

  expect(await reply(sessionId, "Bea")).toEqual(["Old Bea"]);
  expect(await reply(sessionId, "b@c.co")).toEqual(["Old mail"]);
});
