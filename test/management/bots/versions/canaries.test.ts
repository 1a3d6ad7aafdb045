import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { promoteCanary } from "../../../../src/management/bots/versions/moves/canaries.sql.ts";
import { createApp } from "../../../../src/service/app.ts";
import { createDependencies } from "../../../../src/service/dependencies.ts";
import { createTestApi, type TestApi, type TestUser } from "../../../support/api.ts";
import { asks, flowOf, publish, say, says, start } from "../../../support/chat.ts";
import { type Client, createClient } from "../../../support/client.ts";
import { createThreads, type Threads } from "../../../support/threads.ts";

let api: TestApi;
let threads: Threads;
let owner: TestUser;
let stranger: TestUser;
let workspaceId: string;
/** Another node on the same database, with separate caches. */
let node: Client;

beforeAll(async () => {
  threads = createThreads({ count: 1 });
  api = await createTestApi({ threads });
  const app = createApp(createDependencies(api.deps));
  node = createClient({ handle: (request) => app.handle(request) });
  owner = await api.makeUser();
  stranger = await api.makeUser();
  workspaceId = await api.makeWorkspace(owner);
});
afterAll(async () => {
  await threads.close();
  await api.close();
});

const settings = { general: { rememberUser: { isEnabled: true } } };
const current = { ...flowOf([says("Current"), asks("text input")]), settings };
const canary = { ...flowOf([says("Canary"), asks("text input")]), settings };

