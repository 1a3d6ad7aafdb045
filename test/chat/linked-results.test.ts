import { afterAll, beforeAll, expect, test } from "bun:test";
import { openServer } from "../../src/commands/import/server.ts";
import { addResults } from "../../src/commands/import/target.ts";
import { noteChangedResults } from "../../src/management/counts/counted-results.sql.ts";
import { createCounting } from "../../src/management/insight/count-results.ts";
import { providerUrls } from "../fake-providers/kit.ts";
import { type FakeStripe, startFakeStripe } from "../fake-providers/stripe.ts";
import { idOf } from "../support/builder-ids.ts";
import { asks, flowOf, publish, say, says, start } from "../support/chat.ts";
import { createModelChats, type ModelChats } from "../support/model-chats.ts";

let chats: ModelChats;
let stripe: FakeStripe;
let credentialsId: string;

beforeAll(async () => {
  stripe = await startFakeStripe();
  chats = await createModelChats({ RATE_LIMITS: "off", PROVIDER_URLS: providerUrls([stripe]) });
  credentialsId = await chats.makeCredentials("stripe", {
    ...{ liveSecretKey: "sk_live_planted_key_1", livePublicKey: "pk_live_1", liveWebhookSecret: "whsec_planted" },
    ...{ testSecretKey: "sk_test_planted_key_2", testPublicKey: "pk_test_1" },
  });
});
afterAll(async () => {
  await chats.close();
  await stripe.close();
});

const settings = { general: { isGoBackEnabled: true }, answers: { isRated: true } };
const make = (flow: object) => {
  const { api, token, workspaceId } = chats;
  return publish(api.client, { token, workspaceId }, { settings, ...flow });
};
const get = (path: string) => chats.api.client.get(`/api/v1/bots/${path}`, { token: chats.token });
const resultsOf = async (botId: string) => (await get(`${botId}/results`)).list("results").map(Object);
const resultOf = async (botId: string, resultId: string) =>
  Object((await get(`${botId}/results/${resultId}`)).at("result"));
const theOne = async (botId: string) => {
  const [one, ...others] = await resultsOf(botId);
  expect(others).toEqual([]);
  return resultOf(botId, one.id);
};
const link = (botId: string, id = "link") => ({ id, type: "Typebot link", options: { typebotId: botId } });
const goBack = async (sessionId: string) =>
  expect((await chats.api.client.post(`/api/v1/sessions/${sessionId}/goBack`, {})).status).toBe(200);
const pays = () => asks("payment input", { credentialsId, amount: "12.50", currency: "EUR" }, { id: "pay" });
async function linked(blocks: readonly object[]) {
  const inner = await make(flowOf(blocks));
  const outer = await make(
    flowOf([asks("text input", { variableId: idOf("Name") }), link(inner.botId), asks("email input")]),
  );
  const started = await start(chats.api.client, outer.publicId);
  return { inner, outer, sessionId: started.text("sessionId"), resultId: started.text("resultId") };
}
async function blocksOf(botId: string) {
  const ids = (await resultsOf(botId)).map(({ id }) => id);
  await noteChangedResults(chats.api.deps.sql, ids);
  await chats.api.deps.sql`update insight_results set next_at = clock()`;
  const count = createCounting(chats.api.deps.sql);
  while ((await count(100)) > 0);
  const insight = Object((await get(`${botId}/insight`)).at("insight"));
  const blocks: { blockId: string; reached: number; left: number; good: number }[] = insight.blocks;
  return { ...insight, blocks: Object.fromEntries(blocks.map((block) => [block.blockId, block])) };
}

test("a payment in a linked bot counts once", async () => {
  const { inner, outer, sessionId, resultId } = await linked([says("Pay"), pays()]);
  const shown = await say(chats.api.client, sessionId, "Ana");
  const open = await theOne(inner.botId);
  stripe.confirm(shown.text("input.runtimeOptions.paymentIntentSecret"));
  await say(chats.api.client, sessionId, "Success");

  const [ofInner, ofOuter] = [await theOne(inner.botId), await resultOf(outer.botId, resultId)];
  expect(open.payments).toMatchObject([{ blockId: "pay", status: "open", amount: 12.5, isLinked: true }]);
  expect(ofOuter).toMatchObject({ isPaid: true, payments: [{ blockId: "pay", status: "succeeded" }] });
  expect(ofOuter.payments[0].isLinked).toBeUndefined();
  expect(ofInner).toMatchObject({ isPaid: false, payments: [{ ...ofOuter.payments[0], isLinked: true }] });
  const transcript = await get(`${inner.botId}/results/${ofInner.id}/transcript`);
  expect(transcript.at("transcript.*.text")).toEqual(["Paid €12.50"]);
  expect([(await blocksOf(outer.botId)).payments, (await blocksOf(inner.botId)).payments]).toEqual([
    [{ currency: "EUR", count: 1, amount: 12.5 }],
    [],
  ]);
});

