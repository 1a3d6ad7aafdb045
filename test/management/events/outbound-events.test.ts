import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import type { StepToSave } from "../../../src/chat/saves/records.ts";
import { saveSteps } from "../../../src/chat/saves/save-steps.sql.ts";
import { saveOutcomes } from "../../../src/management/events/delivery/attempts.ts";
import { eventBody } from "../../../src/management/events/delivery/event-body.ts";
import { takeLanes } from "../../../src/management/events/delivery/lanes.sql.ts";
import { newId, shardOf } from "../../../src/platform/ids.ts";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { idOf } from "../../support/builder-ids.ts";
import { asks, flowOf, nameAndEmail, publish, say, says, start } from "../../support/chat.ts";
import { valueAt } from "../../support/client.ts";
import { dueMessages, putEndpoint } from "../../support/events.ts";
import { putResult, putSession } from "../../support/results.ts";
import { createThreads, type Threads } from "../../support/threads.ts";

let api: TestApi;
let threads: Threads;
let owner: TestUser;
let workspaceId: string;

beforeAll(async () => {
  threads = createThreads({ count: 1 });
  api = await createTestApi({ threads });
  owner = await api.makeUser();
  workspaceId = await api.makeWorkspace(owner);
});
afterAll(async () => {
  await threads.close();
  await api.close();
});
afterEach(async () => {
  await api.deps.sql`truncate event_deliveries, event_endpoints, event_lanes`;
});

const url = "https://receiver.example/";
const published = (flow: object) => publish(api.client, { token: owner.token, workspaceId }, flow);
const outcome = { statusCode: 400, error: null, response: null };
const countRows = async () => {
  const [row] = await api.deps.sql<{ count: number }[]>`select count(*)::int as count from event_deliveries`;
  return row?.count;
};

async function told(endpointId: string): Promise<{ type: string; data: object }[]> {
  const messages = await dueMessages(api.deps.sql, endpointId);
  const [endpoint] = await api.deps.sql`select workspace_id from event_endpoints where id = ${endpointId}`;
  return messages.map((message) => {
    const sent: unknown = JSON.parse(eventBody(message, String(endpoint?.["workspaceId"])));
    return { type: String(valueAt(sent, "type")), data: Object(valueAt(sent, "data")) };
  });
}
const types = async (endpointId: string) => (await told(endpointId)).map(({ type }) => type);

