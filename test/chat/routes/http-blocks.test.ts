import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { ServerResponse } from "node:http";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { idOf } from "../../support/builder-ids.ts";
import { asks, flowOf, say, says } from "../../support/chat.ts";
import { testKey } from "../../support/events.ts";
import { type OutsideRequest, type OutsideServer, outsideFetch, startOutside } from "../../support/outside.ts";
import { createThreads, type Threads } from "../../support/threads.ts";

let api: TestApi;
let threads: Threads;
let owner: TestUser;
let workspaceId: string;
let server: OutsideServer;
let answer: (request: OutsideRequest, response: ServerResponse) => void;

beforeAll(async () => {
  threads = createThreads({ count: 1 });
  api = await createTestApi({ threads, safeFetch: outsideFetch(), config: { ENCRYPTION_KEY: testKey } });
  owner = await api.makeUser();
  workspaceId = await api.makeWorkspace(owner);
  server = await startOutside((request, response) => answer(request, response));
});
beforeEach(() => {
  answer = (_, response) => response.end('{"word":"ok"}');
});
afterAll(async () => {
  await server.close();
  await threads.close();
  await api.close();
});

const mapping = [{ id: "m", variableId: idOf("Name"), bodyPath: "data.word ?? data.message" }];

function calls(webhook: object | undefined, options: object = {}) {
  return { id: "call", type: "Webhook", options: { webhook, responseVariableMapping: mapping, ...options } };
}

async function makeBot(...groups: readonly (readonly object[])[]): Promise<string> {
  const bot = { name: "Calls", ...flowOf(...groups) };
  return (await api.client.post("/api/v1/bots", { token: owner.token, body: { workspaceId, bot } })).text("bot.id");
}

const get = (path: string) => api.client.get(path, { token: owner.token });
const post = (path: string, body: object = {}) => api.client.post(path, { token: owner.token, body });

describe("the blocks to which automation services subscribe", () => {
  test("automation services can list a bot's blocks and subscribe to one", async () => {
    const botId = await makeBot(
      [says("Hi"), { id: "zap", type: "Zapier", options: {} }],
      [calls({ url: "https://a.example/x" })],
    );
    const listed = await get(`/api/v1/bots/${botId}/webhookBlocks`);
    const zap = { id: "zap", groupId: idOf("g0"), type: "Zapier", label: "Group 0 > zap", url: null };
    const call = {
      id: "call",
      groupId: idOf("g1"),
      type: "Webhook",
      label: "Group 1 > call",
      url: "https://a.example/x",
    };
    expect(listed.at("webhookBlocks")).toEqual([zap, call]);
    expect((await get(`/api/v1/typebots/${botId}/webhookBlocks`)).body).toEqual(listed.body);

    const url = "https://hooks.zapier.com/hooks/catch/1/abc";
    const subscribed = await post(`/api/v1/typebots/${botId}/webhookBlocks/zap/subscribe`, { url });
    expect(subscribed.body).toEqual({ id: "zap", url });
    expect((await get(`/api/v1/bots/${botId}`)).at("bot.groups.0.blocks.1")).toEqual({
      id: "zap",
      type: "Zapier",
      options: { webhook: { url } },
    });
    // Concurrent changes of two blocks do not overwrite each other.
    await Promise.all([
      post(`/api/v1/bots/${botId}/webhookBlocks/zap/unsubscribe`),
      post(`/api/v1/bots/${botId}/webhookBlocks/call/subscribe`, { url }),
    ]);
    const after = await get(`/api/v1/bots/${botId}/webhookBlocks`);
    expect(after.at("webhookBlocks.*.url")).toEqual([null, url]);
    expect((await post(`/api/v1/typebots/${botId}/webhookBlocks/call/unsubscribe`)).body).toEqual({
      id: "call",
      url: null,
    });
    expect((await post(`/api/v1/bots/${botId}/webhookBlocks/${idOf("says Hi")}/subscribe`, { url })).status).toBe(404);
    const odd = await post(`/api/v1/bots/${botId}/webhookBlocks/zap/subscribe`, { url: "ftp://x" });
    expect(odd.at("data.issues.0.message")).toBe("must be an http or https address");
  });

  test("the example of a block contains only answers to earlier questions", async () => {
    const choice = asks("choice input", {}, { items: [{ id: "i", content: "Blue" }] });
    const botId = await makeBot(
      [asks("text input", { variableId: idOf("Name") })],
      [choice, calls(undefined), asks("email input", { variableId: idOf("Email") })],
    );
    const edges = [
      { id: idOf("e0"), from: { eventId: idOf("start") }, to: { groupId: idOf("g0") } },
      { id: idOf("e1"), from: { blockId: idOf("asks text input") }, to: { groupId: idOf("g1") } },
      { id: "back", from: { blockId: idOf("asks choice input") }, to: { groupId: idOf("g0") } },
    ];
    await api.client.patch(`/api/v1/bots/${botId}`, { token: owner.token, body: { bot: { edges } } });
    const shown = await get(`/api/v1/bots/${botId}/webhookBlocks/call/getResultExample`);
    const { message, submittedAt, ...answers } = Object(shown.at("resultExample"));
    expect([typeof message, Date.parse(submittedAt) > 0]).toEqual(["string", true]);
    expect(Object.keys(answers)).toEqual(["Name", "Group 1"]);
    expect(answers["Group 1"]).toBe("Blue");
    const theirs = await get(`/api/v1/typebots/${botId}/webhookBlocks/call/getResultExample`);
    expect(Object.keys(Object(theirs.at("resultExample")))).toEqual(["message", "submittedAt", "Name", "Group 1"]);
  });

  test("blocks are listed for tools that send no API version", async () => {
    const botId = await makeBot([calls(undefined)]);
    expect((await get("/api/users/me")).body).toEqual({ id: owner.userId, email: owner.email });
    const bots = (await get("/api/typebots")).list("typebots");
    expect(bots).toContainEqual({ id: botId, name: "Calls" });
    const name = "Group 0 > call";
    expect((await get(`/api/typebots/${botId}/webhookSteps`)).body).toEqual({
      steps: [{ id: "call", blockId: idOf("g0"), name }],
    });
    expect((await get(`/api/typebots/${botId}/webhookBlocks`)).body).toEqual({
      blocks: [{ id: "call", groupId: idOf("g0"), name }],
    });
    const other = await api.makeUser();
    expect((await api.client.get("/api/typebots", { token: other.token })).list("typebots")).toEqual([]);
  });
});