test("a payment is shown in the result of the visit that paid", async () => {
  const aside = { id: idOf("aside"), type: "command", options: { command: "skip" }, outgoingEdgeId: idOf("e1") };
  const flow = flowOf(
    [pays()],
    [asks("number input"), { id: "jump", type: "Jump", options: { groupId: idOf("g2") } }],
    [says("Skipped")],
  );
  const inner = await make({ ...flow, events: [...flow.events, { ...aside, graphCoordinates: { x: 0, y: 0 } }] });
  const outer = await make(flowOf([link(inner.botId, "one"), link(inner.botId, "two"), asks("email input")]));
  const started = await start(chats.api.client, outer.publicId);
  const sessionId = started.text("sessionId");
  const first = await theOne(inner.botId);

  await say(chats.api.client, sessionId, { type: "command", command: "skip" });
  const again = await say(chats.api.client, sessionId, "7");
  const secret = again.text("input.runtimeOptions.paymentIntentSecret");
  expect(secret).toBe(started.text("input.runtimeOptions.paymentIntentSecret"));
  stripe.confirm(secret);
  expect((await say(chats.api.client, sessionId, "Success")).at("input.type")).toBe("email input");

  const paid = Object.fromEntries(
    await Promise.all(
      (await resultsOf(inner.botId)).map(async ({ id }) => [id, (await resultOf(inner.botId, id)).payments.length]),
    ),
  );
  expect(Object.keys(paid)).toHaveLength(2);
  expect(paid[first.id]).toBe(0);
  expect(Object.values(paid).toSorted()).toEqual([0, 1]);
});

test("a rating in a linked bot appears in both bots' results", async () => {
  const { token } = chats;
  const [name = {}, model = {}, answer = {}] = chats.answers({});
  const { inner, outer, sessionId, resultId } = await linked([name, model, { ...answer, id: "answer" }]);
  await say(chats.api.client, sessionId, "Ana");
  await say(chats.api.client, sessionId, "Tea");
  const rating = { blockId: "answer", revision: 3, isGood: true, words: "Kind" };
  await chats.api.client.post(`/api/v1/sessions/${sessionId}/rating`, { body: rating });

  const [ofInner, ofOuter] = [await theOne(inner.botId), await resultOf(outer.botId, resultId)];
  expect(ofOuter.ratings).toMatchObject([{ ...rating, sessionId }]);
  const { sessionId: _, ...shown } = ofOuter.ratings[0];
  expect(ofInner.ratings).toEqual([{ ...shown, isLinked: true }]);
  expect((await resultsOf(inner.botId))[0].ratings).toEqual(ofInner.ratings);
  expect([(await blocksOf(outer.botId)).blocks["answer"].good, (await blocksOf(inner.botId)).blocks["answer"]]).toEqual(
    [1, undefined],
  );
  const exported = await chats.api.handle(
    new Request(`http://localhost/api/v1/bots/${inner.botId}/results/export?format=ndjson`, {
      headers: { Authorization: `Bearer ${token}` },
    }),
  );
  expect(JSON.parse(await exported.text()).ratings).toEqual(ofInner.ratings);
  await chats.api.client.post(`/api/v1/sessions/${sessionId}/rating`, { body: { ...rating, isGood: null } });
  expect((await theOne(inner.botId)).ratings).toEqual([]);
});

test("an import of a linked bot's results omits the ratings of the chat", async () => {
  const [name = {}, model = {}, answer = {}] = chats.answers({});
  const { inner, sessionId } = await linked([name, model, { ...answer, id: "answer" }]);
  for (const word of ["Ana", "Tea"]) await say(chats.api.client, sessionId, word);
  const rating = { blockId: "answer", revision: 3, isGood: true, words: "Kind" };
  await chats.api.client.post(`/api/v1/sessions/${sessionId}/rating`, { body: rating });
  const results = await resultsOf(inner.botId);
  expect(results).toMatchObject([{ ratings: [{ words: "Kind" }] }]);
  const target = await make(flowOf([says("Moved")]));
  using served = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: (request) => chats.api.handle(request) });

  const server = openServer(served.url.href, { token: chats.token, option: "--to" });
  const { added } = await addResults(server, target.botId, { source: "https://old.example", results });

  expect(added).toBe(1);
  expect(await resultsOf(target.botId)).toMatchObject([{ answers: [{ content: "Tea" }], ratings: [] }]);
});