describe("a chat", () => {
  test("a chat sends events for its start, answers and completion in order", async () => {
    const { botId, publicId } = await published(nameAndEmail);
    const { endpointId } = await putEndpoint(api.deps.sql, { url, workspaceId });
    const started = await start(api.client, publicId);
    const sessionId = started.text("sessionId");

    expect(await types(endpointId)).toEqual([]);
    await say(api.client, sessionId, "Ada");
    expect(await types(endpointId)).toEqual(["result.started", "result.answered"]);
    await say(api.client, sessionId, "no address");
    expect(await types(endpointId)).toEqual(["result.started", "result.answered"]);
    await say(api.client, sessionId, "ada@example.com");

    const of = { workspaceId, botId, resultId: started.text("resultId"), sessionId };
    const answer = { groupId: expect.any(String), attachedFileUrls: [] };
    expect(await told(endpointId)).toEqual([
      { type: "result.started", data: of },
      {
        type: "result.answered",
        data: {
          ...of,
          answer: { ...answer, blockId: idOf("asks text input"), variableId: idOf("Name"), content: "Ada" },
        },
      },
      {
        type: "result.answered",
        data: {
          ...of,
          answer: {
            ...answer,
            blockId: idOf("asks email input"),
            variableId: idOf("Email"),
            content: "ada@example.com",
          },
        },
      },
      {
        type: "result.completed",
        data: {
          ...of,
          variables: [
            { id: idOf("Name"), name: "Name", value: "Ada" },
            { id: idOf("Email"), name: "Email", value: "ada@example.com" },
          ],
        },
      },
    ]);
  });

  test("a chat that starts and ends in one request sends all its events", async () => {
    const { publicId } = await published(flowOf([asks("text input"), says("Thank you")]));
    const { endpointId } = await putEndpoint(api.deps.sql, { url, workspaceId });

    await start(api.client, publicId, { message: "Hello" });

    expect(await types(endpointId)).toEqual(["result.started", "result.answered", "result.completed"]);
  });

  test("a chat sends its events once for a repeated reply", async () => {
    const { publicId } = await published(nameAndEmail);
    const { endpointId } = await putEndpoint(api.deps.sql, { url, workspaceId });
    const sessionId = (await start(api.client, publicId)).text("sessionId");
    const headers = { "Idempotency-Key": "once" };

    await say(api.client, sessionId, "Ada", { headers });
    await say(api.client, sessionId, "Ada", { headers });

    expect(await types(endpointId)).toEqual(["result.started", "result.answered"]);
  });

  test("chats without a question and previews send no events", async () => {
    const { publicId } = await published(flowOf([says("Hello")]));
    const asking = await published(nameAndEmail);
    await putEndpoint(api.deps.sql, { url, workspaceId });

    await start(api.client, publicId);
    const preview = await api.client.post(`/api/v1/bots/${asking.botId}/preview/startChat`, {
      token: owner.token,
      body: {},
    });
    await say(api.client, preview.text("sessionId"), "Ada");

    expect(await countRows()).toBe(0);
  });

  test("a chat sends each endpoint only its subscribed events", async () => {
    const { publicId } = await published(nameAndEmail);
    const early = (await start(api.client, publicId)).text("sessionId");
    const all = await putEndpoint(api.deps.sql, { url, workspaceId });
    const ends = await putEndpoint(api.deps.sql, { url, workspaceId, eventTypes: ["result.completed"] });
    const disabled = await putEndpoint(api.deps.sql, { url, workspaceId });
    const elsewhere = await putEndpoint(api.deps.sql, { url });
    await api.deps.sql`update event_endpoints set is_enabled = false where id = ${disabled.endpointId}`;

    await say(api.client, early, "Ada");
    await say(api.client, early, "ada@example.com");

    expect(await types(all.endpointId)).toEqual([
      "result.started",
      "result.answered",
      "result.answered",
      "result.completed",
    ]);
    expect(await types(ends.endpointId)).toEqual(["result.completed"]);
    expect(await types(disabled.endpointId)).toEqual([]);
    expect(await types(elsewhere.endpointId)).toEqual([]);
  });

  test("a chat without an endpoint writes no event and no outbox row", async () => {
    const { publicId } = await published(nameAndEmail);
    await putEndpoint(api.deps.sql, { url });
    const sessionId = (await start(api.client, publicId)).text("sessionId");

    await say(api.client, sessionId, "Ada");
    await say(api.client, sessionId, "ada@example.com");

    expect(await countRows()).toBe(0);
    expect(await api.deps.sql`select from outbox`).toHaveLength(0);
  });

  test("a chat with a linked bot sends the events of both results in order", async () => {
    const inner = await published(flowOf([asks("text input", { variableId: idOf("Name") })]));
    const outer = await published(
      flowOf([
        { id: "link", type: "Typebot link", options: { typebotId: inner.botId } },
        asks("email input", { variableId: idOf("Email") }),
      ]),
    );
    const { endpointId } = await putEndpoint(api.deps.sql, { url, workspaceId });
    const started = await start(api.client, outer.publicId);
    const sessionId = started.text("sessionId");

    await say(api.client, sessionId, "Ada");
    await say(api.client, sessionId, "ada@example.com");

    const events = (await told(endpointId)).map(({ type, data }) => ({ type, ...data }));
    expect(events).toMatchObject([
      { type: "result.started", botId: inner.botId, sessionId },
      { type: "result.answered", botId: inner.botId, sessionId, answer: { content: "Ada" } },
      {
        type: "result.completed",
        botId: inner.botId,
        sessionId,
        variables: [{ id: idOf("Name"), name: "Name", value: "Ada" }],
      },
      { type: "result.started", botId: outer.botId, resultId: started.text("resultId") },
      { type: "result.answered", botId: outer.botId, answer: { content: "ada@example.com" } },
      { type: "result.completed", botId: outer.botId },
    ]);
  });
});