describe("a test call", () => {
  const path = (botId: string, blockId = "call") => `/api/v1/bots/${botId}/blocks/${blockId}/testCall`;

  test("a test call sends the block's request", async () => {
    const webhook = {
      url: server.url("/weather/{{Name}}"),
      method: "POST",
      body: '{ "mail": "{{Email}}" }',
      queryParams: [{ id: "q", key: "unit", value: "c" }],
    };
    const variablesForTest = [
      { variableId: idOf("Email"), value: 'a"b@example.com' },
      { variableId: idOf("Name"), value: "Rome" },
    ];
    // The service itself tests a call that visitors' browsers make.
    const botId = await makeBot([
      calls(webhook, { isCustomBody: true, variablesForTest, isExecutedOnClient: true }),
      says("Next"),
    ]);
    const tried = await post(path(botId), { variables: { Name: "Lyon" } });

    expect(tried.body).toEqual({
      request: {
        service: null,
        method: "POST",
        url: server.url("/weather/Lyon?unit=c"),
        headers: [{ name: "Content-Type", value: "application/json" }],
        body: '{ "mail": "a\\"b@example.com" }',
      },
      outcome: "answered",
      refusal: null,
      statusCode: 200,
      data: { word: "ok" },
      headers: expect.arrayContaining([{ name: "content-length", value: expect.any(String) }]),
      isCut: false,
      durationMs: expect.any(Number),
      variables: [{ id: idOf("Name"), name: "Name", value: "ok" }],
      logs: [],
    });
    expect(server.requests.at(-1)).toMatchObject({
      path: "/weather/Lyon?unit=c",
      body: '{ "mail": "a\\"b@example.com" }',
    });
    const theirs = await post(`/api/v1/typebots/${botId}/blocks/call/testCall`);
    expect(theirs.at("request.url")).toBe(server.url("/weather/Rome?unit=c"));
    expect((await get(`/api/v1/bots/${botId}/results?timeFilter=allTime`)).list("results")).toEqual([]);
  });

  test("a test call never returns a secret", async () => {
    const secret = "planted-Value_0123456789";
    const place = `/api/v1/workspaces/${workspaceId}/secrets/TRIED`;
    await api.client.put(place, { token: owner.token, body: { value: secret } });
    answer = ({ path: asked, headers }, response) =>
      response
        .setHeader("x-echo", [`a ${headers["x-key"]}`, "b"])
        .end(JSON.stringify({ word: `${asked} ${headers["x-key"]}` }));
    const botId = await makeBot([
      calls({
        url: `${server.url("/in")}?key={{secret.TRIED}}`,
        headers: [{ id: "h", key: "X-Key", value: "{{secret.TRIED}}" }],
      }),
    ]);
    const tried = await post(path(botId));

    expect(server.requests.at(-1)?.headers["x-key"]).toBe(secret);
    expect(JSON.stringify(tried.body)).not.toContain(secret);
    expect(tried.at("request.url")).toBe(`${server.url("/in")}?key={{secret.TRIED}}`);
    expect(tried.at("request.headers.0")).toEqual({ name: "X-Key", value: "{{secret.TRIED}}" });
    expect(tried.at("headers")).toContainEqual({ name: "x-echo", value: expect.stringContaining("a •••") });
    expect(tried.at("variables.0.value")).toContain("•••");
  });

  test("a test call reports a forbidden address, a failure or a truncated body", async () => {
    const metadata = await post(path(await makeBot([calls({ url: "http://169.254.169.254/latest", method: "GET" })])));
    expect([metadata.at("statusCode"), metadata.at("data.message")]).toEqual([
      400,
      expect.stringContaining("Security validation failed"),
    ]);
    answer = (_, response) => response.writeHead(404).end("nothing here");
    const failed = await post(path(await makeBot([calls({ url: server.url() })])));
    expect([failed.at("statusCode"), failed.at("data")]).toEqual([404, "nothing here"]);
    answer = (_, response) => response.end("x".repeat(2_000_000));
    const long = await post(path(await makeBot([calls({ url: server.url() })])));
    expect([long.at("isCut"), String(long.at("data")).length]).toEqual([true, 100_000]);
  });

  test("a test call distinguishes a response, a refusal by the service and a time-out", async () => {
    const told = async (webhook: object, options = {}) => {
      const tried = await post(path(await makeBot([calls({ method: "GET", ...webhook }, options)])));
      return [tried.at("outcome"), tried.at("statusCode"), tried.at("refusal")];
    };
    answer = (_, response) => response.writeHead(400).end();
    expect(await told({ url: server.url() })).toEqual(["answered", 400, null]);
    const reason = "This address is not public";
    const inner = { reason, setting: "OUTGOING_ALLOW", lines: ["OUTGOING_ALLOW=192.168.7.7"] };
    expect(await told({ url: "http://192.168.7.7/" })).toEqual(["refused", 400, inner]);
    const own = { reason: "This host cannot be called", setting: "OUTGOING_ALLOW" };
    const lines = ["HOST=127.0.0.1", "OUTGOING_ALLOW=localhost:4000"];
    expect(await told({ url: "http://localhost:4000/lead" })).toEqual(["refused", 400, { ...own, lines }]);
    // No setting allows the metadata addresses of clouds.
    expect(await told({ url: "http://169.254.169.254/" })).toEqual([
      "refused",
      400,
      { reason, setting: null, lines: [] },
    ]);
    const missing = { reason: 'There is no secret "NOBODY"', setting: null, lines: [] };
    expect(await told({ url: `${server.url()}?k={{secret.NOBODY}}` })).toEqual(["refused", 400, missing]);
    answer = (_, response) => response.destroy();
    expect(await told({ url: server.url() })).toEqual(["unreachable", 500, null]);
    answer = () => {};
    expect(await told({ url: server.url() }, { timeout: 1 })).toEqual(["timedOut", 408, null]);
  });

  test("a test call requires a block with an address and variables of the draft", async () => {
    const botId = await makeBot([says("Hi"), calls(undefined)]);
    expect(await post(path(botId))).toMatchObject({ status: 409, body: { code: "block.no_address" } });
    expect(await post(path(botId, idOf("says Hi")))).toMatchObject({ status: 404, body: { code: "block.not_found" } });
    const odd = await post(path(botId), { variables: { Nobody: "x" } });
    expect(odd.at("data.issues")).toEqual([
      { path: "variables.Nobody", message: "is not a variable of this bot's draft" },
    ]);
  });
});

