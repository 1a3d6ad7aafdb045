import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createTestApi, type TestApi, type TestUser } from "../support/api.ts";
import { idOf } from "../support/builder-ids.ts";
import { asks, flowOf, nameAndEmail, publish, say, says } from "../support/chat.ts";
import type { RequestOptions } from "../support/client.ts";
import { type DatabaseProxy, openDatabaseProxy } from "../support/database-proxy.ts";
import { createThreads, type Threads } from "../support/threads.ts";

let api: TestApi;
let proxy: DatabaseProxy;
let threads: Threads;
let owner: TestUser;
let stranger: TestUser;
let botId: string;

beforeAll(async () => {
  threads = createThreads({ count: 2 });
  api = await createTestApi({
    threads,
    async through(url) {
      proxy = await openDatabaseProxy(url);
      return proxy.url;
    },
  });
  owner = await api.makeUser();
  stranger = await api.makeUser();
  ({ botId } = await publish(
    api.client,
    { token: owner.token, workspaceId: await api.makeWorkspace(owner) },
    nameAndEmail,
  ));
});
afterAll(async () => {
  await threads.close();
  await api.close();
  await proxy.close();
});

const preview = (id: string, body: object, options: RequestOptions = {}) =>
  api.client.post(`/api/v1/bots/${id}/preview/startChat`, { ...options, body });

describe("a preview of the draft", () => {
  test("a preview runs the current draft and stores no result", async () => {
    const changed = flowOf([says("Draft?"), asks("text input"), says("Draft end")]);
    await api.client.patch(`/api/v1/bots/${botId}`, { token: owner.token, body: { bot: changed } });
    const started = await preview(botId, {}, { token: owner.token });
    const last = await say(api.client, started.text("sessionId"), "x");
    const results = await api.client.get(`/api/v1/bots/${botId}/results`, { token: owner.token });

    expect(started.at("messages.*.content.plainText")).toEqual(["Draft?"]);
    expect(started.at("resultId")).toBeUndefined();
    expect(last.at("messages.*.content.plainText")).toEqual(["Draft end"]);
    expect(results.at("results")).toEqual([]);
  });

  test("a preview of the draft requires a token that may read the bot", async () => {
    expect(await preview(botId, {})).toMatchObject({ status: 401, body: { code: "token.missing" } });
    expect(await preview(botId, {}, { token: "parley_wrong" })).toMatchObject({
      status: 401,
      body: { code: "token.invalid" },
    });
    expect(await preview(botId, {}, { token: stranger.token })).toMatchObject({
      status: 404,
      body: { code: "bot.not_found" },
    });
  });

  test("a preview of the draft starts at the group in the request", async () => {
    const flow = flowOf([says("First", "b1")], [says("Second", "b2")]);
    await api.client.patch(`/api/v1/bots/${botId}`, { token: owner.token, body: { bot: flow } });
    const answer = await preview(botId, { startFrom: { type: "group", groupId: idOf("g1") } }, { token: owner.token });

    expect(answer.at("messages.*.content.plainText")).toEqual(["Second"]);
    expect(
      await preview(botId, { startFrom: { type: "group", groupId: "none" } }, { token: owner.token }),
    ).toMatchObject({
      status: 400,
      body: { code: "flow.start_group_not_found" },
    });
    expect(
      await preview(botId, { startFrom: { type: "event", eventId: "none" } }, { token: owner.token }),
    ).toMatchObject({
      status: 400,
      body: { code: "flow.start_event_not_found" },
    });
  });
});