describe("a canary", () => {
  test("a canary gets about its share of new chats", async () => {
    const bot = await makeBot();
    // Make both nodes cache the bot.
    for (const client of [api.client, node, api.client, node]) expect(await greeting(bot, { client })).toBe("Current");
    const published = await publishCanary(bot.botId, 40);
    expect(published.body).toMatchObject({ message: "success", number: 2 });
    expect(await listed(bot.botId)).toEqual([
      { number: 2, isCurrent: false, isCanary: true },
      { number: 1, isCurrent: true, isCanary: false },
    ]);
    const greetings = await greetingsOf(bot, 60);
    // Twenty-four greetings of the canary are expected. The probability of fewer than 5 or more than 47 is less than
    // one in a hundred million.
    expect(greetings.filter((one) => one === "Canary").length).toBeWithin(5, 48);
    expect(new Set(greetings)).toEqual(new Set(["Canary", "Current"]));

    expect((await act(bot.botId, "rollback")).body).toEqual({ message: "success", number: 2 });
    expect(new Set(await greetingsOf(bot, 12))).toEqual(new Set(["Current"]));
    expect((await readCanary(bot.botId)).body).toEqual({ canary: null });
  });

  test("canary visitors stay on the canary when its share grows", async () => {
    const bot = await makeBot();
    await publishCanary(bot.botId, 30);
    const keys = Array.from({ length: 20 }, (_, index) => `a-visitor-of-the-canary-${index}`);
    const versions = await Promise.all(keys.map((key) => greeting(bot, { key })));
    expect(await Promise.all(keys.map((key) => greeting(bot, { key, client: node })))).toEqual(versions);
    const other = await api.client.patch(`/api/v1/bots/${bot.botId}/canary`, {
      token: owner.token,
      body: { percent: 80 },
    });
    expect(other.at("canary")).toMatchObject({ number: 2, percent: 80, currentNumber: 1 });
    // Delete the keys, which expire after a day, so that the same keys make new requests.
    await api.deps.sql`delete from start_keys`;
    const later = await Promise.all(keys.map((key) => greeting(bot, { key })));
    expect(later.filter((_, index) => versions[index] === "Canary")).not.toContain("Current");
    expect(later.filter((one) => one === "Canary").length).toBeGreaterThan(
      versions.filter((one) => one === "Canary").length,
    );
  });

  test("a canary is shown again only to visitors with a canary result", async () => {
    const bot = await makeBot();
    const old = await start(api.client, bot.publicId);
    await publishCanary(bot.botId, 99);
    const begun = await beginOn("Canary", bot);
    for (let again = 0; again < 4; again++) {
      expect(await greeting(bot, { resultId: begun.resultId })).toBe("Canary");
      expect(await greeting(bot, { resultId: old.text("resultId") })).toBe("Current");
    }
  });

  test("a canary's figures are listed next to those of the live version", async () => {
    const bot = await makeBot();
    await say(api.client, (await start(api.client, bot.publicId)).text("sessionId"), "Before");
    await publishCanary(bot.botId, 50);
    const [one, other] = [await beginOn("Canary", bot), await beginOn("Current", bot)];
    await say(api.client, one.sessionId, "Hello");
    const figures = (await readCanary(bot.botId)).list("canary.figures");
    const [before] = await api.deps.sql`
      select count(*)::integer - 1 as current
      from results
      where bot_id = ${bot.botId} and publication_number = 1`;
    const [counted] = await api.deps.sql`
      select count(*)::integer as canary
      from results
      where bot_id = ${bot.botId} and publication_number = 2`;
    expect(figures).toEqual([
      { number: 1, isCanary: false, views: before?.["current"], starts: 0, completions: 0 },
      { number: 2, isCanary: true, views: counted?.["canary"], starts: 1, completions: 1 },
    ]);
    expect(other.resultId).not.toBe(one.resultId);
  });

  test("a promoted canary becomes the live version under its number", async () => {
    const bot = await makeBot();
    const running = await start(api.client, bot.publicId);
    await publishCanary(bot.botId, 1);
    const body = { runningChats: "move" };
    expect((await act(bot.botId, "promote", body)).body).toEqual({ message: "success", number: 2 });
    expect(new Set(await greetingsOf(bot, 8))).toEqual(new Set(["Canary"]));
    expect(await listed(bot.botId)).toEqual([
      { number: 2, isCurrent: true, isCanary: false },
      { number: 1, isCurrent: false, isCanary: false },
    ]);
    await say(node, running.text("sessionId"), "Hello");
    const [session] = await api.deps.sql`
      select publication_number
      from sessions
      where id = ${running.text("sessionId")}`;
    expect(session).toEqual({ publicationNumber: 2 });
    expect((await act(bot.botId, "promote")).at("code")).toBe("canary.not_found");
  });

  test("a canary ends if the bot is published for all visitors or unpublished", async () => {
    const bot = await makeBot();
    await publishCanary(bot.botId, 50);
    await api.client.post(`/api/v1/bots/${bot.botId}/publish`, { token: owner.token, body: {} });
    expect((await readCanary(bot.botId)).at("canary")).toBeNull();
    await republishCanary(bot.botId, 1, 20);
    expect((await readCanary(bot.botId)).at("canary")).toMatchObject({ number: 4, percent: 20, currentNumber: 3 });
    await api.client.post(`/api/v1/bots/${bot.botId}/unpublish`, { token: owner.token });
    expect((await readCanary(bot.botId)).at("canary")).toBeNull();
    expect((await act(bot.botId, "rollback")).at("code")).toBe("canary.not_found");
    expect((await publishCanary(bot.botId, 10)).at("code")).toBe("bot.not_published");
    expect((await republishCanary(bot.botId, 1, 20)).at("code")).toBe("bot.not_published");
    expect((await republishCanary(bot.botId, 9, 20)).at("code")).toBe("publication.not_found");
  });

  test("a canary is not promoted if its bot was archived", async () => {
    const { botId } = await makeBot();
    await publishCanary(botId, 50);
    const { sql } = api.deps;
    await sql`update bots set is_archived = true where id = ${botId}`;
    expect(await promoteCanary(sql, { botId, movesChats: false })).toBeUndefined();
    await sql`update bots set is_archived = false where id = ${botId}`;
    expect(await promoteCanary(sql, { botId, movesChats: false })).toBe(2);
  });

  test("concurrent requests to change a canary leave one live version", async () => {
    const bot = await makeBot();
    for (let round = 0; round < 3; round++) {
      await publishCanary(bot.botId, 50);
      const answers = await Promise.all([
        ...["promote", "rollback", "promote", "rollback"].map((what) => act(bot.botId, what)),
        publishCanary(bot.botId, 30),
      ]);
      for (const answer of answers) expect([200, 404]).toContain(answer.status);
      const list = await listed(bot.botId);
      expect(list.filter((one) => one.isCurrent)).toHaveLength(1);
      expect(list.filter((one) => one.isCanary).length).toBeLessThan(2);
      expect(list.map((one) => one.number)).toEqual(list.map((_, index) => list.length - index));
    }
  });

  test("a canary without a whole percentage from 1 to 99 is refused", async () => {
    const bot = await makeBot();
    for (const percent of [0, 100, 12.5, "10", -1]) {
      expect((await publishCanary(bot.botId, percent)).at("data.issues.0.path")).toBe("percent");
    }
    const moving = await api.client.post(`/api/v1/bots/${bot.botId}/publish`, {
      token: owner.token,
      body: { percent: 10, runningChats: "move" },
    });
    expect([moving.at("code"), moving.at("data.issues.0.path")]).toEqual(["request.invalid", "runningChats"]);
    const patched = await api.client.patch(`/api/v1/bots/${bot.botId}/canary`, {
      token: owner.token,
      body: { percent: 5 },
    });
    expect(patched.at("code")).toBe("canary.not_found");
    expect((await readCanary(bot.botId, stranger.token)).at("code")).toBe("bot.not_found");
    expect(await listed(bot.botId)).toHaveLength(1);
  });
});

