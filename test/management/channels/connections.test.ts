import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Config } from "../../../src/config.ts";
import { limits } from "../../../src/limits/index.ts";
import { openConnection } from "../../../src/management/channels/open-connections.ts";
import { nameConnections } from "../../../src/platform/database/connections.sql.ts";
import { migrations } from "../../../src/platform/database/migrations.ts";
import { createOlderNodes } from "../../../src/platform/database/schema/older-nodes.ts";
import { connect } from "../../../src/platform/database/sql.ts";
import { newId } from "../../../src/platform/ids.ts";
import type { Log, LogFacts } from "../../../src/platform/observing/log.ts";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import {
  connectTelegram,
  connectWebhookChannel,
  newBotToken,
  startTelegramAccounts,
  type TelegramAccounts,
} from "../../support/channels.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { testKey } from "../../support/events.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";

let telegram: TelegramAccounts;
let database: TestDatabase;
let api: TestApi;
let admin: TestUser;
let workspaceId: string;
let base: string;
const logged: string[] = [];
const note = (message: string, facts: LogFacts = {}) => void logged.push(`${message} ${JSON.stringify(facts)}`);
const log: Log = { debug: note, info: note, warn: note, error: note };

beforeAll(async () => {
  telegram = await startTelegramAccounts();
  database = await createTestDatabase();
  api = await createTestApi({
    config: { ENCRYPTION_KEY: testKey, TELEGRAM_API_URL: telegram.url, CHAT_URL: "https://chat.example.com" },
    database,
    log,
  });
  admin = await api.makeUser();
  workspaceId = await api.makeWorkspace(admin);
  base = `/api/v1/workspaces/${workspaceId}/channel-connections`;
});
afterAll(async () => {
  await api.close();
  await telegram.close();
});

const createNode = (config: Partial<Config>) =>
  createTestApi({
    config: { ENCRYPTION_KEY: testKey, TELEGRAM_API_URL: telegram.url, ...config },
    database: { ...database, close: async () => {} },
  });
const at = (connectionId: string, rest = "") => `${base}/${connectionId}${rest}`;
const asAdmin = (body?: object) => ({ token: admin.token, ...(body && { body }) });
const connected = (options: object = {}) =>
  connectTelegram({ client: api.client, token: admin.token, workspaceId, ...options });
const methodsOf = (token: string) => telegram.calls.filter((call) => call.token === token).map(({ method }) => method);

