import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { moveWorkspace } from "../../src/commands/import/move.ts";
import { openServer } from "../../src/commands/import/server.ts";
import { isPublicAddress } from "../../src/core/flow/outgoing-rules.ts";
import { createSafeFetch } from "../../src/effects/safe-fetch/safe-fetch.ts";
import { createTestApi, type TestApi, type TestUser } from "../support/api.ts";
import {
  connectTelegram,
  connectWebhookChannel,
  startTelegramAccounts,
  type TelegramAccounts,
} from "../support/channels.ts";
import { asks, flowOf, says } from "../support/chat.ts";
import { testKey } from "../support/events.ts";
import { temporaryFolder } from "../support/folder.ts";
import { createThreads, type Threads } from "../support/threads.ts";

setDefaultTimeout(60_000);

type Here = { readonly api: TestApi; readonly owner: TestUser; readonly url: string; stop(): Promise<void> };

const folder = temporaryFolder();
let threads: Threads;
let telegram: TelegramAccounts;
let source: Here;
let target: Here;

async function serve(): Promise<Here> {
  const api = await createTestApi({
    threads,
    config: {
      ...{ ENCRYPTION_KEY: testKey, RATE_LIMITS: "off", TELEGRAM_API_URL: telegram.url },
      CHAT_URL: "https://chat.example.com",
    },
    safeFetch: createSafeFetch({
      permits: (address, rules) => address === "127.0.0.1" || isPublicAddress(address, rules),
      channelServers: new Set([telegram.url]),
    }),
  });
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: (request) => api.handle(request) });
  return {
    ...{ api, owner: await api.makeUser({ scope: "admin" }), url: `http://127.0.0.1:${server.port}` },
    async stop() {
      await server.stop(true);
      await api.close();
    },
  };
}

beforeAll(async () => {
  threads = createThreads({ count: 1 });
  telegram = await startTelegramAccounts();
  [source, target] = await Promise.all([serve(), serve()]);
});
afterAll(async () => {
  await Promise.all([source.stop(), target.stop()]);
  await telegram.close();
  await threads.close();
  folder.remove();
});

async function filled() {
  const { api, owner } = source;
  const workspaceId = await api.makeWorkspace(owner);
  const post = (path: string, body: object) => api.client.post(path, { token: owner.token, body });
  const makeBot = async (name: string) => {
    const bot = { name, ...flowOf([says("Hi"), asks("text input", {})]) };
    return (await post("/api/v1/bots", { workspaceId, bot })).text("bot.id");
  };
  const [listed, naming] = [await makeBot("Listed"), await makeBot("Naming")];
  const connecting = { client: api.client, token: owner.token, workspaceId };
  const bots = [{ botId: listed, isEnabled: true, startCondition: { comparisons: [] }, sessionExpiryTimeout: 2 }];
  const { connectionId } = await connectTelegram({
    ...{ ...connecting, name: "Tea", bots, botToken: "4711:AAtoken-of-an-account-that-moves-away" },
    settings: { stopWords: ["ENOUGH"], transport: "webhook" },
  });
  await connectWebhookChannel({ ...connecting, name: "Our program", url: "https://example.com/bot" });
  await api.client.patch(`/api/v1/bots/${naming}`, {
    token: owner.token,
    body: { bot: { messengerCredentialsId: connectionId } },
  });
  return workspaceId;
}

function move(fromWorkspaceId: string, workspaceId: string, state: string) {
  return moveWorkspace({
    source: openServer(source.url, { token: source.owner.token, option: "--from" }),
    target: openServer(target.url, { token: target.owner.token, option: "--url" }),
    place: { from: source.url, fromWorkspaceId, to: target.url, workspaceId },
    statePath: join(folder.path, state),
    ...{ isPublishing: false, isWithResults: false, isWithMembers: false, isUntrusted: false },
    tell: () => {},
  });
}

const get = async (path: string) => target.api.client.get(path, { token: target.owner.token });
const post = (path: string, body: object) => target.api.client.post(path, { token: target.owner.token, body });

const connectionsIn = async (workspaceId: string) =>
  (await get(`/api/v1/workspaces/${workspaceId}/channel-connections`))
    .list("channelConnections")
    .map((one) => Object(one));

