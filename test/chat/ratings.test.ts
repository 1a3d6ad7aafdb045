import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { noteChangedResults } from "../../src/management/counts/counted-results.sql.ts";
import { createCounting } from "../../src/management/insight/count-results.ts";
import { eraseResults } from "../../src/management/row-erasure/erasure.sql.ts";
import { asks, flowOf, publish, say, says, start } from "../support/chat.ts";
import type { RequestOptions } from "../support/client.ts";
import { putEndpoint } from "../support/events.ts";
import { createModelChats, type ModelChats } from "../support/model-chats.ts";

let chats: ModelChats;

beforeAll(async () => {
  chats = await createModelChats({ RATE_LIMITS: "off" });
});
afterAll(async () => {
  await chats.close();
});

const rated = { general: { isGoBackEnabled: true }, answers: { isRated: true } };

/** Starts a chat in which the block `answer` shows a model's answer, at revision 2. */
async function answered(settings: object = rated) {
  const { token, workspaceId, api } = chats;
  const [name = {}, model = {}, answer = {}] = chats.answers({});
  const flow = flowOf([
    name,
    model,
    { ...answer, id: "answer" },
    says("Anything else?"),
    asks("text input", {}, { id: "more" }),
  ]);
  const bot = await publish(api.client, { token, workspaceId }, { ...flow, settings });
  const started = await start(api.client, bot.publicId);
  const sessionId = started.text("sessionId");
  const step = await say(api.client, sessionId, "Ana");
  return { ...bot, sessionId, resultId: started.text("resultId"), step };
}

const rate = (sessionId: string, body: object, options: RequestOptions = {}) =>
  chats.api.client.post(`/api/v1/sessions/${sessionId}/rating`, {
    body: { blockId: "answer", revision: 2, isGood: true, ...body },
    ...options,
  });
const session = (sessionId: string) => chats.api.client.get(`/api/v1/sessions/${sessionId}`);
const result = (botId: string, resultId: string, path = "") =>
  chats.api.client.get(`/api/v1/bots/${botId}/results/${resultId}${path}`, { token: chats.token });
const rows = (sessionId: string) => chats.api.deps.sql`select * from answer_ratings where session_id = ${sessionId}`;

test("a bubble with a model's answer is marked if the bot accepts ratings", async () => {
  const { step, sessionId } = await answered();
  const without = await answered({});

  expect(step.at("messages.*.isAnswer")).toEqual([true]);
  expect(step.at("messages.0.isAnswer")).toBe(true);
  expect((await session(sessionId)).at("session.steps.1.messages.0.isAnswer")).toBe(true);
  expect(JSON.stringify(without.step.body)).not.toContain("isAnswer");
});

test("the last rating of an answer is shown in results and in the chat", async () => {
  const { botId, resultId, sessionId } = await answered();

  const bad = await rate(sessionId, { isGood: false, words: "  Too short.  " });
  const first = await result(botId, resultId);
  const good = await rate(sessionId, {});
  const second = await result(botId, resultId);
  const chat = await session(sessionId);
  const list = await chats.api.client.get(`/api/v1/bots/${botId}/results`, { token: chats.token });
  const back = await rate(sessionId, { isGood: null, words: "ignored" });

  expect(bad.at("rating")).toEqual({ blockId: "answer", revision: 2, isGood: false, words: "Too short." });
  expect(first.at("result.ratings")).toEqual([
    { sessionId, revision: 2, blockId: "answer", isGood: false, words: "Too short.", ratedAt: expect.any(String) },
  ]);
  expect(good.status).toBe(200);
  expect(second.at("result.ratings.*.isGood")).toEqual([true]);
  expect(second.at("result.ratings.0.words")).toBe(null);
  expect(chat.at("session.ratings")).toEqual([{ blockId: "answer", revision: 2, isGood: true, words: null }]);
  expect(chat.at("session.revision")).toBe(2);
  expect(chat.at("session.steps.*.revision")).toEqual([1, 2]);
  expect(list.at("results.0.ratings.*.isGood")).toEqual([true]);
  expect(back.at("rating")).toEqual({ blockId: "answer", revision: 2, isGood: null, words: null });
  expect((await result(botId, resultId)).at("result.ratings")).toEqual([]);
});

