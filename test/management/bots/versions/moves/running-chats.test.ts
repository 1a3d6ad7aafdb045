import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createApp } from "../../../../../src/service/app.ts";
import { createDependencies } from "../../../../../src/service/dependencies.ts";
import { oldRows } from "../../../../../src/service/old-rows.ts";
import { createTestApi, type TestApi, type TestUser } from "../../../../support/api.ts";
import { idOf } from "../../../../support/builder-ids.ts";
import { asks, flowOf, publish, say, says, start } from "../../../../support/chat.ts";
import { type Client, createClient } from "../../../../support/client.ts";
import { createThreads, type Threads } from "../../../../support/threads.ts";

let api: TestApi;
let threads: Threads;
let owner: TestUser;
let workspaceId: string;
/** Another node on the same database, with separate caches. */
let node: Client;

beforeAll(async () => {
  threads = createThreads({ count: 1 });
  api = await createTestApi({ threads });
  const app = createApp(createDependencies(api.deps));
  node = createClient({ handle: (request) => app.handle(request) });
  owner = await api.makeUser();
  workspaceId = await api.makeWorkspace(owner);
});
afterAll(async () => {
  await threads.close();
  await api.close();
});

const name = asks("text input", { variableId: idOf("Name") });
const mail = asks("email input", { variableId: idOf("Email") });
const before = flowOf([says("Name?"), name, says("Old: {{Name}}"), mail, says("Old end")]);
/** A flow that asks the same questions as `before`, with different texts. */
const after = flowOf([says("Name?"), name, says("New: {{Name}}"), mail, says("New end")]);
/** A flow with a different question for the name, and the same question for the mail. */
const otherName = flowOf([
  { ...name, options: { variableId: idOf("Name"), isLong: true } },
  says("Other"),
  mail,
  says("Other end"),
]);

describe("chats that run during a publication", () => {
  test("running chats finish on their version by default", async () => {
    const bot = await makeBot(before);
    const chat = await begin(bot.publicId);
    await publishAgain(bot.botId, after);
    expect(await texts(chat, "Ana")).toEqual(["Old: Ana"]);
    await publishAgain(bot.botId, after, { runningChats: "finish" });
    expect(await texts(chat, "ana@example.com")).toEqual(["Old end"]);
  });

  test("running chats move to a new version at the next input", async () => {
    const bot = await makeBot(before);
    const [here, there] = [await begin(bot.publicId), await begin(bot.publicId, node)];
    expect(await texts(there, "Bea", node)).toEqual(["Old: Bea"]);
    await publishAgain(bot.botId, after, { runningChats: "move" });

    expect(await texts(there, "bea@example.com", node)).toEqual(["New end"]);
    expect(await texts(here, "Ana", node)).toEqual(["New: Ana"]);
    expect(await texts(here, "ana@example.com")).toEqual(["New end"]);
    expect(await versionsOf(bot.botId)).toEqual([
      { publicationNumber: 2, movingTo: null },
      { publicationNumber: 2, movingTo: null },
    ]);
    const result = await api.client.get(`/api/v1/bots/${bot.botId}/results/${here.resultId}`, { token: owner.token });
    expect(result.at("result")).toMatchObject({
      isCompleted: true,
      variables: [{ value: "Ana" }, { value: "ana@example.com" }],
    });
    expect(result.at("result.answers.*.content")).toEqual(["Ana", "ana@example.com"]);
  });

  test("running chats stay on their version if the new version changes their open input", async () => {
    const bot = await makeBot(before);
    const chat = await begin(bot.publicId);
    await publishAgain(bot.botId, otherName, { runningChats: "move" });
    expect(await texts(chat, "Ana")).toEqual(["Old: Ana"]);
    expect(await versionsOf(bot.botId)).toEqual([{ publicationNumber: 1, movingTo: 2 }]);
    expect(await texts(chat, "ana@example.com")).toEqual(["Other end"]);
  });

  test("running chats stay on their version if that version is published again", async () => {
    const bot = await makeBot(before);
    const chat = await begin(bot.publicId);
    await publishAgain(bot.botId, after, { runningChats: "move" });
    const body = { note: "Taken back" };
    await api.client.post(`/api/v1/bots/${bot.botId}/publications/1/publish`, { token: owner.token, body });
    expect(await texts(chat, "Ana", node)).toEqual(["Old: Ana"]);
  });

  test("running chats move back to an earlier version", async () => {
    const bot = await makeBot(before);
    await publishAgain(bot.botId, after);
    const chat = await begin(bot.publicId);
    const body = { runningChats: "move" };
    await api.client.post(`/api/v1/bots/${bot.botId}/publications/1/publish`, { token: owner.token, body });
    expect(await texts(chat, "Ana")).toEqual(["Old: Ana"]);
  });

  test("running chats move to a new version after a step back", async () => {
    const withBack = { settings: { general: { isGoBackEnabled: true } } };
    const bot = await makeBot({ ...before, ...withBack });
    const chat = await begin(bot.publicId);
    const headers = { "idempotency-key": "the-name" };
    const first = await say(api.client, chat.sessionId, "Ana", { headers });
    await publishAgain(bot.botId, { ...after, ...withBack }, { runningChats: "move" });
    expect((await say(node, chat.sessionId, "Ana", { headers })).body).toEqual(first.body);
    const back = await api.client.post(`/api/v1/sessions/${chat.sessionId}/goBack`, {});
    expect(back.at("input.id")).toBe(name.id);
    expect(await texts(chat, "Eve")).toEqual(["New: Eve"]);
  });

  test("a clean-up moves chats that a publication missed because a step was running", async () => {
    const bot = await makeBot(before);
    const chat = await begin(bot.publicId);
    await publishAgain(bot.botId, after, { runningChats: "move" });
    // The state after a step that began before the publication and was saved after it.
    await api.deps.sql`update sessions set moving_to = null, claim_until = null where bot_id = ${bot.botId}`;
    const task = oldRows(api.deps.sql).find((one) => one.name === "moving-chats");
    expect(await task?.removeSome()).toBe(1);
    expect(await task?.removeSome()).toBe(0);
    expect(await texts(chat, "Ana")).toEqual(["New: Ana"]);
  });

  test("each reply of a running chat comes from one version during a publication", async () => {
    const bot = await makeBot(before);
    const chats = await Promise.all(Array.from({ length: 12 }, () => begin(bot.publicId)));
    const [, ...said] = await Promise.all([
      publishAgain(bot.botId, after, { runningChats: "move" }),
      ...chats.map((chat, index) => texts(chat, "Ana", index % 2 === 0 ? node : api.client)),
    ]);
    const [replies, ends]: unknown[][] = [
      [["Old: Ana"], ["New: Ana"]],
      [["Old end"], ["New end"]],
    ];
    for (const one of said) expect(replies).toContainEqual(one);
    const ended = await Promise.all(chats.map((chat) => texts(chat, "ana@example.com", node)));
    for (const end of ended) expect(ends).toContainEqual(end);
  });
});