describe("a preview of a supplied flow", () => {
  const flow = { ...flowOf([says("Supplied {{Name}}"), asks("text input")]), version: "3", id: "any" };

  test("a preview of a supplied flow requires no token", async () => {
    const answer = await preview("whatever-it-is", { bot: flow, prefilledVariables: { Name: "Ana" } });
    expect(answer.at("messages.*.content.plainText")).toEqual(["Supplied Ana"]);
    expect(answer.at("bot.id")).toBe("whatever-it-is");
    expect((await say(api.client, answer.text("sessionId"), "x")).at("progress")).toBe(100);
  });

  test("a preview of a supplied flow logs unknown prefilled names", async () => {
    const answer = await preview("x", { bot: flow, prefilledVariables: { Name: "Ana", Nmae: "Bob" } });
    expect(answer.at("logs.*.details")).toEqual(["Nmae"]);
  });

  test("a preview of a supplied flow is rejected with an invalid token", async () => {
    expect((await preview(botId, { bot: flow }, { token: owner.token })).status).toBe(200);
    expect((await preview(botId, { bot: flow }, { token: stranger.token })).status).toBe(200);
    expect(await preview(botId, { bot: flow }, { token: "parley_wrong" })).toMatchObject({ status: 401 });
  });

  test("a preview of a supplied flow makes calls only for the bot's writers", async () => {
    const call = { id: "call", type: "Webhook", options: { webhook: { url: "http://10.0.0.1/", method: "GET" } } };
    const calling = flowOf([call, says("Done")]);
    const details = async (options: RequestOptions) =>
      JSON.stringify((await preview(botId, { bot: calling }, options)).at("logs"));
    const refused = "An anonymous preview performs no effects";

    expect(await details({})).toContain(refused);
    expect(await details({ token: stranger.token })).toContain(refused);
    expect(await details({ token: await api.makeToken(owner.userId, { scope: "read" }) })).toContain(refused);
    expect(await details({ token: owner.token })).not.toContain(refused);
    // A preview of the stored draft makes its calls if the user may read the draft.
    await api.client.patch(`/api/v1/bots/${botId}`, { token: owner.token, body: { bot: calling } });
    const draft = JSON.stringify((await preview(botId, {}, { token: owner.token })).at("logs"));
    expect(draft).not.toContain(refused);
    expect(draft).toContain("Webhook");
  });

  test("a preview of a supplied flow is refused if rights cannot be read", async () => {
    const fault = proxy.inject({ statement: /collaborators\.type/, kind: "error", sqlState: "53200" });
    const refused = await preview(botId, { bot: flow }, { token: owner.token });
    fault.end();

    expect(refused).toMatchObject({ status: 503, body: { code: "server.unavailable" } });
    expect(fault.met()).toBe(1);
  });

  test("a preview of a supplied flow starts one chat per key and bot id in the path", async () => {
    const options = { headers: { "Idempotency-Key": "a-key-of-sixteen-and-more" } };
    const first = await preview("one", { bot: flow }, options);

    expect((await preview("one", { bot: flow }, options)).body).toEqual(first.body);
    expect((await preview("other", { bot: flow }, options)).text("sessionId")).not.toBe(first.text("sessionId"));
  });

  test("a supplied flow with a start block runs as a flow of version 3", async () => {
    const legacy = {
      groups: [
        {
          id: idOf("g0"),
          title: "Start",
          graphCoordinates: { x: 0, y: 0 },
          blocks: [{ id: "s", type: "start", label: "Start", outgoingEdgeId: "e" }],
        },
        { id: idOf("g1"), title: "Hello", graphCoordinates: { x: 0, y: 0 }, blocks: [says("Old but well")] },
      ],
      edges: [{ id: "e", from: { blockId: "s" }, to: { groupId: idOf("g1") } }],
    };
    const answer = await preview("x", { bot: legacy });
    expect(answer.at("messages.*.content.plainText")).toEqual(["Old but well"]);
    expect(answer.at("bot.version")).toBe("3");
  });

  test("a supplied flow without a start returns no messages", async () => {
    const answer = await preview("x", { bot: { groups: [] } });
    expect(answer).toMatchObject({ status: 200, body: { messages: [], progress: 100 } });
  });

  test("a preview of an invalid supplied flow returns the path of the error", async () => {
    const broken = { groups: [{ id: "g", title: "G", blocks: [{ id: "b", type: 7 }] }] };
    const answer = await preview("x", { bot: broken });
    expect(answer).toMatchObject({ status: 400, body: { code: "request.invalid" } });
    expect(answer.at("data.issues.0.path")).toBe("bot.groups[0].blocks[0].type");
  });

  test("a supplied flow of more than a megabyte requires a writer's token", async () => {
    const flow = (length: number) => ({ bot: flowOf([says("x".repeat(length), "large")]) });
    const large = await preview(botId, flow(1_100_000));
    expect(large).toMatchObject({ status: 413, body: { code: "request.too_large" } });
    const longest = 1_100_000 - (Number(large.at("data.bytes")) - 1024 * 1024);

    expect((await preview(botId, flow(longest))).status).toBe(200);
    expect((await preview(botId, flow(longest + 1))).status).toBe(413);
    expect((await preview(botId, flow(longest + 1), { token: owner.token })).status).toBe(200);
  });
});
