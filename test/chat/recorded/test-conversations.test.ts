import { afterAll, beforeAll, expect, test } from "bun:test";
import { AppError } from "../../../src/errors.ts";
import { limits } from "../../../src/limits/index.ts";
import { createApp } from "../../../src/service/app.ts";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { idOf } from "../../support/builder-ids.ts";
import { asks, flowOf, publish, say, says, start } from "../../support/chat.ts";
import { createClient } from "../../support/client.ts";
import { runCommand } from "../../support/service.ts";
import { createThreads, type Threads } from "../../support/threads.ts";

let api: TestApi;
let threads: Threads;
let owner: TestUser;
let workspaceId: string;
let botId: string;

const greeting = { title: "Greets", turns: [{ expect: { shows: ["Hello"], asks: "text input" } }] };

beforeAll(async () => {
  threads = createThreads({ count: 1 });
  api = await createTestApi({ threads });
  owner = await api.makeUser();
  workspaceId = await api.makeWorkspace(owner);
  const made = await api.client.post(`/api/v1/bots`, {
    token: owner.token,
    body: { workspaceId, bot: { name: "Tested", ...flowOf([says("Hello"), asks("text input"), says("Bye")]) } },
  });
  botId = String(made.at("bot.id"));
});
afterAll(async () => {
  await threads.close();
  await api.close();
});

const at = (path = "") => `/api/v1/bots/${botId}${path}`;
const put = (name: string, body: object) =>
  api.client.put(at(`/testConversations/${name}`), { token: owner.token, body });
const run = (body: object = {}) => api.client.post(at("/testConversations/run"), { token: owner.token, body });
const remove = (name: string) => api.client.delete(at(`/testConversations/${name}`), { token: owner.token });

test("a test conversation can be created, listed, read, run and deleted", async () => {
  const made = await put("greets", { conversation: { ...greeting, flow: { groups: [] } } });
  expect(made.status).toBe(200);
  const listed = await api.client.get(at("/testConversations"), { token: owner.token });
  expect(listed.at("testConversations")).toMatchObject([{ name: "greets", title: "Greets", isRequired: false }]);
  const got = await api.client.get(at("/testConversations/greets"), { token: owner.token });
  expect(got.at("testConversation.conversation")).toEqual(greeting);

  const proof = await run();
  expect(proof.at("outcomes")).toEqual([{ name: "greets", title: "Greets", hasPassed: true, problems: [] }]);
  expect(proof.at("hasPassed")).toBe(true);
  expect(proof.at("coverage.blocks")).toMatchObject({ total: 3, met: 2, missed: [idOf("says Bye")] });

  expect((await remove("greets")).status).toBe(200);
  expect((await remove("greets")).at("code")).toBe("test_conversation.not_found");
});

test("an invalid name of a test conversation is rejected", async () => {
  for (const name of ["a%20b", "-a", "x".repeat(101)]) {
    const refused = await put(name, { conversation: greeting });
    expect([refused.status, refused.text("message")]).toEqual([
      400,
      'Input validation failed: name must be 1 to 100 letters, digits, ".", "_" and "-", with a letter or a digit first.',
    ]);
  }
});

test("a failing required test conversation blocks a publication", async () => {
  const wrong = { title: "Greets otherwise", turns: [{ expect: { shows: ["Good day"] } }] };
  await put("wrong", { conversation: wrong });
  expect((await api.client.post(at("/publish"), { token: owner.token })).status).toBe(200);
  await put("wrong", { conversation: wrong, isRequired: true });

  const refused = await api.client.post(at("/publish"), { token: owner.token });
  expect(refused.at("code")).toBe("flow.tests_failed");
  expect(refused.at("data.failures")).toMatchObject([
    { name: "wrong", problems: [{ turn: 1, part: "shows", expected: ["Good day"], actual: ["Hello"] }] },
  ]);
  const forced = await api.client.post(at("/publish"), { token: owner.token, body: { force: true } });
  expect(forced.status).toBe(200);
  const publications = await api.client.get(at("/publications"), { token: owner.token });
  expect(publications.at("publications")).toMatchObject([{ overruledRules: ["failed_tests"] }, { overruledRules: [] }]);
  await remove("wrong");
});