describe("connecting a bot account of Telegram", () => {
  test("connecting a Telegram account registers the webhook", async () => {
    const { connectionId, botToken, answer, madeSecrets } = await connected({ name: "Tea" });

    expect(methodsOf(botToken)).toEqual(["getMe", "getWebhookInfo", "setWebhook", "setMyCommands"]);
    const webhookUrl = `https://chat.example.com/api/v1/channels/${connectionId}/webhook`;
    expect(telegram.webhookOf(botToken)).toBe(webhookUrl);
    expect(telegram.calls.find(({ token, method }) => token === botToken && method === "setWebhook")?.body).toEqual({
      url: webhookUrl,
      secret_token: madeSecrets["secretToken"],
      allowed_updates: ["message", "callback_query", "my_chat_member"],
      max_connections: 40,
      drop_pending_updates: false,
    });
    const id = botToken.split(":")[0] ?? "";
    expect(answer.at("channelConnection")).toEqual({
      id: connectionId,
      workspaceId,
      channel: "telegram",
      name: "Tea",
      externalId: id,
      display: `@tea_${id}_bot`,
      settings: { transport: "webhook" },
      secrets: {
        botToken: { isSet: true, ends: botToken.slice(-4) },
        secretToken: { isSet: true, ends: madeSecrets["secretToken"]?.slice(-4) ?? "" },
      },
      bots: [],
      isEnabled: true,
      disabledReason: null,
      previousUntil: null,
      webhookUrl,
      lastInboundAt: null,
      lastOutboundAt: null,
      failingSince: null,
      pausedUntil: null,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    expect(madeSecrets["secretToken"]).toMatch(/^[\w-]{32}$/);
    const opened = await openConnection(api.deps, connectionId);
    expect(opened?.secrets).toEqual({ botToken, secretToken: madeSecrets["secretToken"] });
  });

  test("connecting a Telegram account stores nothing for a rejected token", async () => {
    const botToken = newBotToken();
    telegram.revoked.add(botToken);
    const answer = await api.client.post(base, asAdmin({ channel: "telegram", name: "Tea", secrets: { botToken } }));

    expect(answer.status).toBe(422);
    expect(answer.at("code")).toBe("channel_connection.refused");
    expect(answer.text("message")).toStartWith("The messenger refused the connection: Unauthorized");
    expect(JSON.stringify(answer.body)).not.toContain(botToken);
    expect(methodsOf(botToken)).not.toContain("setWebhook");
    const rows = await api.deps
      .sql`select from channel_connections where external_id = ${botToken.split(":")[0] ?? ""}`;
    expect(rows).toHaveLength(0);
  });

  test("a Telegram account can be connected again after a refused webhook", async () => {
    const botToken = newBotToken();
    telegram.failing.set("setWebhook", "Bad Request: bad webhook: HTTPS url must be provided for webhook");
    const body = { channel: "telegram", name: "Tea", secrets: { botToken } };
    const refused = await api.client.post(base, asAdmin(body));
    telegram.failing.clear();

    expect(refused.at("code")).toBe("channel_connection.refused");
    expect((await api.client.post(base, asAdmin(body))).status).toBe(200);
  });

  test("connecting a Telegram account of another workspace is rejected", async () => {
    const { botToken } = await connected();
    const otherId = await api.makeWorkspace(admin);
    const answer = await api.client.post(
      `/api/v1/workspaces/${otherId}/channel-connections`,
      asAdmin({ channel: "telegram", name: "Tea", secrets: { botToken } }),
    );

    expect(answer.status).toBe(409);
    expect(answer.at("code")).toBe("channel_connection.taken");
    expect(JSON.stringify(answer.body)).not.toContain(workspaceId);
    expect(methodsOf(botToken).filter((method) => method === "setWebhook")).toHaveLength(1);
  });

  test.each([
    ["an invalid token", { secrets: { botToken: "nonsense" } }, "secrets.botToken"],
    ["a missing token", { secrets: {} }, "secrets.botToken"],
    ["a secret that the service generates", { secrets: { secretToken: "mine" } }, "secrets.secretToken"],
    ["an unknown setting", { settings: { colour: "red" } }, "settings.colour"],
    ["a setting with an invalid value", { settings: { staleMinutes: 0 } }, "settings.staleMinutes"],
  ])("connecting a Telegram account rejects %s", async (_, given, path) => {
    const secrets = { botToken: newBotToken() };
    const answer = await api.client.post(base, asAdmin({ channel: "telegram", name: "Tea", secrets, ...given }));

    expect(answer.status).toBe(400);
    expect(answer.at("data.issues.*.path")).toContain(path);
  });

  test("connecting a Telegram account is refused if a bot does not exist", async () => {
    const secrets = { botToken: newBotToken() };
    const bots = [{ botId: newId() }];
    const answer = await api.client.post(base, asAdmin({ channel: "telegram", name: "Tea", secrets, bots }));
    expect(answer.at("code")).toBe("bot.not_found");
  });

  test("connecting a Telegram account requires an encryption key", async () => {
    const keyless = await createTestApi({ config: { TELEGRAM_API_URL: telegram.url } });
    const user = await keyless.makeUser();
    const botToken = newBotToken();
    const answer = await keyless.client.post(
      `/api/v1/workspaces/${await keyless.makeWorkspace(user)}/channel-connections`,
      { token: user.token, body: { channel: "telegram", name: "Tea", secrets: { botToken } } },
    );
    await keyless.close();

    expect(answer.at("code")).toBe("secret.no_key");
    expect(methodsOf(botToken)).toEqual([]);
  });

  test("the service polls for messages if Telegram cannot call it", async () => {
    const inner = await createTestApi({
      config: { ENCRYPTION_KEY: testKey, TELEGRAM_API_URL: telegram.url, CHAT_URL: "https://chat.example.com:3000" },
    });
    const user = await inner.makeUser();
    const innerWorkspace = await inner.makeWorkspace(user);
    const place = { client: inner.client, token: user.token, workspaceId: innerWorkspace };
    const { answer, botToken } = await connectTelegram(place);
    const asked = await inner.client.post(`/api/v1/workspaces/${innerWorkspace}/channel-connections`, {
      token: user.token,
      body: {
        channel: "telegram",
        name: "Tea",
        secrets: { botToken: newBotToken() },
        settings: { transport: "webhook" },
      },
    });
    await inner.close();

    expect(answer.at("channelConnection.settings")).toEqual({ transport: "poll" });
    expect(answer.at("channelConnection.webhookUrl")).toBeNull();
    expect(methodsOf(botToken)).toEqual(["getMe", "getWebhookInfo", "deleteWebhook", "setMyCommands"]);
    expect(asked.at("code")).toBe("channel_connection.no_address");
  });

  test("connecting a Telegram account is refused at the connection limit", async () => {
    const full = await api.makeWorkspace(admin);
    await api.deps.sql`
      insert into channel_connections (id, workspace_id, channel, name, external_id, settings, sealed, hint, bots, is_enabled)
      select new_id(), ${full}, 'webhook', 'One of many', 'many ' || number, '{}', '', '{}', '[]', false
      from generate_series(1, ${limits.channels.connections}) as number`;
    const answer = await api.client.post(`/api/v1/workspaces/${full}/channel-connections`, {
      token: admin.token,
      body: { channel: "telegram", name: "One too many", secrets: { botToken: newBotToken() } },
    });

    expect(answer.at("code")).toBe("channel_connection.too_many");
  });
});

describe("a connection of a custom program", () => {
  test("a connection's signing secret is shown only at its creation", async () => {
    const { connectionId, answer, madeSecrets } = await connectWebhookChannel({
      ...{ client: api.client, token: admin.token, workspaceId, url: "https://crm.example.com/parley" },
    });

    expect(madeSecrets["secret"]).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(answer.at("channelConnection.display")).toBe("crm.example.com");
    expect(answer.at("channelConnection.externalId")).toBe(connectionId);
    const got = await api.client.get(at(connectionId), asAdmin());
    expect(JSON.stringify(got.body)).not.toContain(madeSecrets["secret"]);
  });

  test.each(["http://127.0.0.1:4000/", "http://10.0.0.5/", "http://localhost:1/"])(
    "a connection of a custom program rejects %s",
    async (url) => {
      const answer = await api.client.post(base, asAdmin({ channel: "webhook", name: "Ours", settings: { url } }));
      expect(answer.at("data.issues.0.path")).toBe("settings.url");
    },
  );
});

describe("an existing connection", () => {
  test("existing connections can be filtered by type", async () => {
    const own = await api.makeWorkspace(admin);
    const place = { client: api.client, token: admin.token, workspaceId: own };
    const first = await connectTelegram(place);
    const second = await connectTelegram(place);
    await connectWebhookChannel({ ...place, url: "https://crm.example.com/" });
    const listed = `/api/v1/workspaces/${own}/channel-connections`;
    const page = await api.client.get(listed, { token: admin.token, query: { channel: "telegram", limit: 1 } });
    const next = await api.client.get(listed, {
      token: admin.token,
      query: { channel: "telegram", limit: 1, cursor: page.text("nextCursor") },
    });

    expect(page.at("channelConnections.*.id")).toEqual([second.connectionId]);
    expect(next.at("channelConnections.*.id")).toEqual([first.connectionId]);
    expect(next.at("nextCursor")).toBeUndefined();
  });

  test("a connection of an unknown type is not listed and cannot be read", async () => {
    const own = await api.makeWorkspace(admin);
    const place = { client: api.client, token: admin.token, workspaceId: own };
    const later = await connectTelegram(place);
    const known = await connectTelegram(place);
    await api.deps.sql`update channel_connections set channel = 'pigeon' where id = ${later.connectionId}`;
    const listed = `/api/v1/workspaces/${own}/channel-connections`;

    expect((await api.client.get(listed, asAdmin())).at("channelConnections.*.id")).toEqual([known.connectionId]);
    expect((await api.client.get(`${listed}/${later.connectionId}`, asAdmin())).at("code")).toBe(
      "channel_connection.not_found",
    );
  });

  test("changing an existing connection keeps omitted settings", async () => {
    const { connectionId } = await connected({ settings: { staleMinutes: 30, typing: false } });
    const answer = await api.client.patch(
      at(connectionId),
      asAdmin({ name: "Coffee", settings: { staleMinutes: null, inDoubt: "skip" } }),
    );

    expect(answer.at("channelConnection.name")).toBe("Coffee");
    expect(answer.at("channelConnection.settings")).toEqual({ transport: "webhook", typing: false, inDoubt: "skip" });
  });

  test("an existing connection is registered again if its transport changes", async () => {
    const { connectionId, botToken } = await connected();
    await api.client.patch(at(connectionId), asAdmin({ name: "Coffee" }));
    expect(methodsOf(botToken)).toHaveLength(4);
    const answer = await api.client.patch(at(connectionId), asAdmin({ settings: { transport: "poll" } }));

    expect(answer.at("channelConnection.webhookUrl")).toBeNull();
    expect(methodsOf(botToken).slice(4)).toEqual(["deleteWebhook", "setMyCommands"]);
  });

  test("an existing connection keeps a deleted bot in its list", async () => {
    const makeBot = async () =>
      (await api.client.post("/api/v1/bots", asAdmin({ workspaceId, bot: { name: "Tea" } }))).text("bot.id");
    const [gone, other] = [await makeBot(), await makeBot()];
    const { connectionId } = await connected({ bots: [{ botId: gone }] });
    await api.client.delete(`/api/v1/bots/${gone}`, asAdmin());
    const bots = [{ botId: gone }, { botId: other }];
    const answer = await api.client.patch(at(connectionId), asAdmin({ bots }));

    expect(answer.at("channelConnection.bots.*.botId")).toEqual([gone, other]);
    const { connectionId: another } = await connected();
    expect((await api.client.patch(at(another), asAdmin({ bots }))).at("code")).toBe("bot.not_found");
  });

  test("a node with CHANNELS=off makes no call to Telegram", async () => {
    const { connectionId, botToken } = await connected();
    const copy = await createNode({ CHAT_URL: "https://staging.example.com", CHANNELS: false });
    const called = methodsOf(botToken).length;
    const refused = await Promise.all([
      ...["/register", "/enable", "/rotate"].map((act) => copy.client.post(at(connectionId, act), asAdmin({}))),
      copy.client.post(base, asAdmin({ channel: "telegram", name: "Tea", secrets: { botToken: newBotToken() } })),
    ]);
    expect(refused.map((answer) => answer.at("code"))).toEqual(Array(4).fill("channel_connection.off"));
    await copy.client.patch(at(connectionId), asAdmin({ bots: [] }));
    await copy.client.delete(at(connectionId), { token: admin.token, query: { name: "Our telegram" } });
    await copy.close();

    expect(methodsOf(botToken)).toHaveLength(called);
    expect(telegram.webhookOf(botToken)).toStartWith("https://chat.example.com/");
  });

  test("a connection cannot be enabled while an older node is running", async () => {
    const { connectionId } = await connected();
    const node = await createNode({ CHAT_URL: "https://chat.example.com" });
    const clock = createVirtualClock();
    Object.assign(node.deps, { olderNodes: createOlderNodes({ sql: node.deps.sql, clock }) });
    const newest = migrations.findIndex(({ name }) => name.endsWith("_channels"));
    const named = nameConnections(node.databaseUrl, 1, newest);
    const older = connect(named.url, { connections: 1 });
    await older`select 1`;
    const botToken = newBotToken();
    const wanted = asAdmin({ channel: "telegram", name: "Tea", secrets: { botToken } });
    const acts = ["/register", "/enable", "/rotate"];
    const refused = await Promise.all([
      ...acts.map((act) => node.client.post(at(connectionId, act), asAdmin({}))),
      node.client.post(base, wanted),
    ]);
    await older.end();
    await clock.advance(15_000);
    const alone = await node.client.post(base, wanted);
    await node.close();

    expect(refused.map((answer) => answer.at("code"))).toEqual(Array(4).fill("channel_connection.older_nodes"));
    expect(refused.map((answer) => answer.at("data.nodes"))).toEqual(Array(4).fill([named.name]));
    expect(alone.status).toBe(200);
    expect(methodsOf(botToken).filter((method) => method === "setWebhook")).toHaveLength(1);
  });

  test("a connection's bots cannot be changed without a public address", async () => {
    const { connectionId } = await connected();
    const node = await createNode({});
    const renamed = await node.client.patch(at(connectionId), asAdmin({ name: "Coffee" }));
    const more = await node.client.patch(at(connectionId), asAdmin({ bots: [] }));
    await node.close();

    expect(renamed.at("channelConnection.name")).toBe("Coffee");
    expect(more.at("code")).toBe("channel_connection.no_address");
  });

  test("a check reports the state of a connection's secrets and webhook", async () => {
    const { connectionId, botToken } = await connected();
    const check = async () => (await api.client.post(at(connectionId, "/check"), asAdmin())).list("check");
    const ok = { state: "ok", advice: null };
    expect(await check()).toEqual([
      { name: "secrets", ...ok },
      { name: "webhook", ...ok },
      { name: "delivery", ...ok },
      { name: "account", ...ok },
    ]);

    telegram.setWebhook(botToken, "https://other.example.com/key-of-somebody-else");
    const elsewhere = await check();
    expect(elsewhere[1]).toMatchObject({ name: "webhook", state: "wrong", problem: "elsewhere" });
    expect(JSON.stringify(elsewhere)).not.toContain("key-of-somebody-else");
    telegram.revoked.add(botToken);
    expect((await check())[0]).toMatchObject({ name: "secrets", state: "wrong", problem: "refused" });
  });

  test("registering an existing connection again restores its webhook", async () => {
    const { connectionId, botToken } = await connected();
    telegram.setWebhook(botToken, "https://other.example.com/");
    const answer = await api.client.post(at(connectionId, "/register"), asAdmin());

    expect(answer.status).toBe(200);
    expect(telegram.webhookOf(botToken)).toEndWith(`/api/v1/channels/${connectionId}/webhook`);
  });

  test("an existing connection can be disabled and enabled", async () => {
    const { connectionId } = await connected();
    const disabled = await api.client.post(at(connectionId, "/disable"), asAdmin());
    expect(disabled.at("channelConnection")).toMatchObject({ isEnabled: false, disabledReason: "by_hand" });
    expect((await api.client.post(at(connectionId, "/register"), asAdmin())).at("code")).toBe(
      "channel_connection.disabled",
    );
    const enabled = await api.client.post(at(connectionId, "/enable"), asAdmin());
    expect(enabled.at("channelConnection")).toMatchObject({ isEnabled: true, disabledReason: null });
  });

  test("an existing connection stays disabled while Telegram rejects its token", async () => {
    const { connectionId, botToken } = await connected();
    await api.client.post(at(connectionId, "/disable"), asAdmin());
    telegram.revoked.add(botToken);

    expect((await api.client.post(at(connectionId, "/enable"), asAdmin())).at("code")).toBe(
      "channel_connection.refused",
    );
    const got = await api.client.get(at(connectionId), asAdmin());
    expect(got.at("channelConnection.isEnabled")).toBe(false);
  });

  test("rotating the secrets of a connection keeps the previous ones for a limited time", async () => {
    const { connectionId, botToken, madeSecrets } = await connected();
    const newToken = `${botToken.split(":")[0]}:BBanother-secret-of-the-same-bot`;
    const answer = await api.client.post(at(connectionId, "/rotate"), asAdmin({ secrets: { botToken: newToken } }));

    expect(answer.text("madeSecrets.secretToken")).not.toBe(madeSecrets["secretToken"] ?? "");
    const opened = await openConnection(api.deps, connectionId);
    expect(opened?.secrets).toEqual({ botToken: newToken, secretToken: answer.text("madeSecrets.secretToken") });
    expect(opened?.previousSecrets).toEqual({ botToken, secretToken: madeSecrets["secretToken"] });
    await api.deps.sql`update channel_connections set previous_until = clock() where id = ${connectionId}`;
    expect((await openConnection(api.deps, connectionId))?.previousSecrets).toBeUndefined();
  });

  test("rotating the secrets of a connection rejects the token of another account", async () => {
    const { connectionId } = await connected();
    const answer = await api.client.post(
      at(connectionId, "/rotate"),
      asAdmin({ secrets: { botToken: newBotToken() } }),
    );

    expect(answer.at("data.code")).toBe("other_account");
  });

  test("an existing connection is deleted only if its name is confirmed", async () => {
    const { connectionId, botToken } = await connected({ name: "Tea" });
    const wrong = await api.client.delete(at(connectionId), { token: admin.token, query: { name: "Coffee" } });
    expect(wrong.status).toBe(400);
    const answer = await api.client.delete(at(connectionId), { token: admin.token, query: { name: "Tea" } });

    expect(answer.at("channelConnection.id")).toBe(connectionId);
    expect(telegram.webhookOf(botToken)).toBe("");
    expect((await api.client.get(at(connectionId), asAdmin())).at("code")).toBe("channel_connection.not_found");
    expect(await openConnection(api.deps, connectionId)).toBeUndefined();
    expect((await connected({ botToken })).connectionId).not.toBe(connectionId);
  });

  test("an existing connection reports the refused calls to its webhook", async () => {
    const { connectionId } = await connected();
    await api.deps.sql`
      update channel_connections
      set refused_calls = 3, refused_at = clock(), refused_why = 'signature'
      where id = ${connectionId}`;
    const answer = await api.client.get(at(connectionId, "/webhook"), asAdmin());

    expect(answer.at("webhook")).toEqual({
      url: `https://chat.example.com/api/v1/channels/${connectionId}/webhook`,
      lastCallAt: null,
      refusedCalls: 3,
      refusedAt: expect.any(String),
      refusedWhy: "signature",
    });
  });

  test("an existing connection that cannot be decrypted is reported as unreadable", async () => {
    const { connectionId, botToken } = await connected();
    await api.deps.sql`update channel_connections set sealed = 'nonsense' where id = ${connectionId}`;
    expect((await api.client.post(at(connectionId, "/check"), asAdmin())).at("code")).toBe(
      "channel_connection.unreadable",
    );
    expect(await openConnection(api.deps, connectionId)).toBeUndefined();
    const rotated = await api.client.post(at(connectionId, "/rotate"), asAdmin({ secrets: { botToken } }));
    expect(rotated.status).toBe(200);
  });
});

test("the secrets of a connection appear in no response, log, event or row", async () => {
  const { connectionId, botToken, madeSecrets } = await connected();
  const answers = [
    await api.client.get(base, asAdmin()),
    await api.client.get(at(connectionId), asAdmin()),
    await api.client.post(at(connectionId, "/check"), asAdmin()),
    await api.client.post(at(connectionId, "/disable"), asAdmin()),
    await api.client.post(at(connectionId, "/enable"), asAdmin()),
    await api.client.get(at(connectionId, "/webhook"), asAdmin()),
  ];
  telegram.revoked.add(botToken);
  answers.push(await api.client.post(at(connectionId, "/register"), asAdmin()));
  const [rows] = await api.deps.sql`
    select
      (select json_agg(c)::text from channel_connections c) as connections,
      (select json_agg(a)::text from audit_entries a) as entries,
      (select json_agg(d)::text from event_deliveries d) as deliveries`;
  const places = [JSON.stringify(answers.map(({ body }) => body)), logged.join("\n"), JSON.stringify(rows)];

  expect(answers.at(-1)?.at("code")).toBe("channel_connection.refused");
  for (const secret of [botToken, botToken.split(":")[1] ?? "", madeSecrets["secretToken"] ?? ""]) {
    for (const place of places) expect(place).not.toContain(secret);
  }
});

test("only calls by a connection can reach a messenger's server on a loopback address", async () => {
  const { safeFetch } = api.deps;
  const call = (trusted?: "models" | "providers" | "channels") =>
    safeFetch({
      url: `${telegram.url}/bot1:x/getMe`,
      method: "POST",
      headers: [],
      timeoutMs: 2_000,
      hops: { count: 0, workspaceId, root: null },
      ...(trusted && { trusted }),
    }).then(
      () => "called",
      () => "refused",
    );

  expect(await call("channels")).toBe("called");
  expect(await Promise.all([call(), call("models"), call("providers")])).toEqual(["refused", "refused", "refused"]);
});