test("an NDJSON export contains the ratings of its results", async () => {
  const { botId, sessionId } = await answered();
  await rate(sessionId, { isGood: false, words: "Too short" });
  const { token, api } = chats;
  const exported = (format: string) =>
    api.handle(
      new Request(`http://localhost/api/v1/bots/${botId}/results/export?format=${format}`, {
        headers: { Authorization: `Bearer ${token}` },
      }),
    );

  const [line = ""] = (await (await exported("ndjson")).text()).split("\n");
  const table = await exported("csv");

  expect(JSON.parse(line).ratings).toEqual([
    { sessionId, revision: 2, blockId: "answer", isGood: false, words: "Too short", ratedAt: expect.any(String) },
  ]);
  expect(table.status).toBe(200);
  expect(await table.text()).not.toContain("Too short");
});

test("existing clients see no ratings of results", async () => {
  const { botId, resultId, sessionId } = await answered();
  await rate(sessionId, {});

  const seen = await chats.api.client.get(`/api/v1/typebots/${botId}/results/${resultId}`, { token: chats.token });

  expect(seen.status).toBe(200);
  expect(JSON.stringify(seen.body)).not.toContain("ratings");
});

test("an answer can be rated after the chat has ended", async () => {
  const { sessionId, botId } = await answered();
  await say(chats.api.client, sessionId, "No");

  const ended = await rate(sessionId, {});
  const preview = await chats.api.client.post(`/api/v1/bots/${botId}/preview/startChat`, {
    token: chats.token,
    body: {},
  });
  const previewed = preview.text("sessionId");
  await say(chats.api.client, previewed, "Ana");
  const ofPreview = await rate(previewed, {});

  expect((await session(sessionId)).at("session.isEnded")).toBe(true);
  expect([ended.status, ofPreview.status]).toEqual([200, 200]);
  expect(await rows(previewed)).toHaveLength(0);
});

describe("a refused rating", () => {
  test("a rating is refused if ratings are disabled or the origin is not allowed", async () => {
    const off = await answered({ answers: { canCopy: true } });
    const narrow = await answered({ ...rated, security: { allowedOrigins: ["https://shop.test"] } });

    const refused = await rate(off.sessionId, {});
    const elsewhere = await rate(narrow.sessionId, {}, { headers: { Origin: "https://other.test" } });

    expect([refused.status, refused.at("code")]).toEqual([404, "rating.not_offered"]);
    expect(elsewhere.at("code")).toBe("origin.not_allowed");
    expect((await session(off.sessionId)).at("session.ratings")).toBe(undefined);
  });

  test("a rating is refused for an unknown step, block or chat", async () => {
    const { sessionId, step } = await answered();
    const other = await answered();
    const spoken = step.text("messages.1.id");

    const refused = [
      await rate(sessionId, { blockId: spoken }),
      await rate(sessionId, { blockId: "answer", revision: 1 }),
      await rate(sessionId, { revision: 3 }),
      await rate(sessionId, { blockId: "nowhere" }),
    ];

    expect(refused.map((one) => [one.status, one.at("code")])).toEqual(Array(4).fill([409, "rating.no_answer"]));
    expect(await rows(sessionId)).toHaveLength(0);
    expect(await rows(other.sessionId)).toHaveLength(0);
    expect((await rate("06ey3k2m5q8r1t4v7x0z9w2b5d", {})).at("code")).toBe("session.not_found");
  });

  test("a rating is refused for a step that the visitor went back over", async () => {
    const { botId, resultId, sessionId } = await answered();
    await rate(sessionId, { isGood: false });
    await chats.api.client.post(`/api/v1/sessions/${sessionId}/goBack`);

    const over = await rate(sessionId, {});
    await say(chats.api.client, sessionId, "Ana");
    const again = await rate(sessionId, { revision: 4 });

    expect([over.status, over.at("code")]).toEqual([409, "rating.no_answer"]);
    expect(again.status).toBe(200);
    expect((await result(botId, resultId)).at("result.ratings.*.isGood")).toEqual([false, true]);
  });

  test("a rating with an invalid revision, value or text length is refused", async () => {
    const { sessionId } = await answered();

    const wrong = [
      await rate(sessionId, { words: "x".repeat(1_001) }),
      await rate(sessionId, { revision: 0 }),
      await rate(sessionId, { revision: 2_147_483_648 }),
      await rate(sessionId, { isGood: "yes" }),
    ];

    expect(wrong.map(({ status }) => status)).toEqual([400, 400, 400, 400]);
    expect((await rate(sessionId, { words: "x".repeat(1_000) })).status).toBe(200);
  });

  test("a rating is refused for an expired chat", async () => {
    const { sessionId } = await answered();
    await chats.api.deps.sql`update sessions set expires_at = clock() - interval '1 second' where id = ${sessionId}`;

    expect((await rate(sessionId, {})).at("code")).toBe("session.expired");
  });
});

