import { afterAll, beforeAll, expect, test } from "bun:test";
import { resultValues } from "../../../src/management/insight/result-values.job.ts";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { putResult, putResults } from "../../support/results.ts";

let api: TestApi;
let owner: TestUser;
let workspaceId: string;

beforeAll(async () => {
  api = await createTestApi();
  owner = await api.makeUser();
  workspaceId = await api.makeWorkspace(owner);
});
afterAll(() => api.close());

test("tags and notes of a result can be set separately, and can be cleared", async () => {
  const botId = await makeBot();
  const { resultId } = await putResult(api.deps.sql, botId, { answers: [{ content: "Hello" }] });
  const changed = async () =>
    (await api.deps.sql`select updated_at from results where id = ${resultId}`)[0]?.["updatedAt"];
  const before = await changed();

  const tagged = await note(botId, resultId, { tags: ["lead", "Büro 2", "lead"] });
  expect(tagged.body).toMatchObject({
    result: { tags: ["lead", "Büro 2"], note: null, answers: [{ content: "Hello" }] },
  });
  expect((await note(botId, resultId, { note: "Called\nback" })).body).toMatchObject({
    result: { tags: ["lead", "Büro 2"], note: "Called\nback" },
  });
  expect((await note(botId, resultId, {})).body).toMatchObject({ result: { note: "Called\nback" } });
  const cleared = await note(botId, resultId, { tags: [], note: "" });
  expect(cleared.body).toMatchObject({ result: { tags: [], note: null } });
  // The index of tagged results no longer contains the result.
  expect([...(await api.deps.sql`select tags from results where id = ${resultId}`)]).toEqual([{ tags: null }]);
  expect(await changed()).toEqual(before);
});

test("results are found by a tag together with other filters, page by page", async () => {
  const botId = await makeBot();
  const ids: string[] = [];
  for (const tags of [["vip"], ["vip", "late"], ["late"]]) {
    const { resultId } = await putResult(api.deps.sql, botId, { hasStarted: tags.length === 1 });
    await note(botId, resultId, { tags });
    ids.push(resultId);
  }
  await putResults(api.deps.sql, botId, 50);

  const found = async (query: object) => (await list(botId, { tag: "vip", ...query })).at("results.*.id");
  expect(await found({ order: "oldest" })).toEqual(ids.slice(0, 2));
  expect(await found({ tag: "late", hasStarted: true })).toEqual([ids[2]]);
  expect(await found({ tag: "VIP" })).toEqual([]);
  const first = await list(botId, { tag: "vip", limit: 1, withTotals: true });
  expect(first.at("totals")).toMatchObject({ results: 2, isExact: true });
  expect(await found({ limit: 1, cursor: first.text("nextCursor") })).toEqual([ids[0]]);
  expect((await list(botId, { tag: "x".repeat(51) })).at("data.issues.0.path")).toBe("tag");
});

test("tags and notes that are too many, too long or malformed are rejected", async () => {
  const botId = await makeBot();
  const { resultId } = await putResult(api.deps.sql, botId);
  await note(botId, resultId, { tags: ["kept"] });
  const wrong: [object, string][] = [
    [{ tags: Array.from({ length: 21 }, (_, index) => `t${index}`) }, "tags"],
    [{ tags: ["x".repeat(51)] }, "tags[0]"],
    [{ tags: ["fine", "a,b"] }, "tags[1]"],
    [{ tags: [" blank"] }, "tags[0]"],
    [{ tags: [""] }, "tags[0]"],
    [{ tags: "lead" }, "tags"],
    [{ note: "n".repeat(2_001) }, "note"],
  ];
  for (const [body, path] of wrong) expect((await note(botId, resultId, body)).at("data.issues.0.path")).toBe(path);
  expect((await list(botId, {})).at("results.0.tags")).toEqual(["kept"]);
});

test("a result in the bin cannot be changed, and keeps its tags until it is erased", async () => {
  const botId = await makeBot();
  const { resultId } = await putResult(api.deps.sql, botId);
  await note(botId, resultId, { tags: ["lead"], note: "Private" });
  const options = { token: owner.token };
  await api.client.delete(`/api/v1/bots/${botId}/results/${resultId}`, options);
  expect((await note(botId, resultId, { tags: [] })).at("code")).toBe("result.not_found");
  expect((await note(botId, "nonsense", { tags: [] })).at("code")).toBe("result.not_found");

  const body = { resultIds: [resultId] };
  await api.client.post(`/api/v1/bots/${botId}/results/restore`, { ...options, body });
  expect((await list(botId, {})).at("results.0")).toMatchObject({ tags: ["lead"], note: "Private" });
  await api.client.delete(`/api/v1/bots/${botId}/results/${resultId}`, options);
  await api.client.post(`/api/v1/bots/${botId}/results/erase`, { ...options, body });
  expect([...(await api.deps.sql`select tags, note from results where id = ${resultId}`)]).toEqual([
    { tags: null, note: null },
  ]);
});

test("a copied bot's results are found by their values, and keep their tags", async () => {
  const botId = await makeBot();
  const variables = [{ id: "e", name: "Email", value: "ada@example.com" }];
  const { resultId } = await putResult(api.deps.sql, botId, { variables, createdAt: "2026-03-01T10:00:00.000Z" });
  await note(botId, resultId, { tags: ["lead"] });
  const { sql } = api.deps;
  const readAll = async () => {
    for (const task of resultValues(sql)) while ((await task.removeSome()) > 0);
  };
  await readAll();
  await sql`update result_walks set result_id = ${"f".repeat(32)}`;

  const copy = await api.client.post(`/api/v1/bots/${botId}/duplicate`, {
    token: owner.token,
    body: { withResults: true },
  });
  await readAll();

  const query = { "variables.Email": "ada@example.com", tag: "lead", timeFilter: "allTime" };
  expect((await list(copy.text("bot.id"), query)).list("results")).toHaveLength(1);
});

async function makeBot(): Promise<string> {
  return (await api.client.post("/api/v1/bots", { token: owner.token, body: { workspaceId, bot: {} } })).text("bot.id");
}

function note(botId: string, resultId: string, body: object) {
  return api.client.patch(`/api/v1/bots/${botId}/results/${resultId}`, { token: owner.token, body });
}

function list(botId: string, query: Readonly<Record<string, string | number | boolean>>) {
  return api.client.get(`/api/v1/bots/${botId}/results`, { token: owner.token, query });
}
