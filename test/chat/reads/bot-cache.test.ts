import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { createApp } from "../../../src/service/app.ts";
import { createDependencies } from "../../../src/service/dependencies.ts";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { idOf } from "../../support/builder-ids.ts";
import { asks, flowOf, publish, says, start } from "../../support/chat.ts";
import { type Client, createClient } from "../../support/client.ts";
import { putEndpoint } from "../../support/events.ts";
import { type OutsideServer, outsideFetch, startOutside } from "../../support/outside.ts";
import { createThreads, type Threads } from "../../support/threads.ts";

let api: TestApi;
let threads: Threads;
let outside: OutsideServer;
let owner: TestUser;
let workspaceId: string;
/** A node, and the number of its reads of bots. Another node makes the changes. */
let node: { readonly client: Client; readonly reads: { count: number } };

beforeAll(async () => {
  threads = createThreads({ count: 1 });
  outside = await startOutside((_, response) => response.end("{}"));
  api = await createTestApi({ threads, safeFetch: outsideFetch() });
  owner = await api.makeUser();
});
beforeEach(async () => {
  workspaceId = await api.makeWorkspace(owner);
  node = makeNode();
});
afterAll(async () => {
  await threads.close();
  await outside.close();
  await api.close();
});

function makeNode() {
  const made = createDependencies(api.deps);
  const reads = { count: 0 };
  const { publishedBots } = made.reads;
  const counted: typeof publishedBots = {
    add(publicId) {
      reads.count++;
      return publishedBots.add(publicId);
    },
  };
  const app = createApp({ ...made, reads: { ...made.reads, publishedBots: counted } });
  return { client: createClient({ handle: (request) => app.handle(request) }), reads };
}

const asking = (words: string) => flowOf([says(words), asks("text input")]);
const shown = "messages.*.content.plainText";

/** Publishes a bot, and starts a chat so that the node caches the bot. */
async function cache(flow: object) {
  const bot = await publish(api.client, { token: owner.token, workspaceId }, flow);
  await start(node.client, bot.publicId);
  expect(node.reads.count).toBe(1);
  return bot;
}

async function change(botId: string, bot: object): Promise<void> {
  const changed = await api.client.patch(`/api/v1/bots/${botId}`, { token: owner.token, body: { bot } });
  expect(changed.status).toBe(200);
}

async function publishAnew(botId: string, flow: object): Promise<void> {
  await change(botId, flow);
  await api.client.post(`/api/v1/bots/${botId}/publish`, { token: owner.token, body: { force: true } });
}

const suspend = (isSuspended: boolean) =>
  api.deps.sql`update workspaces set is_suspended = ${isSuspended} where id = ${workspaceId}`;
const resultsOf = async (botId: string) =>
  (await api.client.get(`/api/v1/bots/${botId}/results?timeFilter=allTime`, { token: owner.token })).list("results");