type Bot = { readonly botId: string; readonly publicId: string };

function makeBot(): Promise<Bot> {
  return publish(api.client, { token: owner.token, workspaceId }, current);
}

async function publishCanary(botId: string, percent: unknown) {
  await api.client.patch(`/api/v1/bots/${botId}`, { token: owner.token, body: { bot: canary } });
  return api.client.post(`/api/v1/bots/${botId}/publish`, { token: owner.token, body: { percent } });
}

function republishCanary(botId: string, number: number, percent: number) {
  return api.client.post(`/api/v1/bots/${botId}/publications/${number}/publish`, {
    token: owner.token,
    body: { percent },
  });
}

function readCanary(botId: string, token = owner.token) {
  return api.client.get(`/api/v1/bots/${botId}/canary`, { token });
}

function act(botId: string, what: string, body: object = {}) {
  return api.client.post(`/api/v1/bots/${botId}/canary/${what}`, { token: owner.token, body });
}

async function listed(botId: string) {
  const list = await api.client.get(`/api/v1/bots/${botId}/publications`, { token: owner.token });
  return list.list("publications").map((_, index) => ({
    number: Number(list.at(`publications.${index}.number`)),
    isCurrent: list.at(`publications.${index}.isCurrent`) === true,
    isCanary: list.at(`publications.${index}.isCanary`) === true,
  }));
}

type Visit = { readonly client?: Client; readonly key?: string; readonly resultId?: string };

async function greeting({ publicId }: Bot, { client = api.client, key, resultId }: Visit = {}): Promise<unknown> {
  const headers = key === undefined ? {} : { "idempotency-key": key };
  const started = await start(client, publicId, resultId === undefined ? {} : { resultId }, { headers });
  return started.at("messages.0.content.plainText");
}

function greetingsOf(bot: Bot, count: number): Promise<unknown[]> {
  const visits = Array.from({ length: count }, (_, index) =>
    greeting(bot, { client: index % 2 === 0 ? api.client : node }),
  );
  return Promise.all(visits);
}

async function beginOn(wanted: string, { publicId }: Bot): Promise<{ sessionId: string; resultId: string }> {
  for (;;) {
    const started = await start(api.client, publicId);
    if (started.at("messages.0.content.plainText") !== wanted) continue;
    return { sessionId: started.text("sessionId"), resultId: started.text("resultId") };
  }
}
