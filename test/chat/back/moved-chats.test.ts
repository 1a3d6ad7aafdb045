import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { listHeldChats, readHeldSteps } from "../../../src/chat/recorded/held-chats.sql.ts";
import type { StoredStep } from "../../../src/core/replay/chat.ts";
import type { SafeFetch } from "../../../src/effects/safe-fetch/safe-fetch.ts";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { idOf } from "../../support/builder-ids.ts";
import { asks, flowOf, publish, say, says, start } from "../../support/chat.ts";
import { equalSteps } from "../../support/held-chats.ts";
import { createThreads, type Threads } from "../../support/threads.ts";

let api: TestApi;
let threads: Threads;
let owner: TestUser;
let workspaceId: string;
/** The number of calls that the steps have made. */
let calls = 0;
/** The number of the call at which the fake server fails. */
let failsAt = 0;
beforeAll(async () => {
  threads = createThreads({ count: 1 });
  const safeFetch: SafeFetch = async () => {
    if (++calls === failsAt) throw new Error("A fault of ours");
    return { status: 200, text: "{}" };
  };
  api = await createTestApi({ threads, safeFetch });
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

/** Publishes another version, and moves the bot's chats to it. */
async function move(botId: string, version: object) {
  await api.client.patch(`/api/v1/bots/${botId}`, { token: owner.token, body: { bot: version } });
  const body = { force: true, runningChats: "move" };
  expect((await api.client.post(`/api/v1/bots/${botId}/publish`, { token: owner.token, body })).status).toBe(200);
}

/** The call that `endless` repeats forever after it has asked for the name. */
const calling = { id: idOf("calls"), type: "Webhook", options: { webhook: { url: "https://shop.example/" } } };
const endless = (first: object = name) =>
  onwards(flowOf([first], [calling, { id: idOf("jump"), type: "Jump", options: { groupId: idOf("g1") } }]));
const mended = onwards(flowOf([name], [says("Mended {{Name}}")]));
function onwards({ edges, groups, ...flow }: ReturnType<typeof flowOf>) {
  return {
    ...flow,
    edges: edges.map((edge) => (edge.id === idOf("e1") ? { ...edge, from: { blockId: name.id } } : edge)),
    groups: groups.map((group, index) =>
      index === 0
        ? { ...group, blocks: group.blocks.map((block) => ({ ...block, outgoingEdgeId: idOf("e1") })) }
        : group,
    ),
  };
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

test("going back before a version change keeps the chat on its new version", async () => {
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

test("going back to a changed question returns the chat to its old version", async () => {
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

describe("a step that was refused because of too many calls", () => {
  test.each([
    ["another reply", "Bea"],
    ["the same reply", "Ana"],
  ])("%s is processed in the fixed version after a step was refused because of too many calls", async (_, second) => {
    const bot = await publish(api.client, { token: owner.token, workspaceId }, endless());
    const sessionId = (await start(api.client, bot.publicId)).text("sessionId");
    expect((await say(api.client, sessionId, "Ana")).at("code")).toBe("step.over_budget");

    const made = calls;
    await say(api.client, sessionId, "Ana");
    expect(calls).toBeLessThan(made + 2);

    await move(bot.botId, mended);
    const operator = (await api.makeUser({ scope: "admin" })).token;
    const workspace = `/api/v1/workspaces/${workspaceId}`;
    await api.client.post(`${workspace}/suspend`, { token: operator, body: { reason: "Unpaid" } });
    expect((await say(api.client, sessionId, "Ana")).at("code")).toBe("workspace.suspended");
    await api.client.post(`${workspace}/resume`, { token: operator });

    expect(await reply(sessionId, second)).toEqual([`Mended ${second}`]);
    expect(await isReproduced(bot.botId)).toBe(true);
  });
});

test("a pending move does not repeat a step that makes too many calls", async () => {
  const bot = await publish(api.client, { token: owner.token, workspaceId }, endless());
  const sessionId = (await start(api.client, bot.publicId)).text("sessionId");
  await move(bot.botId, endless({ ...name, options: { variableId: idOf("Name"), isLong: true } }));
  for (let times = 0; times < 2; times++) {
    const before = calls;
    expect((await say(api.client, sessionId, "Ana")).at("code")).toBe("step.over_budget");
    expect(calls - before).toBeLessThanOrEqual(101);
  }
});

describe("a chat whose move is pending after a failed attempt of its step", () => {
  const call = { id: idOf("call"), type: "Webhook", options: { webhook: { url: "https://shop.example/" } } };
  const asking = (word: string, ...blocks: object[]) => flowOf([name, ...blocks, says(`${word} {{Name}}`)]);

  test("a retry of a failed reply keeps the chat on its old version", async () => {
    const { botId, publicId } = await publish(
      api.client,
      { token: owner.token, workspaceId },
      asking("Old", call, { ...call, id: idOf("second") }, asks("email input"), says("Old mail")),
    );
    const fail = async () => {
      const sessionId = (await start(api.client, publicId)).text("sessionId");
      failsAt = calls + 2;
      const path = `http://localhost/api/v1/sessions/${sessionId}/continueChat`;
      const body = JSON.stringify({ message: "Ana" });
      const headers = { "content-type": "application/json" };
      expect((await api.handle(new Request(path, { method: "POST", body, headers }))).status).toBe(500);
      return sessionId;
    };
    const [same, other] = [await fail(), await fail()];
    const before = calls;
    await move(botId, asking("New", asks("email input"), says("New mail")));

    await say(api.client, same, "Ana");
    expect([calls, await versionOf(same)]).toMatchObject([before + 1, { number: 1, movingTo: 2 }]);
    expect(await reply(same, "a@b.co")).toEqual(["New mail", "New Ana"]);
    await say(api.client, other, "Bea");
    expect([calls, await versionOf(other)]).toMatchObject([before + 1, { number: 2, movingTo: null }]);
  });
});

test("going back after a publication without a move keeps the old version", async () => {
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
