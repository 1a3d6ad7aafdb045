import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { eventBody } from "../../../src/management/events/delivery/event-body.ts";
import { returnReservations } from "../../../src/management/models/left-reservations.sql.ts";
import { deleteOldModelCalls } from "../../../src/management/models/model-calls.sql.ts";
import { createTestApi, type TestApi } from "../../support/api.ts";
import { idOf } from "../../support/builder-ids.ts";
import { asks, flowOf, publish, say, start } from "../../support/chat.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { openDatabaseProxy } from "../../support/database-proxy.ts";
import { dueMessages, testKey } from "../../support/events.ts";
import { createModelChats, type ModelChats, plantedKey } from "../../support/model-chats.ts";
import { createThreads, type Threads } from "../../support/threads.ts";
import { waitFor } from "../../support/wait.ts";

// The fake model reports 11 tokens for the request, and one token for each word: 16 for "You said: I am Ana". With
// `maxTokens` of 11, a call may also use 16: the 15 characters are 5 tokens.

const maxTokens = 11;
const perCall = 16;
const noAnswer = "There is no answer at the moment. Please, try again.";

let database: TestDatabase;
let threads: Threads;
let chats: ModelChats;
let other: TestApi;
let endpointId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  threads = createThreads({ count: 1 });
  const shared = { ...database, close: async () => {} };
  const through = async (url: string) => url;
  chats = await createModelChats({ RATE_LIMITS: "off" }, { database: shared, through });
  const config = { ENCRYPTION_KEY: testKey, MODEL_SERVERS: chats.model.origin, RATE_LIMITS: "off" };
  other = await createTestApi({ threads, config, database: shared, through });
  const body = { url: "https://events.example.com/", eventTypes: ["budget.reached"] };
  const made = await post(`workspaces/${chats.workspaceId}/event-endpoints`, body);
  endpointId = made.text("eventEndpoint.id");
});
afterEach(async () => {
  await database.sql`delete from model_usage`;
  await database.sql`delete from model_reservations`;
  await database.sql`delete from model_spending`;
  await database.sql`delete from event_deliveries`;
  await setBudget({});
  await setPrices([]);
});
afterAll(async () => {
  await other.close();
  await threads.close();
  await chats.close();
  await database.close();
});

const get = (path: string, query: Record<string, string> = {}) =>
  chats.api.client.get(`/api/v1/${path}`, { token: chats.token, query });
const post = (path: string, body: object) => chats.api.client.post(`/api/v1/${path}`, { token: chats.token, body });
const put = (path: string, body: object) => chats.api.client.put(`/api/v1/${path}`, { token: chats.token, body });
const ofWorkspace = (name: string) => `workspaces/${chats.workspaceId}/${name}`;
const setBudget = (body: object) => put(ofWorkspace("model-budget"), body);
const setPrices = (prices: object[]) => put(ofWorkspace("model-prices"), { prices });
const budget = () => get(ofWorkspace("model-budget"));
const usage = (query: Record<string, string> = {}) => get(ofWorkspace("model-usage"), query);

const answers = (options: object = {}) => chats.answers({ maxTokens, ...options });
const twice = () => {
  const [question, block, bubble] = answers();
  return [question, block, bubble, { ...block, id: "again" }, { ...bubble, id: "shows it" }].flatMap(
    (one) => one ?? [],
  );
};
const told = async (): Promise<object[]> => {
  const messages = await dueMessages(database.sql, endpointId);
  return messages.map((message) => JSON.parse(eventBody(message, chats.workspaceId)).data);
};

async function begin(blocks: readonly object[], settings: object = {}, api = chats.api) {
  const bot = await publish(api.client, chats, { ...flowOf(blocks), settings });
  const started = await start(api.client, bot.publicId);
  return { ...bot, sessionId: started.text("sessionId"), resultId: started.text("resultId") };
}

