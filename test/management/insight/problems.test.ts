import { afterAll, beforeAll, expect, test } from "bun:test";
import { insight } from "../../../src/management/insight/insight.job.ts";
import { problemAlarms } from "../../../src/management/insight/problems/problem-alarms.job.ts";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { asks, flowOf, publish, say, says, start } from "../../support/chat.ts";
import { dueMessages, putEndpoint } from "../../support/events.ts";
import { runCommand } from "../../support/service.ts";
import { createThreads, type Threads } from "../../support/threads.ts";

let api: TestApi;
let threads: Threads;
let owner: TestUser;

beforeAll(async () => {
  threads = createThreads({ count: 1 });
  api = await createTestApi({ threads });
  owner = await api.makeUser();
});
afterAll(async () => {
  await api.close();
  await threads.close();
});

const script = {
  id: "script",
  type: "Code",
  options: { content: 'throw new Error("Ada said so")', isExecutedOnClient: false },
};
const call = { id: "call", type: "Webhook", options: { webhook: { url: "http://127.0.0.1:9/" } } };
/** A flow with one error at the start, and two errors after the first answer. */
const failing = flowOf([
  says("Hello"),
  script,
  asks("text input", {}, { id: "name" }),
  script2(),
  call,
  says("Thanks"),
]);
const sound = flowOf([says("Hello"), asks("text input", {}, { id: "name" })]);

function script2() {
  return { ...script, id: "script2" };
}

async function openWorkspace() {
  const workspaceId = await api.makeWorkspace(owner);
  const bot = await publish(api.client, { token: owner.token, workspaceId }, failing);
  const other = await publish(api.client, { token: owner.token, workspaceId }, sound);
  return { workspaceId, bot, other };
}

async function count(): Promise<void> {
  await api.deps.sql`update insight_results set next_at = clock() where next_at is not null`;
  const job = insight(api.deps.sql);
  while ((await job.removeSome()) > 0);
}

async function problemsOf(workspaceId: string, token = owner.token) {
  return api.client.get(`/api/v1/workspaces/${workspaceId}/problems`, { token });
}

test("the errors of all bots are listed by block and reason", async () => {
  const { workspaceId, bot, other } = await openWorkspace();
  expect((await problemsOf(workspaceId)).at("bots")).toEqual([]);
  await start(api.client, other.publicId);
  await start(api.client, bot.publicId);
  const chat = await start(api.client, bot.publicId);
  await say(api.client, chat.text("sessionId"), "Ada");
  // Reports of visitors' clients do not count, because any program can send such reports.
  const clientLogs = [{ status: "error", description: "Everything is broken" }];
  await api.client.post(`/api/v1/sessions/${chat.text("sessionId")}/clientLogs`, { body: { clientLogs } });
  await count();

  const answer = await problemsOf(workspaceId);

  const chats = { chats: 2, failedChats: 2 };
  const once = { chats: 1, times: 1 };
  expect(answer.at("bots.*.botId")).toEqual([bot.botId]);
  expect(answer.at("bots.0")).toMatchObject({ lastDay: chats, lastWeek: chats });
  const shown = answer.list("bots.0.problems").map((problem) => Object(problem));
  expect(shown.map(({ blockId, reason, lastDay, lastWeek }) => [blockId, reason, lastDay, lastWeek])).toEqual([
    ["script", "script", { chats: 2, times: 2 }, { chats: 2, times: 2 }],
    ...[
      ["call", "http.unanswered", once, once],
      ["script2", "script", once, once],
    ].toSorted(),
  ]);
  expect(shown.map(({ lastResultId }) => lastResultId)).toContain(chat.text("resultId"));
  expect(shown[0]).toMatchObject({ blockName: "Code", groupTitle: "Group 0", lastSeenAt: expect.any(String) });
  expect(JSON.stringify(answer.body)).not.toContain("Ada");

  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: (request) => api.handle(request) });
  const environment = { PORT: String(server.port), PARLEY_TOKEN: owner.token };
  const printed = await runCommand(["bots", "problems", "--workspace", workspaceId], { environment });
  const asJson = await runCommand(["bots", "problems", "--workspace", workspaceId, "--json"], { environment });
  await server.stop(true);
  expect(printed.stdout).toMatch(/^Chat +Group 0 +Code +script +2 of 2 +2 of 2 /m);
  expect(JSON.parse(asJson.stdout)).toEqual(answer.body);
});