test("a test webhook reaches the caller's newest preview that waits at the block", async () => {
  const listen = {
    id: "listen",
    type: "webhook",
    options: { responseVariableMapping: [{ ...mapping[0], bodyPath: "data.order" }] },
  };
  const botId = await makeBot([asks("text input"), listen, says("Order {{Name}}"), asks("email input")]);
  const path = `/api/v1/typebots/${botId}/blocks/listen/web/executeTestWebhook`;
  const preview = async (token: string) => {
    const started = await api.client.post(`/api/v1/bots/${botId}/preview/startChat`, { token, body: {} });
    await say(api.client, started.text("sessionId"), "Hi");
    return started.text("sessionId");
  };
  expect((await post(path)).at("code")).toBe("session.not_found");
  const own = await preview(owner.token);
  const other = await api.makeUser();
  await api.deps
    .sql`insert into members (workspace_id, user_id, role) values (${workspaceId}, ${other.userId}, 'MEMBER')`;
  const theirs = await preview(other.token);

  expect((await post(path, { order: "A-17" })).body).toEqual({ message: "OK" });
  const said = async (sessionId: string) =>
    (await api.client.get(`/api/v1/sessions/${sessionId}`)).at("session.steps.*.messages.0.content.plainText");
  expect([await said(own), await said(theirs)]).toEqual([
    [undefined, undefined, "Order A-17"],
    [undefined, undefined],
  ]);
  const ours = path.replace("typebots", "bots");
  const again = await post(ours, { order: "B" });
  // The preview has moved past the block, so the call waits up to a minute for the chat to return to it.
  expect([again.status, again.at("isWaiting")]).toEqual([200, true]);
  const next = await preview(owner.token);
  expect((await post(ours, { order: "B-18" })).body).toEqual({ message: "OK" });
  expect(await said(next)).toEqual([undefined, undefined, "Order B-18"]);
});