describe("a step", () => {
  const stepOf = (parts: { sessionId: string; resultId: string; botId: string }): StepToSave => ({
    ...parts,
    ...{ revision: 1, stepId: newId(), key: null, requestHash: "00", reply: null, response: "{}", state: "{}" },
    isEnded: true,
    answers: [
      {
        resultId: parts.resultId,
        botId: parts.botId,
        blockId: "block",
        groupId: "group",
        variableId: null,
        content: "Hello",
        attachedFileUrls: ["https://files.example/a"],
      },
    ],
    results: [{ resultId: parts.resultId, botId: parts.botId, variables: "[]", hasStarted: true, isCompleted: true }],
    ...{ logs: [], jobs: [], visitedEdgeIds: [], visitedBefore: 0, wasRead: true, hasEventEndpoints: true },
  });

  test("two concurrent steps of one result emit one start and one completion", async () => {
    const { sql } = api.deps;
    const { botId } = await published(nameAndEmail);
    const { endpointId } = await putEndpoint(sql, { url, workspaceId });

    for (let round = 0; round < 20; round++) {
      const { resultId, sessionId } = await putResult(sql, botId);
      const other = await putSession(sql, botId, { sessionId: newId(shardOf(resultId)), resultId });
      const saved = await Promise.all([
        saveSteps(sql, [stepOf({ sessionId, resultId, botId })]),
        saveSteps(sql, [stepOf({ sessionId: other, resultId, botId })]),
      ]);
      expect(saved.map((ids) => ids.size)).toEqual([1, 1]);
    }

    const rows = await sql`
      select type, count(*)::int as count
      from event_deliveries
      where endpoint_id = ${endpointId}
      group by type
      order by type`;
    expect([...rows]).toEqual([
      { type: "result.answered", count: 40 },
      { type: "result.completed", count: 20 },
      { type: "result.started", count: 20 },
    ]);
  });

  test("a step that does not change its result emits only its answer", async () => {
    const { sql } = api.deps;
    const { botId } = await published(nameAndEmail);
    const { endpointId } = await putEndpoint(sql, { url, workspaceId });

    await saveSteps(sql, [{ ...stepOf({ ...(await putResult(sql, botId)), botId }), results: [] }]);

    expect(await types(endpointId)).toEqual(["result.answered"]);
  });

  test("a completion is emitted even if other saved steps emit nothing", async () => {
    const { sql } = api.deps;
    const { botId } = await published(nameAndEmail);
    const { endpointId } = await putEndpoint(sql, { url, workspaceId });
    const elsewhere = { ...(await putResult(sql, newId())), botId: newId() };
    const step = { ...stepOf({ ...(await putResult(sql, botId)), botId }), answers: [] };
    const open = { resultId: newId(), botId: newId(), variables: "[]", hasStarted: false, isCompleted: false };

    await saveSteps(sql, [
      { ...step, results: [...step.results, open] },
      { ...stepOf(elsewhere), hasEventEndpoints: false },
    ]);

    expect(await types(endpointId)).toEqual(["result.started", "result.completed"]);
  });

  test("a step with an outdated revision or a deleted result emits nothing", async () => {
    const { sql } = api.deps;
    const { botId } = await published(nameAndEmail);
    await putEndpoint(sql, { url, workspaceId });
    const { resultId, sessionId } = await putResult(sql, botId);
    const step = stepOf({ sessionId, resultId, botId });

    await saveSteps(sql, [{ ...step, revision: 7 }]);
    await sql`update results set is_archived = true where id = ${resultId}`;
    await saveSteps(sql, [step]);

    expect(await countRows()).toBe(0);
  });
});

