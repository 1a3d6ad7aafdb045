import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { idOf } from "../../support/builder-ids.ts";
import { asks, flowOf, publish, say, says, start } from "../../support/chat.ts";
import { createThreads, type Threads } from "../../support/threads.ts";

let api: TestApi;
let threads: Threads;
let owner: TestUser;
let bot: { botId: string; publicId: string };

const listening = flowOf([
  says("Please pay"),
  {
    id: "listen",
    type: "webhook",
    options: { responseVariableMapping: [{ id: "m", variableId: idOf("Name"), bodyPath: "data.order" }] },
  },
  says("Order {{Name}} is paid. Your e-mail?"),
  asks("email input"),
]);

beforeAll(async () => {
  threads = createThreads({ count: 1 });
  api = await createTestApi({ threads });
  owner = await api.makeUser();
  bot = await publish(api.client, { token: owner.token, workspaceId: await api.makeWorkspace(owner) }, listening);
});
afterAll(async () => {
  await threads.close();
  await api.close();
});

const call = (resultId: string, body: object, { token = owner.token, blockId = "listen" } = {}) =>
  api.client.post(`/api/v1/bots/${bot.botId}/blocks/${blockId}/results/${resultId}/executeWebhook`, { token, body });

describe("an external call", () => {
  test("an external call continues the chat that waits for the call", async () => {
    const started = await start(api.client, bot.publicId);
    expect(started.at("clientSideActions.0")).toMatchObject({ type: "listenForWebhook", expectsDedicatedReply: true });

    const answer = await call(started.text("resultId"), { order: "A-17" });
    const session = await api.client.get(`/api/v1/sessions/${started.text("sessionId")}`);

    expect(answer.body).toEqual({ message: "OK" });
    expect(session.at("session.steps.1.messages.0.content.plainText")).toBe("Order A-17 is paid. Your e-mail?");
    expect(session.at("session.input.type")).toBe("email input");
    expect((await say(api.client, started.text("sessionId"), "a@b.co")).at("progress")).toBe(100);
  });

  test("a call without a data field is used as a response with status 200", async () => {
    const mapping = [{ id: "m", variableId: idOf("Name"), bodyPath: "statusCode + data.order" }];
    const flow = flowOf([
      { id: "listen", type: "webhook", options: { responseVariableMapping: mapping } },
      says("It is {{Name}}"),
      asks("text input"),
    ]);
    const own = await publish(api.client, { token: owner.token, workspaceId: await api.makeWorkspace(owner) }, flow);
    const started = await start(api.client, own.publicId);
    const path = `/api/v1/bots/${own.botId}/blocks/listen/results/${started.text("resultId")}/executeWebhook`;
    await api.client.post(path, { token: owner.token, body: { order: "A-17" } });

    const session = await api.client.get(`/api/v1/sessions/${started.text("sessionId")}`);
    expect(session.at("session.steps.1.messages.0.content.plainText")).toBe("It is 200A-17");
  });

  test("a call with a data field is used as the complete response", async () => {
    const started = await start(api.client, bot.publicId);
    await call(started.text("resultId"), { data: { order: "B-18" } });
    const session = await api.client.get(`/api/v1/sessions/${started.text("sessionId")}`);

    expect(session.at("session.steps.1.messages.0.content.plainText")).toContain("Order B-18");
  });

  test("a call for another block is rejected with `session.not_found`", async () => {
    const started = await start(api.client, bot.publicId);
    const resultId = started.text("resultId");
    const notFound = { status: 404, body: { code: "session.not_found" } };

    expect(await call(resultId, {}, { blockId: "other" })).toMatchObject(notFound);
    expect(await call("01m7wf8v32x7w29z2tsw3wwqgq", {})).toMatchObject(notFound);
    await call(resultId, { order: "1" });
    await say(api.client, started.text("sessionId"), "a@b.co");
    expect(await call(resultId, { order: "2" })).toMatchObject(notFound);
  });

  test("an external call that is sent twice causes one step", async () => {
    const started = await start(api.client, bot.publicId);
    const resultId = started.text("resultId");
    const answers = await Promise.all([call(resultId, { order: "1" }), call(resultId, { order: "1" })]);
    const session = await api.client.get(`/api/v1/sessions/${started.text("sessionId")}`);

    expect(answers.map(({ body }) => Object(body).isWaiting).toSorted()).toEqual([true, undefined]);
    expect(session.list("session.steps")).toHaveLength(2);
    expect(session.at("session.input.type")).toBe("email input");
  });

  test("a call for one bot is not used in a chat of another bot", async () => {
    const other = await api.makeUser();
    const copy = await publish(
      api.client,
      { token: other.token, workspaceId: await api.makeWorkspace(other) },
      listening,
    );
    const started = await start(api.client, copy.publicId);

    expect(await call(started.text("resultId"), { order: "planted" })).toMatchObject({
      status: 404,
      body: { code: "session.not_found" },
    });
    const session = await api.client.get(`/api/v1/sessions/${started.text("sessionId")}`);
    expect(session.list("session.steps")).toHaveLength(1);
  });

  test("an external call requires a token that may write the bot", async () => {
    const started = await start(api.client, bot.publicId);
    const stranger = await api.makeUser();
    const reader = await api.makeToken(owner.userId, { scope: "read" });

    expect(await call(started.text("resultId"), {}, { token: stranger.token })).toMatchObject({
      status: 404,
      body: { code: "bot.not_found" },
    });
    expect(await call(started.text("resultId"), {}, { token: reader })).toMatchObject({
      status: 403,
      body: { code: "token.scope" },
    });
    expect(await call(started.text("resultId"), [])).toMatchObject({ status: 400, body: { code: "request.invalid" } });
  });
});