test("200 simultaneous chats make as many calls as the budget allows", async () => {
  await setBudget({ day: { tokens: 20 * perCall } });
  const { publicId, botId } = await publish(chats.api.client, chats, flowOf(answers()));
  const nodes = [chats.api.client, other.client];
  const before = chats.model.asked.length;

  const said = await Promise.all(
    Array.from({ length: 200 }, async (_, index) => {
      const client = nodes[index % 2] ?? other.client;
      const sessionId = (await start(client, publicId)).text("sessionId");
      const answer = await say(client, sessionId, "Ana");
      return answer.at("messages.0.content.plainText");
    }),
  );

  expect(chats.model.asked.length - before).toBe(20);
  expect(Map.groupBy(said, (text) => text).get("Answer: You said: I am Ana")).toHaveLength(20);
  expect(Map.groupBy(said, (text) => text).get(noAnswer)).toHaveLength(180);
  expect((await budget()).at("modelBudget.spent.day")).toEqual({ tokens: 320, money: 0 });
  expect((await budget()).at("modelBudget.spent.reserved")).toEqual({ tokens: 0, money: 0 });
  expect((await usage({ groupBy: "bot" })).at("usage")).toEqual([
    {
      day: null,
      botId,
      type: null,
      model: null,
      calls: 20,
      tokensIn: 220,
      tokensCached: 0,
      tokensOut: 100,
      money: null,
    },
  ]);
  expect(await told()).toMatchObject([{ percent: 80 }, { percent: 100 }]);
  expect((await told())[0]).toMatchObject({
    workspaceId: chats.workspaceId,
    botId: null,
    scope: "workspace",
    period: "day",
    unit: "tokens",
    budget: 320,
  });
});

test.each(["before", "after"] as const)(
  "a model call is counted once if the connection is lost %s the database executes the count",
  async (when) => {
    const proxy = await openDatabaseProxy(database.url);
    const config = { ENCRYPTION_KEY: testKey, MODEL_SERVERS: chats.model.origin, RATE_LIMITS: "off" };
    const shared = { ...database, close: async () => {} };
    const node = await createTestApi({ threads, config, database: shared, through: async () => proxy.url });
    const { sessionId } = await begin(answers(), {}, node);
    const lost = proxy.inject({ statement: /delete from model_reservations/, kind: "cut", when, times: 2 });

    const answer = await say(node.client, sessionId, "Ana");
    await waitFor(async () => lost.met() === 2 && (await usage()).at("total.calls") === 1);
    await node.deps.lateWrites.stop();

    expect(answer.at("messages.0.content.plainText")).toBe("Answer: You said: I am Ana");
    expect((await usage()).at("total")).toMatchObject({ calls: 1, tokensIn: 11, tokensOut: 5 });
    expect((await budget()).at("modelBudget.spent.day.tokens")).toBe(perCall);
    expect((await budget()).at("modelBudget.spent.reserved.tokens")).toBe(0);
    await node.close();
    await proxy.close();
  },
);

test("the unused reservation of a crashed call is released after ten minutes", async () => {
  const sent = 5;
  await setBudget({ day: { tokens: perCall + sent } });
  await setPrices([{ type: "openai", model: "echo", in: 1_000_000, out: 1_000_000 }]);
  const dead = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  const unwatch = chats.model.onAsked(() => {
    reached.resolve();
    return dead.promise;
  });
  const [crashing, refused, late] = [await begin(answers()), await begin(answers()), await begin(answers())];
  const lost = say(chats.api.client, crashing.sessionId, "Ana");
  await reached.promise;
  unwatch();

  const during = await say(other.client, refused.sessionId, "Ana");
  await database.sql`update model_reservations set created_at = created_at - interval '10 minutes'`;
  const after = await say(other.client, late.sessionId, "Ana");

  expect(during.at("messages.0.content.plainText")).toBe(noAnswer);
  expect(after.at("messages.0.content.plainText")).toBe("Answer: You said: I am Ana");
  expect((await usage()).at("total")).toMatchObject({ calls: 2, tokensIn: sent + 11, money: sent + perCall });
  expect((await budget()).at("modelBudget.spent.day")).toEqual({ tokens: sent + perCall, money: sent + perCall });
  expect((await budget()).at("modelBudget.spent.reserved.tokens")).toBe(0);
  expect(await returnReservations(database.sql, undefined)).toBe(0);
  dead.resolve();
  await lost;
});