describe("events after a failed event", () => {
  const inHours = async (endpointId: string) =>
    [
      ...(await api.deps.sql<{ hours: number }[]>`
        select round(extract(epoch from next_attempt_at - clock()) / 3600)::integer as hours
        from event_deliveries
        where endpoint_id = ${endpointId} and status = 'pending'
        order by sequence`),
    ].map(({ hours }) => hours);

  test.each([
    ["delivered", { isDelivered: true, retrySeconds: null }],
    ["marked as failed", { isDelivered: false, retrySeconds: null }],
  ])("events after a failed event wait for its retry, and are due once the failed event is %s", async (_what, last) => {
    const { publicId } = await published(nameAndEmail);
    const { endpointId } = await putEndpoint(api.deps.sql, { url, workspaceId });
    const sessionId = (await start(api.client, publicId)).text("sessionId");
    await say(api.client, sessionId, "Ada");
    const holder = newId();
    await takeLanes(api.deps.sql, { holder, endpointIds: [endpointId] });
    const [first] = await dueMessages(api.deps.sql, endpointId);
    if (!first) throw new Error("Nothing is due");
    const save = (how: { isDelivered: boolean; retrySeconds: number | null }) =>
      saveOutcomes(api.deps.sql, holder, [{ ...outcome, messageId: first.id, ...how }]);
    expect(await save({ isDelivered: false, retrySeconds: 7_200 })).toEqual(["pending"]);
    await say(api.client, sessionId, "ada@example.com");

    // Waiting events are not checked repeatedly.
    expect(await inHours(endpointId)).toEqual([2, 2, 2, 2]);
    await save(last);
    expect(await inHours(endpointId)).toEqual([0, 0, 0]);
    expect(await types(endpointId)).toEqual(["result.answered", "result.answered", "result.completed"]);
  });
});

describe("publishing", () => {
  test("publications and the unpublication of a bot are reported in order", async () => {
    const { botId, publicId } = await published(nameAndEmail);
    const { endpointId } = await putEndpoint(api.deps.sql, { url, workspaceId });
    await putEndpoint(api.deps.sql, { url, workspaceId, eventTypes: ["result.started"] });

    await api.client.post(`/api/v1/bots/${botId}/publish`, { token: owner.token, body: { force: true } });
    await api.client.post(`/api/v1/bots/${botId}/publications/1/publish`, {
      token: owner.token,
      body: { force: true },
    });
    await api.client.post(`/api/v1/bots/${botId}/unpublish`, { token: owner.token, body: { force: true } });

    expect(await told(endpointId)).toEqual([
      { type: "bot.published", data: { workspaceId, botId, publicId, number: 2 } },
      { type: "bot.published", data: { workspaceId, botId, publicId, number: 3 } },
      { type: "bot.unpublished", data: { workspaceId, botId, publicId } },
    ]);
    expect(await countRows()).toBe(3);
  });

  test("a refused publication is reported with the reasons", async () => {
    const bot = { name: "Broken", ...flowOf([]) };
    const made = await api.client.post("/api/v1/bots", { token: owner.token, body: { workspaceId, bot } });
    const botId = made.text("bot.id");
    const { endpointId } = await putEndpoint(api.deps.sql, { url, workspaceId });

    const refused = await api.client.post(`/api/v1/bots/${botId}/publish`, { token: owner.token, body: {} });
    expect(refused.body).toMatchObject({ code: "flow.broken" });

    const data = { workspaceId, botId, code: "flow.broken", problems: [expect.any(String)], userId: owner.userId };
    expect(await told(endpointId)).toEqual([{ type: "publication.failed", data }]);
  });
});

test("the deletion of a bot is reported after the events of its chats", async () => {
  const { botId, publicId } = await published(nameAndEmail);
  const { endpointId } = await putEndpoint(api.deps.sql, { url, workspaceId });
  const started = await start(api.client, publicId);
  await start(api.client, publicId);
  const sessionId = started.text("sessionId");
  await say(api.client, sessionId, "Ada");

  await api.client.delete(`/api/v1/bots/${botId}/results`, { token: owner.token, query: { all: "true" } });
  await api.client.delete(`/api/v1/bots/${botId}`, { token: owner.token });

  const events = await told(endpointId);
  expect(events.map(({ type }) => type)).toEqual([
    "result.started",
    "result.answered",
    "result.deleted",
    "bot.deleted",
  ]);
  expect(events.slice(2)).toEqual([
    { type: "result.deleted", data: { workspaceId, botId, resultId: started.text("resultId"), sessionId } },
    { type: "bot.deleted", data: { workspaceId, botId, name: expect.any(String) } },
  ]);
});