test("each change of a rating is sent as answer.rated", async () => {
  const { botId, resultId, sessionId } = await answered();
  const { deps } = chats.api;
  const { workspaceId } = chats;
  const { endpointId } = await putEndpoint(deps.sql, {
    url: "http://127.0.0.1:1/",
    workspaceId,
    eventTypes: ["answer.rated"],
  });
  await rate(sessionId, { isGood: false, words: "No" });
  await rate(sessionId, { isGood: false, words: "No" });
  await rate(sessionId, { isGood: null });
  await rate(sessionId, { isGood: null });

  const sent = await deps.sql`
    select type, bot_id, result_id, content
    from event_deliveries
    where endpoint_id = ${endpointId}
    order by sequence`;

  const content = { blockId: "answer", revision: 2 };
  expect(sent.map((row) => ({ ...row }))).toEqual([
    { type: "answer.rated", botId, resultId, content: { ...content, isGood: false, words: "No" } },
    { type: "answer.rated", botId, resultId, content: { ...content, isGood: null, words: null } },
  ]);
});

test("insight counts good and bad ratings by block", async () => {
  const { botId, resultId, sessionId } = await answered();
  await noteChangedResults(chats.api.deps.sql, [resultId]);
  const count = createCounting(chats.api.deps.sql);
  const counted = async () => {
    while ((await count(100)) > 0);
    const { body } = await chats.api.client.get(`/api/v1/bots/${botId}/insight`, { token: chats.token });
    const blocks: readonly { blockId: string; good: number; bad: number }[] = Object(body).insight.blocks;
    return blocks.filter(({ blockId }) => blockId === "answer").map(({ good, bad }) => ({ good, bad }));
  };
  const before = await counted();

  await rate(sessionId, {});
  const good = await counted();
  await rate(sessionId, { isGood: false });
  const bad = await counted();

  expect(before).toEqual([{ good: 0, bad: 0 }]);
  expect(good).toEqual([{ good: 1, bad: 0 }]);
  expect(bad).toEqual([{ good: 0, bad: 1 }]);
});

test("a rating is erased with its result, and a deleted result accepts no rating", async () => {
  const { botId, resultId, sessionId } = await answered();
  await rate(sessionId, { words: "My name is Ana" });
  const { token } = chats;
  const path = `/api/v1/bots/${botId}/results`;

  const gone = await chats.api.client.delete(path, { token, body: { resultIds: [resultId] } });
  const late = await rate(sessionId, { isGood: false });
  const kept = await rows(sessionId);
  await eraseResults(chats.api.deps.sql, { botId, resultIds: [resultId] });

  expect(gone.status).toBe(200);
  expect([late.at("code"), kept[0]?.["isGood"]]).toEqual(["session.expired", true]);
  expect(await rows(sessionId)).toHaveLength(0);
});

test("a rating of an archived result is rejected and not stored", async () => {
  const { resultId, sessionId } = await answered();
  await chats.api.deps.sql`update results set is_archived = true where id = ${resultId}`;

  expect((await rate(sessionId, {})).at("code")).toBe("session.not_found");
  expect(await rows(sessionId)).toHaveLength(0);
});

test("a copy of a bot with its results includes the ratings", async () => {
  const { botId, sessionId } = await answered();
  await rate(sessionId, { words: "Good" });
  const { token, api } = chats;

  const copied = await api.client.post(`/api/v1/bots/${botId}/duplicate`, { token, body: { withResults: true } });

  const results = await api.client.get(`/api/v1/bots/${copied.text("bot.id")}/results?timeFilter=allTime`, { token });
  expect(results.at("results.0.ratings.*.words")).toEqual(["Good"]);
});