test("connections are disabled and without secrets after a move", async () => {
  const from = await filled();
  const workspaceId = await target.api.makeWorkspace(target.owner);
  const calls = telegram.calls.length;
  const report = await move(from, workspaceId, "first.json");

  expect(report.problems).toEqual([]);
  expect(report.compared).toContainEqual({ what: "Connections to messengers", bot: null, there: 2, here: 2 });
  expect(report.left).toContainEqual({
    what: "Secrets of connections to messengers, which are disabled here",
    names: ['"Tea"', '"Our program"'],
  });
  expect(telegram.calls).toHaveLength(calls);
  const bots = (await get(`/api/v1/bots?workspaceId=${workspaceId}`)).list("bots").map((one) => Object(one));
  const idOf = (name: string) => bots.find((one) => one.name === name)?.id;
  const connections = await connectionsIn(workspaceId);
  const tea = connections.find(({ name }) => name === "Tea");
  expect(tea).toMatchObject({
    ...{ channel: "telegram", externalId: "4711", isEnabled: false, disabledReason: "imported" },
    secrets: { botToken: { isSet: false }, secretToken: { isSet: false } },
    settings: { stopWords: ["ENOUGH"], transport: "webhook" },
    bots: [{ botId: idOf("Listed"), isEnabled: true, startCondition: { comparisons: [] }, sessionExpiryTimeout: 2 }],
  });
  expect((await get(`/api/v1/bots/${idOf("Naming")}`)).at("bot.messengerCredentialsId")).toBe(tea.id);

  const again = await move(from, workspaceId, "again.json");
  expect(again.problems).toEqual([]);
  expect((await connectionsIn(workspaceId)).map(({ id }) => id)).toEqual(connections.map(({ id }) => id));

  const elsewhere = await target.api.makeWorkspace(target.owner);
  const taken = await move(from, elsewhere, "taken.json");
  expect(taken.compared).toContainEqual({ what: "Connections to messengers", bot: null, there: 2, here: 0 });
  expect(taken.left).toContainEqual({
    what: "Connections to messengers",
    names: [expect.stringContaining('"Tea": ')],
  });
  expect(await connectionsIn(elsewhere)).toEqual([]);
});

test("a Telegram connection without secrets rejects webhook calls", async () => {
  const workspaceId = await target.api.makeWorkspace(target.owner);
  const base = `/api/v1/workspaces/${workspaceId}/channel-connections`;
  const body = { channel: "telegram", name: "Coffee", externalId: "815" };
  const botToken = "815:AAtoken-of-an-account-that-has-moved-in";
  expect((await post(base, { ...body, secrets: { botToken } })).status).toBe(400);
  const made = await post(base, body);
  const id = made.text("channelConnection.id");
  expect(made.at("madeSecrets")).toEqual({});
  const called = async (secret?: string) => {
    const headers = secret === undefined ? {} : { "X-Telegram-Bot-Api-Secret-Token": secret };
    const answer = await target.api.client.post(`/api/v1/channels/${id}/webhook`, { headers, body: { update_id: 1 } });
    return answer.status === 200 ? "accepted" : answer.at("code");
  };
  // A connection without a secret accepts no token.
  for (const guess of [undefined, "", "undefined", "null"])
    expect(await called(guess)).toBe("channel_connection.not_signed");
  const enabled = await post(`${base}/${id}/enable`, {});
  expect([enabled.status, enabled.at("code")]).toEqual([422, "channel_connection.refused"]);
  expect((await post(`${base}/${id}/check`, {})).at("check.0.problem")).toBe("refused");
  const other = await post(`${base}/${id}/rotate`, {
    secrets: { botToken: "816:AAtoken-of-quite-another-account-here" },
  });
  expect([other.status, other.at("code")]).toEqual([422, "channel_connection.refused"]);

  const rotated = await post(`${base}/${id}/rotate`, { secrets: { botToken } });
  expect([rotated.status, rotated.at("channelConnection.isEnabled")]).toEqual([200, false]);
  const { secretToken } = Object(rotated.at("madeSecrets"));
  expect([await called(), await called(secretToken)]).toEqual(["channel_connection.not_signed", "accepted"]);
  expect((await post(`${base}/${id}/enable`, {})).at("channelConnection.isEnabled")).toBe(true);
  expect(telegram.webhookOf(botToken)).toContain(id);
});