test("a restored result of a linked bot shows its payment again", async () => {
  const { inner, outer, sessionId, resultId } = await linked([pays(), asks("number input")]);
  const { client } = chats.api;
  const { token } = chats;
  const shown = await say(client, sessionId, "Ana");
  const { id } = await theOne(inner.botId);
  const erase = async (botId: string, resultIds: readonly string[]) => {
    await client.delete(`/api/v1/bots/${botId}/results`, { token, body: { resultIds } });
    const erased = await client.post(`/api/v1/bots/${botId}/results/erase`, { token, body: { resultIds } });
    expect(erased.status).toBe(200);
  };
  await client.delete(`/api/v1/bots/${inner.botId}/results`, { token, body: { resultIds: [id] } });
  stripe.confirm(shown.text("input.runtimeOptions.paymentIntentSecret"));
  await say(client, sessionId, "Success");
  await client.post(`/api/v1/bots/${inner.botId}/results/restore`, { token, body: { resultIds: [id] } });
  expect((await resultOf(inner.botId, id)).payments).toMatchObject([{ status: "succeeded" }]);

  await erase(outer.botId, [resultId]);
  expect((await resultOf(inner.botId, id)).payments).toEqual([]);
});

test("erasing a linked bot's result keeps the payment in the chat's result", async () => {
  const { inner, outer, sessionId, resultId } = await linked([pays(), asks("number input")]);
  const { client } = chats.api;
  const { token } = chats;
  await say(client, sessionId, "Ana");
  const body = { resultIds: [(await theOne(inner.botId)).id] };
  await client.delete(`/api/v1/bots/${inner.botId}/results`, { token, body });
  await client.post(`/api/v1/bots/${inner.botId}/results/erase`, { token, body });

  expect((await resultOf(outer.botId, resultId)).payments).toMatchObject([{ blockId: "pay", status: "open" }]);
});

test("a drop-off at a linked bot's question counts in that bot's insight", async () => {
  const { inner, outer, sessionId } = await linked([
    asks("number input", {}, { id: "age" }),
    asks("url input", {}, { id: "site" }),
  ]);
  const left = async () => {
    const { views, completions, blocks } = await blocksOf(inner.botId);
    const of = (id: string) => [blocks[id].reached, blocks[id].left];
    return { views, completions, age: of("age"), site: of("site") };
  };
  await say(chats.api.client, sessionId, "Ana");
  expect(await left()).toEqual({ views: 1, completions: 0, age: [1, 1], site: [0, 0] });
  await say(chats.api.client, sessionId, "7");
  expect(await left()).toEqual({ views: 1, completions: 0, age: [1, 0], site: [1, 1] });

  await goBack(sessionId);
  await goBack(sessionId);
  expect(await left()).toEqual({ views: 1, completions: 0, age: [1, 0], site: [1, 0] });
  expect(Object.keys((await blocksOf(inner.botId)).blocks).toSorted()).toEqual(["age", "site"]);

  for (const word of ["Ana", "7", "https://example.com"]) await say(chats.api.client, sessionId, word);
  expect(await left()).toEqual({ views: 1, completions: 1, age: [1, 0], site: [1, 0] });
  expect((await blocksOf(outer.botId)).blocks["site"].left).toBe(0);
});

test("a drop-off still counts after its chat is deleted", async () => {
  const { sql } = chats.api.deps;
  const innermost = await make(flowOf([asks("number input", {}, { id: "age" })]));
  const between = await make(flowOf([link(innermost.botId), asks("url input", {}, { id: "age" })]));
  const outer = await make(flowOf([link(between.botId)]));
  const sessionId = (await start(chats.api.client, outer.publicId)).text("sessionId");
  const before = (await blocksOf(innermost.botId)).blocks["age"].left;
  expect((await blocksOf(between.botId)).blocks["age"].left).toBe(0);
  // End the session as an administrator does. Afterwards, delete the session as the clean-up does.
  await sql`update sessions set is_ended = true, state = '' where id = ${sessionId}`;
  await sql`update insight_results set counted_steps = null`;
  const ended = (await blocksOf(innermost.botId)).blocks["age"].left;
  await sql`delete from sessions where id = ${sessionId}`;
  await sql`update insight_results set counted_steps = -1`;

  expect([before, ended, (await blocksOf(innermost.botId)).blocks["age"].left]).toEqual([1, 1, 1]);
  expect((await blocksOf(between.botId)).blocks["age"].left).toBe(0);
});