describe("a start with a cached bot", () => {
  test("a start with a cached bot requires no read of the bot", async () => {
    const { botId, publicId } = await cache(asking("One?"));
    const keyed = { headers: { "Idempotency-Key": "a-key-of-sixteen-letters" } };

    expect((await start(node.client, publicId)).at(shown)).toEqual(["One?"]);
    const first = await start(node.client, publicId, {}, keyed);
    expect(node.reads.count).toBe(1);
    expect((await start(node.client, publicId, {}, keyed)).body).toEqual(first.body);
    expect(await resultsOf(botId)).toHaveLength(3);
  });

  test("a start with a cached bot is refused once the bot is closed", async () => {
    const { botId, publicId } = await cache(asking("One?"));
    const keyed = { headers: { "Idempotency-Key": "another-key-of-many-letters" } };
    await start(node.client, publicId, {}, keyed);
    await change(botId, { isClosed: true });

    expect((await start(node.client, publicId, {}, keyed)).at("code")).toBe("bot.closed");
  });

  test("a start with a cached bot accepts the bot's public id in upper case", async () => {
    const { publicId } = await cache(asking("One?"));

    expect((await start(node.client, publicId.toUpperCase())).at(shown)).toEqual(["One?"]);
    expect(node.reads.count).toBe(1);
  });

  test("a start with a cached bot shows a newly published version", async () => {
    const { botId, publicId } = await cache(asking("One?"));
    await publishAnew(botId, asking("Two?"));

    expect((await start(node.client, publicId)).at(shown)).toEqual(["Two?"]);
    expect((await start(node.client, publicId)).at(shown)).toEqual(["Two?"]);
    expect(node.reads.count).toBe(2);
    expect(await resultsOf(botId)).toHaveLength(3);
  });

  test("a start with a cached bot is refused once the bot is unavailable", async () => {
    const { botId, publicId } = await cache(asking("One?"));
    const path = `/api/v1/bots/${botId}`;
    const refused = async () => {
      const answer = await start(node.client, publicId);
      return answer.at("code");
    };
    const goOn = async () => expect((await start(node.client, publicId)).at(shown)).toEqual(["One?"]);

    await suspend(true);
    expect(await refused()).toBe("workspace.suspended");
    await suspend(false);
    await goOn();
    await change(botId, { isClosed: true });
    expect(await refused()).toBe("bot.closed");
    await change(botId, { isClosed: false });
    await goOn();
    await api.client.post(`${path}/unpublish`, { token: owner.token });
    expect(await refused()).toBe("bot.not_found");
    await api.client.post(`${path}/publish`, { token: owner.token, body: { force: true } });
    await goOn();
    expect(await resultsOf(botId)).toHaveLength(4);
    await api.client.delete(path, { token: owner.token });
    expect(await refused()).toBe("bot.not_found");
  });

  test("a start with a cached bot uses the bot that currently has the public id", async () => {
    const { botId, publicId } = await cache(asking("One?"));
    const other = await publish(api.client, { token: owner.token, workspaceId }, asking("Two?"));
    await change(botId, { publicId: null });
    await change(other.botId, { publicId });

    expect((await start(node.client, publicId)).at(shown)).toEqual(["Two?"]);
    expect(await resultsOf(botId)).toHaveLength(1);
  });

  test("the event of a start with a cached bot reaches a new endpoint", async () => {
    const { publicId } = await cache(flowOf([asks("text input"), says("Goodbye")]));
    const { endpointId } = await putEndpoint(api.deps.sql, { url: "https://receiver.example/", workspaceId });
    await start(node.client, publicId, { message: "Hello" });

    expect(node.reads.count).toBe(2);
    const rows = await api.deps.sql`select from event_deliveries where endpoint_id = ${endpointId}`;
    expect(rows.length).toBeGreaterThan(0);
  });

  test("a start with a cached bot follows the bot's current flow", async () => {
    const { botId, publicId } = await cache(asking("One?"));
    await publishAnew(botId, flowOf([says("Round"), { id: "again", type: "Jump", options: { groupId: idOf("g0") } }]));
    expect((await start(node.client, publicId)).at("code")).toBe("step.over_budget");
    await publishAnew(botId, asking("Two?"));

    expect((await start(node.client, publicId)).at(shown)).toEqual(["Two?"]);
    await publishAnew(botId, {
      ...asking("Three?"),
      settings: { security: { allowedOrigins: ["https://shop.example"] } },
    });
    const elsewhere = { headers: { Origin: "https://elsewhere.example" } };
    expect((await start(node.client, publicId, {}, elsewhere)).at("code")).toBe("origin.not_allowed");
    await publishAnew(botId, { ...asking("Four?"), settings: {} });
    expect((await start(node.client, publicId, {}, elsewhere)).at(shown)).toEqual(["Four?"]);
  });

  test("a start with a cached bot reads the bot before it performs effects", async () => {
    const call = { id: "call", type: "Webhook", options: { webhook: { method: "POST", url: outside.url("/called") } } };
    const { botId, publicId } = await cache(flowOf([call, says("Called"), asks("text input")]));
    const called = () => outside.requests.filter(({ path }) => path === "/called").length;
    expect(called()).toBe(1);

    expect((await start(node.client, publicId)).at(shown)).toEqual(["Called"]);
    expect([node.reads.count, called()]).toEqual([2, 2]);
    await change(botId, { isClosed: true });
    expect((await start(node.client, publicId)).at("code")).toBe("bot.closed");
    expect(called()).toBe(2);
  });
});