describe("an exhausted budget", () => {
  test("a budget of 0 refuses every call of a step and is logged once", async () => {
    await setBudget({ month: { tokens: 0 } });
    const { texts, logs, entries, asked } = await chats.hold(twice());

    expect(asked).toEqual([]);
    expect(texts).toEqual([noAnswer, noAnswer]);
    expect(logs).toEqual(["The model was not called, because the budget for models is used up"]);
    expect(entries).toMatchObject([{ status: "error", details: "Of this workspace, for a month" }]);
    expect(await told()).toMatchObject([{ percent: 100, period: "month", budget: 0, spent: 0 }]);
    expect((await usage()).at("total.calls")).toBe(0);
  });

  test("a budget in money counts calls at the workspace's prices", async () => {
    const price = { type: "openai", model: "echo", in: 1_000_000, out: 2_000_000 };
    await setPrices([price]);
    await setBudget({ month: { money: 50 } });
    const answered = [];
    for (let call = 0; call < 3; call++) answered.push((await chats.hold(answers())).asked.length);
    const unpriced = await chats.hold(answers({ model: "thinking" }));

    expect(answered).toEqual([1, 1, 0]);
    expect(unpriced.asked).toHaveLength(1);
    expect((await budget()).at("modelBudget.spent.month")).toEqual({ tokens: 2 * perCall + 20, money: 42 });
    const models = await usage({ groupBy: "model" });
    expect(models.at("usage.*.money")).toEqual([42, null]);
    expect(models.at("usage.*.model")).toEqual(["echo", "thinking"]);
    expect((await get(ofWorkspace("model-prices"))).at("prices")).toEqual([{ ...price, cached: 1_000_000 }]);
    expect(await told()).toMatchObject([
      { percent: 80, unit: "money", spent: 42 },
      { percent: 100, unit: "money" },
    ]);
  });

  test.each<[string, object, string]>([
    ["a bot", { day: { tokens: perCall } }, "Of this bot, for a day"],
    ["a chat in calls", { session: { calls: 1 } }, "Of this chat"],
    ["a chat in tokens", { session: { tokens: perCall } }, "Of this chat"],
  ])("a budget for %s refuses further calls, and does not affect other bots and chats", async (_, models, details) => {
    const { texts, entries, asked } = await chats.hold(twice(), "Ana", { models });
    const others = await chats.hold(twice());

    expect(texts).toEqual(["Answer: You said: I am Ana", noAnswer]);
    expect(asked).toHaveLength(1);
    expect(entries).toMatchObject([{ details }]);
    expect(others.asked).toHaveLength(2);
  });

  test("a budget for a chat also counts steps that the visitor has undone", async () => {
    const settings = { models: { session: { calls: 1 } }, general: { isGoBackEnabled: true } };
    const { sessionId } = await begin([...answers(), asks("email input")], settings);
    const path = `/api/v1/sessions/${sessionId}/goBack`;

    const first = await say(chats.api.client, sessionId, "Ana");
    await chats.api.client.post(path);
    const second = await say(other.client, sessionId, "Ana");

    expect(first.at("messages.*.content.plainText")).toEqual(["Answer: You said: I am Ana"]);
    expect(second.at("messages.*.content.plainText")).toEqual([noAnswer]);
  });

  test("a budget for a chat counts calls without an answer", async () => {
    const settings = { models: { session: { tokens: 11 } } };
    const [, spends] = answers({ model: "spends" });
    const blocks = twice().map((block, index) => (index === 1 ? { ...block, ...spends } : block));

    const { asked, logs, texts } = await chats.hold(blocks, "Ana", settings);

    expect(texts).toEqual([noAnswer, noAnswer]);
    expect(asked).toHaveLength(1);
    expect(logs).toEqual([
      "The model used all its tokens before it answered: increase the limit",
      "The model was not called, because the budget for models is used up",
    ]);
  });

  test.each<[string, object, object]>([
    ["budget of a chat in calls", {}, { models: { session: { calls: 2 } } }],
    ["budget of a chat in tokens", {}, { models: { session: { tokens: 510 } } }],
    ["budget of a workspace", { day: { tokens: 125 } }, {}],
  ])(
    "the last call within a budget is made without tools, so that the call returns the answer (%s)",
    async (_, ofWorkspace, settings) => {
      await setBudget(ofWorkspace);
      const tools = [{ name: "again", code: "return 'no'" }];
      const messages = [{ role: "user", content: "always call again {}" }];
      const blocks = answers({ model: "tools", tools, messages });

      const { asked, texts, logs } = await chats.hold(blocks, "Ana", settings);

      expect(asked.map(({ body }) => "tools" in body)).toEqual([true, false]);
      expect(texts).toEqual(["Answer: The tools said: no"]);
      expect(logs).toEqual([]);
    },
  );

  test("an exhausted budget prevents all calls, including fallbacks and speech", async () => {
    const fallbacks = [{ type: "openai", credentialsId: chats.credentialsId, model: "echo" }];
    const speech = (action: string, more: object) => ({
      ...{ id: action, type: "openai" },
      options: { action, credentialsId: chats.credentialsId, ...more },
    });
    const blocks = [
      ...answers({ fallbacks }),
      speech("Create speech", { input: "Hello there, Ana", voice: "alloy", saveUrlInVariableId: idOf("Tags") }),
    ];
    const spoken = await chats.hold(blocks);
    await setBudget({ day: { tokens: 1 } });
    const refused = await chats.hold(blocks);

    expect(spoken.asked).toHaveLength(2);
    expect(refused.asked).toEqual([]);
    expect((await usage({ groupBy: "model" })).at("usage")).toMatchObject([
      { model: "echo", calls: 1 },
      { model: "tts-1", calls: 1, tokensIn: 4, tokensOut: 0 },
    ]);
    const metrics = await chats.api.deps.modelMetrics.registry.metrics();
    expect(metrics).toContain('parley_model_calls_total{type="openai",ended="budget"}');
    expect(metrics).toContain('parley_model_tokens_total{type="openai",of="out"}');
    expect(metrics).not.toContain("echo");
  });
});