test("selected test conversations can be run on a published version", async () => {
  await put("a", { conversation: greeting });
  await put("b", { conversation: greeting });
  const one = await run({ names: ["b"], version: "1" });
  expect(one.at("outcomes")).toMatchObject([{ name: "b", hasPassed: true }]);
  expect((await run({ names: ["c"] })).at("code")).toBe("test_conversation.not_found");
  expect((await run({ version: "99" })).at("code")).toBe("publication.not_found");
});

test("a test conversation that is too large or has an invalid field is rejected", async () => {
  const typo = await put("typo", { conversation: { title: "x", turns: [{ expect: { show: [] } }] } });
  expect(typo.at("code")).toBe("request.invalid");
  expect(JSON.stringify(typo.at("data.issues"))).toContain("conversation.turns[0].expect.show");
  const turns = [{ expect: { shows: ["x".repeat(300_000)] } }];
  expect((await put("large", { conversation: { title: "x", turns } })).at("code")).toBe("request.invalid");
});

test("a chat is recorded as a test conversation that passes", async () => {
  const published = await api.client.post(at("/publish"), { token: owner.token });
  const started = await start(api.client, String(published.at("publicId")));
  const sessionId = started.text("sessionId");
  await say(api.client, sessionId, "Ada");
  const record = (body: object) => api.client.post(at("/testConversations/record"), { token: owner.token, body });

  const recorded = await record({ sessionId, title: "Ada's chat" });
  expect(recorded.at("problems")).toEqual([]);
  expect(recorded.at("conversation")).toMatchObject({
    title: "Ada's chat",
    turns: [
      { expect: { shows: ["Hello"], asks: "text input" } },
      { say: "Ada", expect: { shows: ["Bye"], asks: null, ends: true } },
    ],
  });
  const kept = await put("recorded", { conversation: recorded.at("conversation") });
  expect(kept.status).toBe(200);
  expect((await run({ names: ["recorded"] })).at("hasPassed")).toBe(true);
  const elsewhere = await publish(api.client, { token: owner.token, workspaceId }, flowOf([says("Hello")]));
  const foreign = await start(api.client, elsewhere.publicId);
  for (const other of ["nobody", String(botId), foreign.text("sessionId")]) {
    expect((await record({ sessionId: other })).at("code")).toBe("session.not_found");
  }
});

test("parley test fails if a test conversation fails", async () => {
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: (request) => api.handle(request) });
  const environment = { PARLEY_URL: server.url.href, PARLEY_TOKEN: owner.token };
  await put("a", { conversation: greeting });
  const passed = await runCommand(["test", botId], { environment });
  await put("z", { conversation: { title: "Leaves", turns: [{ expect: { ends: true } }] } });
  const failed = await runCommand(["test", botId], { environment });
  await server.stop(true);

  expect(passed).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("passed  Greets\n") });
  expect(failed).toMatchObject({ exitCode: 1, stdout: expect.stringContaining("FAILED  Leaves\n") });
});

test("the number of a bot's test conversations is limited", async () => {
  const { sql } = api.deps;
  const others = limits.testConversations.perBot;
  await sql`
    insert into test_conversations (bot_id, name, conversation, is_required)
    select ${botId}, 'other-' || number, '{}', false from generate_series(1, ${others}::int) as number`;
  expect((await put("one-more", { conversation: greeting })).at("code")).toBe("test_conversation.too_many");
  await sql`delete from test_conversations where bot_id = ${botId} and name like 'other-%'`;
  expect((await put("one-more", { conversation: greeting })).status).toBe(200);
  expect((await remove("one-more")).status).toBe(200);
});

test("a run of test conversations that takes too long returns an error", async () => {
  const prove = () => Promise.reject(new AppError("test_conversation.too_long"));
  const app = createApp({ ...api.deps, threads: { ...threads, prove } });
  const client = createClient({ handle: (request) => app.handle(request) });
  await put("greets", { conversation: greeting });
  const answer = await client.post(at("/testConversations/run"), { token: owner.token, body: {} });
  expect(answer.at("code")).toBe("test_conversation.too_long");
  expect((await remove("greets")).status).toBe(200);
});