describe("the preview of moving chats", () => {
  test("the preview of moving chats counts running chats by input", async () => {
    const bot = await makeBot(before);
    await begin(bot.publicId);
    const second = await begin(bot.publicId);
    await texts(second, "Ana");
    const ended = await begin(bot.publicId);
    await texts(ended, "Ana");
    await texts(ended, "ana@example.com");
    await write(bot.botId, otherName);
    await api.client.post(`/api/v1/bots/${bot.botId}/preview/startChat`, { token: owner.token, body: {} });

    const forecast = await forecastOf(bot.botId);
    expect(forecast.body).toEqual({
      runningChats: {
        chats: 2,
        moving: 1,
        staying: 1,
        isComplete: true,
        places: expect.arrayContaining([
          { publicationNumber: 1, blockId: mail.id, chats: 1, obstacle: null, message: null },
          {
            publicationNumber: 1,
            blockId: name.id,
            chats: 1,
            obstacle: "input_changed",
            message: "The chat's open input differs from the input that the visitor sees.",
          },
        ]),
      },
    });
    expect((await forecastOf(bot.botId, { to: "1" })).at("runningChats")).toMatchObject({ moving: 2, staying: 0 });
    // The forecast did not change the chats.
    expect(await texts(second, "ana@example.com")).toEqual(["Old end"]);
  });

  test("the preview of moving chats is empty without chats", async () => {
    const bot = await makeBot(before);
    expect((await forecastOf(bot.botId)).at("runningChats")).toEqual({
      chats: 0,
      moving: 0,
      staying: 0,
      isComplete: true,
      places: [],
    });
    expect((await forecastOf(bot.botId, { to: "2" })).at("code")).toBe("publication.not_found");
    expect((await forecastOf(bot.botId, { to: "other" })).at("code")).toBe("request.invalid");
    const published = await publishAgain(bot.botId, before, { runningChats: "sometimes" });
    expect([published.at("code"), published.at("data.issues.0.path")]).toEqual(["request.invalid", "runningChats"]);
  });
});

type Chat = { readonly sessionId: string; readonly resultId: string };

function makeBot(flow: object) {
  return publish(api.client, { token: owner.token, workspaceId }, flow);
}

function write(botId: string, bot: object) {
  return api.client.patch(`/api/v1/bots/${botId}`, { token: owner.token, body: { bot } });
}

async function publishAgain(botId: string, bot: object, body: object = {}) {
  await write(botId, bot);
  return api.client.post(`/api/v1/bots/${botId}/publish`, { token: owner.token, body });
}

async function begin(publicId: string, client = api.client): Promise<Chat> {
  const started = await start(client, publicId);
  return { sessionId: started.text("sessionId"), resultId: started.text("resultId") };
}

async function texts({ sessionId }: Chat, message: string, client = api.client): Promise<unknown> {
  return (await say(client, sessionId, message)).at("messages.*.content.plainText");
}

function forecastOf(botId: string, query: Record<string, string> = {}) {
  return api.client.get(`/api/v1/bots/${botId}/runningChats`, { token: owner.token, query });
}

async function versionsOf(botId: string) {
  const rows = await api.deps.sql<{ publicationNumber: number; movingTo: number | null }[]>`
    select publication_number, moving_to
    from sessions
    where bot_id = ${botId}`;
  return rows.map((row) => ({ ...row }));
}