test("usage is returned by day, bot and model, for the requested days", async () => {
  await chats.hold(answers());
  await chats.hold(answers({ model: "fails-401" }));
  await database.sql`
    insert into model_usage (workspace_id, day, bot_id, type, model, calls, tokens_in, tokens_cached, tokens_out)
    select workspace_id, '2026-01-31', bot_id, type, model, 5, 500, 100, 50
    from model_usage
    where model = 'echo'`;

  const [recent, january] = [await usage(), await usage({ from: "2026-01-01", to: "2026-01-31" })];

  expect(recent.at("usage")).toMatchObject([{ botId: null, calls: 2, tokensIn: 11, tokensOut: 5 }]);
  expect((await usage({ groupBy: "bot" })).at("usage.*.calls")).toEqual([1, 1]);
  expect((await usage({ groupBy: "model" })).at("usage.*.model")).toEqual(["echo", "fails-401"]);
  const sums = { calls: 5, tokensIn: 500, tokensCached: 100, tokensOut: 50, money: null };
  expect(january.at("usage")).toEqual([{ day: "2026-01-31", botId: null, type: null, model: null, ...sums }]);
  expect(january.at("total")).toEqual({ from: "2026-01-01", to: "2026-01-31", ...sums });
});

describe("a result's model calls", () => {
  test("a result's model calls are stored with request and answer", async () => {
    const messages = [
      { id: "m1", role: "user", content: "I am {{Name}}" },
      { id: "m2", role: "system", content: "é".repeat(40_000) },
    ];
    const { botId, resultId, sessionId } = await begin(answers({ messages }));
    await say(chats.api.client, sessionId, plantedKey);
    const path = `bots/${botId}/results/${resultId}/model-calls`;

    const calls = await get(path);

    expect(calls.list("modelCalls")).toHaveLength(1);
    expect(calls.at("modelCalls.0")).toMatchObject({
      ...{ botId, resultId, sessionId, blockId: "model", type: "openai", model: "echo", ended: "stop", tries: 1 },
      ...{ tokensIn: 11, isEstimated: false, money: null, firstTextMs: expect.any(Number) },
    });
    expect(calls.text("modelCalls.0.request")).toStartWith(
      '{"model":"echo","messages":[{"role":"system","content":"éé',
    );
    expect(Buffer.byteLength(calls.text("modelCalls.0.request"))).toBeWithin(65_533, 65_537);
    expect(calls.text("modelCalls.0.answer")).toContain("You said: I am •••");
    expect(JSON.stringify(calls.body)).not.toContain(plantedKey);
    expect((await get(path, { cursor: "x" })).at("code")).toBe("cursor.invalid");

    await chats.api.client.delete(`/api/v1/bots/${botId}/results/${resultId}`, { token: chats.token });
    expect((await get(path)).at("code")).toBe("result.not_found");
    await post(`bots/${botId}/results/erase`, { resultIds: [resultId] });
    expect(await database.sql`select from model_calls where result_id = ${resultId}`).toHaveLength(0);
  });

  test("a result's model calls are not stored once the result is erased", async () => {
    const [question = {}, ...others] = answers();
    const { resultId, sessionId } = await begin([
      ...others,
      { ...question, id: "asks" },
      { ...others[0], id: "again" },
    ]);
    const kept = async () => (await database.sql`select from model_calls where result_id = ${resultId}`).length;
    expect(await kept()).toBe(1);
    const calls = chats.model.asked.length;
    // An erasure while the step is running deletes the result.
    await database.sql`delete from results where id = ${resultId}`;
    await say(chats.api.client, sessionId, "Ana");

    expect(chats.model.asked).toHaveLength(calls + 1);
    expect(await kept()).toBe(1);
  });

  test("a result's model calls are deleted after the configured time", async () => {
    const kept = () => database.sql`select from model_calls where workspace_id = ${chats.workspaceId}`;
    await database.sql`delete from model_calls`;
    await chats.hold(answers());
    await database.sql`update model_calls set created_at = created_at - interval '3 days'`;

    expect(await deleteOldModelCalls(database.sql, 10)).toBe(0);
    await setBudget({ keepModelCallsDays: 2 });
    expect(await deleteOldModelCalls(database.sql, 10)).toBe(1);
    await setBudget({ keepModelCallsDays: 0 });
    await chats.hold(answers());

    expect(await kept()).toHaveLength(0);
    expect((await usage()).at("total.calls")).toBe(2);
  });
});