test("members who join, change their role or leave are reported", async () => {
  const { userId } = await api.makeUser();
  const { endpointId } = await putEndpoint(api.deps.sql, { url, workspaceId });
  const path = `/api/v1/workspaces/${workspaceId}/members/${userId}`;

  for (const role of ["GUEST", "GUEST", "MEMBER"]) await api.client.put(path, { token: owner.token, body: { role } });
  await api.client.delete(path, { token: owner.token });

  expect(await told(endpointId)).toEqual([
    { type: "member.added", data: { workspaceId, userId, role: "GUEST" } },
    { type: "member.changed", data: { workspaceId, userId, role: "MEMBER" } },
    { type: "member.removed", data: { workspaceId, userId, role: "MEMBER" } },
  ]);
});

test("members who join by an invitation or a hand-over are reported", async () => {
  const boss = await api.makeUser();
  const place = await api.makeWorkspace(boss);
  const { botId } = await publish(api.client, { token: boss.token, workspaceId: place }, nameAndEmail);
  const { endpointId } = await putEndpoint(api.deps.sql, { url, workspaceId: place });
  const [helper, heir] = [await api.makeUser(), await api.makeUser()];
  const invite = (email: string, role: string) =>
    api.client.post(`/api/v1/workspaces/${place}/invitations`, { token: boss.token, body: { email, role } });
  const accept = (code: string, token?: string) =>
    api.client.post("/api/v1/invitations/accept", { token, body: { code, name: "Ada" } });

  await api.client.put(`/api/v1/bots/${botId}/collaborators/${helper.userId}`, {
    token: boss.token,
    body: { type: "READ" },
  });
  await accept((await invite(helper.email, "MEMBER")).text("invitation.code"), helper.token);
  await accept((await invite("newcomer@example.com", "GUEST")).text("invitation.code"));
  const administrator = await api.makeUser({ scope: "admin" });
  await api.client.post(`/api/v1/users/${boss.userId}/deactivate`, {
    token: administrator.token,
    body: { successorId: heir.userId },
  });

  expect(await told(endpointId)).toEqual([
    { type: "member.added", data: { workspaceId: place, userId: helper.userId, role: "GUEST" } },
    { type: "member.changed", data: { workspaceId: place, userId: helper.userId, role: "MEMBER" } },
    { type: "member.added", data: { workspaceId: place, userId: expect.any(String), role: "GUEST" } },
    { type: "member.added", data: { workspaceId: place, userId: heir.userId, role: "ADMIN" } },
  ]);
});

test("an endpoint of an earlier release gets no events of newer types", async () => {
  const { botId } = await published(nameAndEmail);
  await putEndpoint(api.deps.sql, {
    url,
    workspaceId,
    eventTypes: ["result.started", "result.answered", "result.completed", "bot.published", "results.exported"],
  });

  await api.client.post(`/api/v1/bots/${botId}/unpublish`, { token: owner.token, body: {} });
  await api.client.delete(`/api/v1/bots/${botId}`, { token: owner.token });

  expect(await countRows()).toBe(0);
});

test("erasing a result erases only its own events", async () => {
  const { botId, publicId } = await published(nameAndEmail);
  const { endpointId } = await putEndpoint(api.deps.sql, { url, workspaceId });
  const sessions = [await start(api.client, publicId), await start(api.client, publicId)];
  for (const session of sessions) await say(api.client, session.text("sessionId"), "Ada");
  const [gone, kept] = sessions.map((session) => session.text("resultId"));
  const unstarted = (await start(api.client, publicId)).text("resultId");

  await api.client.delete(`/api/v1/bots/${botId}/results`, {
    token: owner.token,
    query: { resultIds: `${gone},${unstarted}` },
  });
  await api.client.post(`/api/v1/bots/${botId}/results/erase`, { token: owner.token, body: { all: true } });

  const left = await told(endpointId);
  expect(left.slice(0, 2).map(({ data }) => valueAt(data, "resultId"))).toEqual([kept, kept]);
  expect(left.slice(2)).toEqual([
    { type: "result.erased", data: { workspaceId, botId, resultId: gone, sessionId: null } },
  ]);
});
