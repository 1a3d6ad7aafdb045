import { afterAll, beforeAll, expect, test } from "bun:test";
import { createTestApi, type TestApi, type TestUser } from "../support/api.ts";
import { idOf } from "../support/builder-ids.ts";
import { asks, flowOf, publish, say, says, start } from "../support/chat.ts";
import { createThreads, type Threads } from "../support/threads.ts";

let api: TestApi;
let threads: Threads;
let owner: TestUser;
let bot: { botId: string; publicId: string };

beforeAll(async () => {
  threads = createThreads({ count: 1 });
  api = await createTestApi({ threads });
  owner = await api.makeUser();
  const flow = flowOf(
    [says("Your name?"), asks("text input", { timeout: { after: 86_400, outgoingEdgeId: idOf("e1") } })],
    [says("Are you there?"), asks("number input")],
  );
  bot = await publish(api.client, { token: owner.token, workspaceId: await api.makeWorkspace(owner) }, flow);
});
afterAll(async () => {
  await threads.close();
  await api.close();
});

const preview = async (body: object = { isTraced: true }) => {
  const started = await api.client.post(`/api/v1/bots/${bot.botId}/preview/startChat`, { token: owner.token, body });
  return started.text("sessionId");
};
const pass = (sessionId: string, token = owner.token) =>
  api.client.post(`/api/v1/sessions/${sessionId}/passTime`, { token });
const rows = async (sessionId: string) =>
  (await api.deps.sql`select from due_steps where session_id = ${sessionId}`).length;

test("advancing the time of a preview follows the time-out edge", async () => {
  const sessionId = await preview();
  const passed = await pass(sessionId);
  const trace = await api.client.get(`/api/v1/sessions/${sessionId}/trace?after=1`, { token: owner.token });

  expect(passed.text("messages.0.content.plainText")).toBe("Are you there?");
  expect(passed.at("input.type")).toBe("number input");
  expect(trace.at("steps.0.waitsAt")).toBe(idOf("asks number input"));
  expect(await rows(sessionId)).toBe(0);
});

test("advancing the time is rejected without a pending time-out", async () => {
  const sessionId = await preview();
  await pass(sessionId);
  const nothing = { status: 409, body: { code: "session.nothing_due" } };

  expect(await pass(sessionId)).toMatchObject(nothing);
  await say(api.client, sessionId, "7");
  expect(await pass(sessionId)).toMatchObject(nothing);
});

test("time can be advanced only in previews with a trace", async () => {
  const started = await start(api.client, bot.publicId);
  const live = started.text("sessionId");
  const stranger = await api.makeUser();
  const notTraced = { status: 404, body: { code: "session.not_traced" } };

  expect(await pass(live)).toMatchObject(notTraced);
  expect(await pass(await preview({}))).toMatchObject(notTraced);
  expect(await pass(await preview(), stranger.token)).toMatchObject({
    status: 404,
    body: { code: "session.not_found" },
  });
  expect(await rows(live)).toBe(1);
});