test.each<[string, string, object, string]>([
  ["a negative budget", "model-budget", { day: { tokens: -1 } }, "day.tokens"],
  ["a retention period above the maximum", "model-budget", { keepModelCallsDays: 91 }, "keepModelCallsDays"],
  [
    "a price for an unknown provider",
    "model-prices",
    { prices: [{ type: "smtp", model: "m", in: 1, out: 1 }] },
    "prices[0].type",
  ],
])("%s is rejected with the path of the invalid field", async (_, path, body, issue) => {
  const answer = await put(ofWorkspace(path), body);

  expect(answer.at("code")).toBe("request.invalid");
  expect(answer.at("data.issues.0.path")).toBe(issue);
});

test.each<[Record<string, string>, string]>([
  [{ from: "2026-02-30" }, "must be a day such as 2026-11-22"],
  [{ from: "2026-02-02", to: "2026-02-01" }, "must not be later than `to`"],
  [{ from: "2020-01-01", to: "2026-01-01" }, "must be less than 366 days before to"],
])("usage of %p is rejected with a message", async (query, message) => {
  expect((await usage(query)).at("data.issues.0.message")).toBe(message);
});

test("a duplicate price is rejected, and valid changes of prices are audited", async () => {
  const price = { type: "openai", model: "echo", in: 1, out: 1 };
  expect((await setPrices([price, price])).at("data.issues.0.path")).toBe("prices[1].model");
  await setBudget({ day: { tokens: 77 } });
  await setPrices([price]);

  const entries = await get(ofWorkspace("audit"), { limit: "2" });

  expect(entries.at("entries.*.changedPaths")).toEqual([["modelPrices.openai echo"], ["modelBudget.dayTokens"]]);
});