test("a step above its budget counts as a problem", async () => {
  const { workspaceId, bot } = await openWorkspace();
  const results = `/api/v1/bots/${bot.botId}/results`;
  const chat = await start(api.client, bot.publicId);
  await count();
  await api.deps.sql`update insight_results set next_at = clock() + interval '1 day'`;
  const loop = flowOf([asks("text input", {}, { id: "name" }), { ...says("again", "again"), outgoingEdgeId: "back" }]);
  const [group] = loop.groups;
  const endless = {
    ...loop,
    edges: [...loop.edges, { id: "back", from: { blockId: "again" }, to: { groupId: group?.id, blockId: "again" } }],
  };
  const looping = await publish(api.client, { token: owner.token, workspaceId }, endless);
  const looped = await start(api.client, looping.publicId);
  await count();
  expect((await say(api.client, looped.text("sessionId"), "Ada")).at("code")).toBe("step.over_budget");
  const job = insight(api.deps.sql);
  while ((await job.removeSome()) > 0);
  const bots = (await problemsOf(workspaceId)).list("bots").map((one) => Object(one));
  const budget = bots.find(({ botId }) => botId === looping.botId);
  expect(budget?.problems).toMatchObject([{ blockId: "again", reason: "budget", lastDay: { chats: 1 } }]);

  await api.client.delete(`${results}/${chat.text("resultId")}`, { token: owner.token });
  await count();
  expect((await problemsOf(workspaceId)).at("bots.*.botId")).toEqual([looping.botId]);
});

test("the problems of a bot are shown only to users with access to the bot", async () => {
  const { workspaceId, bot } = await openWorkspace();
  await start(api.client, bot.publicId);
  await count();
  const stranger = await api.makeUser();
  expect((await problemsOf(workspaceId, stranger.token)).at("code")).toBe("workspace.not_found");
  const { sql } = api.deps;
  await sql`insert into members (workspace_id, user_id, role) values (${workspaceId}, ${stranger.userId}, 'GUEST')`;
  expect((await problemsOf(workspaceId, stranger.token)).at("bots")).toEqual([]);
  await sql`insert into collaborators (bot_id, user_id, type) values (${bot.botId}, ${stranger.userId}, 'READ')`;
  expect((await problemsOf(workspaceId, stranger.token)).at("bots.*.botId")).toEqual([bot.botId]);
});

test("a subscribed endpoint gets one event a day about a bot that begins to fail", async () => {
  const { workspaceId, bot } = await openWorkspace();
  const { endpointId } = await putEndpoint(api.deps.sql, {
    url: "http://127.0.0.1:9/",
    workspaceId,
    eventTypes: ["bot.failing"],
  });
  const raise = () => problemAlarms(api.deps.sql).removeSome();
  for (let chat = 0; chat < 4; chat++) await start(api.client, bot.publicId);
  await count();
  expect(await raise()).toBe(0);
  await start(api.client, bot.publicId);
  await count();
  expect([await raise(), await raise()]).toEqual([1, 0]);
  const [message, ...more] = await dueMessages(api.deps.sql, endpointId);
  expect(more).toEqual([]);
  expect(message).toMatchObject({
    type: "bot.failing",
    botId: bot.botId,
    content: { chats: 5, failedChats: 5, percent: 100, usualPercent: 0 },
  });

  await api.deps.sql`update problem_alarms set raised_at = raised_at - interval '25 hours'`;
  expect(await raise()).toBe(1);
  // Make the problem older, so that it is not new.
  await api.deps.sql`delete from problem_alarms`;
  await api.deps
    .sql`update insight_counts set starts_at = starts_at - interval '2 hours' where bot_id = ${bot.botId} and unit = 'quarter'`;
  for (let chat = 0; chat < 6; chat++) await start(api.client, bot.publicId);
  await count();
  expect(await raise()).toBe(0);
});
