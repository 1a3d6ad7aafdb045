import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { limits } from "../../../src/limits/index.ts";
import { resultValues } from "../../../src/management/insight/result-values.job.ts";
import { eraseResults } from "../../../src/management/row-erasure/erasure.sql.ts";
import { newId } from "../../../src/platform/ids.ts";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { idOf } from "../../support/builder-ids.ts";
import { asks, flowOf, publish, say, start } from "../../support/chat.ts";
import { putResult, putResults, type TestResult } from "../../support/results.ts";
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
  await api.close();
  await threads.close();
});

describe("the list of results", () => {
  const put: Readonly<Record<string, TestResult>> = {
    done: {
      createdAt: "2026-03-01T10:00:00.000Z",
      hasStarted: true,
      isCompleted: true,
      version: 2,
      answers: [{ content: "I like Green tea" }, { content: "100% sure_thing" }],
    },
    begun: {
      createdAt: "2026-03-02T10:00:00.000Z",
      hasStarted: true,
      version: 2,
      answers: [{ content: "=cmd|' /C calc'!A0" }],
    },
    viewed: { createdAt: "2026-03-03T10:00:00.000Z", version: 1 },
  };
  const ids = new Map<unknown, string>();
  let botId: string;

  beforeAll(async () => {
    botId = await makeBot();
    for (const [name, result] of Object.entries(put)) {
      ids.set((await putResult(api.deps.sql, botId, result)).resultId, name);
    }
  });

  test.each<[Record<string, string | number>, string[]]>([
    [{}, ["viewed", "begun", "done"]],
    [{ order: "oldest" }, ["done", "begun", "viewed"]],
    [{ isCompleted: "true" }, ["done"]],
    [{ isCompleted: "0" }, ["viewed", "begun"]],
    [{ hasStarted: "true" }, ["begun", "done"]],
    [{ hasStarted: "false" }, ["viewed"]],
    [{ version: 2 }, ["begun", "done"]],
    [{ version: 2, isCompleted: "false" }, ["begun"]],
    [{ version: 99 }, []],
    [{ publicationNumber: 1 }, ["viewed"]],
    [{ publicationNumber: 2, version: 2 }, ["begun", "done"]],
    [{ answer: "green TEA" }, ["done"]],
    [{ answer: "100%" }, ["done"]],
    [{ answer: "e_t" }, ["done"]],
    [{ answer: "=cmd|' /C" }, ["begun"]],
    [{ answer: "' or true --" }, []],
    [{ from: "2026-03-02T10:00:00.000Z" }, ["viewed", "begun"]],
    [{ to: "2026-03-02T10:00:00.000Z" }, ["done"]],
    [{ from: "2026-03-02T12:00:00+02:00", to: "2026-03-03T00:00:00Z" }, ["begun"]],
    [{ from: "2020-01-01T00:00:00Z", timeFilter: "today" }, []],
  ])("the query %j lists the expected results", async (query, expected) => {
    expect(await named({ ...(query["timeFilter"] || query["from"] || query["to"] ? {} : all), ...query })).toEqual(
      expected,
    );
  });

  test("results are listed with the totals of all pages", async () => {
    expect((await list(botId, { ...all, withTotals: "true", limit: 1 })).at("totals")).toEqual({
      results: 3,
      started: 2,
      completed: 1,
      isExact: true,
      isLowerBound: false,
    });
    expect((await list(botId, { ...all, withTotals: "true", version: 2, isCompleted: "false" })).at("totals")).toEqual({
      results: 1,
      started: 1,
      completed: 0,
      isExact: true,
      isLowerBound: false,
    });
    expect((await list(botId, all)).body).not.toHaveProperty("totals");
  });

  test("a cursor of results is valid only with its filter and order", async () => {
    const first = await list(botId, { ...all, order: "oldest", limit: 1 });
    const cursor = first.text("nextCursor");
    expect(ids.get(first.at("results.0.id"))).toBe("done");
    const second = await list(botId, { order: "oldest", limit: 1, cursor });
    expect(ids.get(second.at("results.0.id"))).toBe("begun");
    for (const other of [{}, { order: "newest" }, { order: "oldest", version: 2 }]) {
      expect((await list(botId, { ...other, cursor })).at("code")).toBe("cursor.invalid");
    }
  });

  test("the list of results rejects invalid filters", async () => {
    const wrong = {
      from: "yesterday",
      to: "2026-03-01",
      version: "0",
      order: "random",
      isCompleted: "maybe",
      answer: "x".repeat(limits.lists.searchCharacters + 1),
    };
    for (const [name, value] of Object.entries(wrong)) {
      expect((await list(botId, { [name]: value })).at("data.issues.0.path")).toBe(name);
    }
    const backwards = { from: "2026-03-02T00:00:00Z", to: "2026-03-01T00:00:00Z" };
    expect((await list(botId, backwards)).at("data.issues.0.path")).toBe("to");
    const twice = { version: 1, publicationNumber: 2 };
    expect((await list(botId, twice)).at("data.issues.0.path")).toBe("publicationNumber");
  });

  async function named(query: Record<string, string | number>): Promise<unknown> {
    return (await list(botId, query)).list("results").map((result) => ids.get(Object(result).id));
  }
});

test("a search that reaches its limit without a match continues on the next page", async () => {
  const botId = await makeBot();
  const { resultId } = await putResult(api.deps.sql, botId, {
    createdAt: "2026-01-01T00:00:00.000Z",
    answers: [{ content: "needle" }],
  });
  await putResults(api.deps.sql, botId, limits.lists.searchedResults + 1);

  const first = await list(botId, { ...all, answer: "needle", withTotals: "true" });
  expect(first.at("results")).toEqual([]);
  expect(first.at("totals")).toEqual({ results: 0, started: 0, completed: 0, isExact: false, isLowerBound: true });
  const second = await list(botId, { answer: "needle", cursor: first.text("nextCursor") });
  expect(second.at("results.*.id")).toEqual([resultId]);
  expect(second.body).not.toHaveProperty("nextCursor");
});

describe("a filter by the value of a variable", () => {
  const ids = new Map<unknown, string>();
  let botId: string;
  const long = `${"l".repeat(300)}`;
  const huge = "h".repeat(1_000_000);

  beforeAll(async () => {
    botId = await makeBot();
    const put = async (name: string, variables: Record<string, unknown>) => {
      const saved = Object.entries(variables).map(([variable, value]) => ({ id: variable, name: variable, value }));
      // Two results with the same creation time have no defined order.
      const createdAt = new Date(Date.now() + 1_000 * ids.size).toISOString();
      ids.set((await putResult(api.deps.sql, botId, { variables: saved, hasStarted: true, createdAt })).resultId, name);
    };
    await put("ada", { email: "ada@example.com", colours: ["red", null, "green"], "a.b c": "x" });
    await put("adam", { email: "adam@example.com", colours: "red" });
    await put("long", { email: `${long}1`, note: "50% _off_ 'now'" });
    await put("longer", { email: `${long}2` });
    await put("huge", { email: huge });
    await putResult(api.deps.sql, await makeBot(), {
      variables: [{ id: idOf("e"), name: "email", value: "ada@example.com" }],
    });
    await readValues();
  });

  test.each<[Record<string, string | number>, string[]]>([
    [{ "variables.email": "ada@example.com" }, ["ada"]],
    [{ "variables.email": "ADA@example.com" }, []],
    [{ "variables.email": "ada" }, []],
    [{ "variables.Email": "ada@example.com" }, []],
    [{ "variablePrefixes.email": "ada" }, ["adam", "ada"]],
    [{ "variablePrefixes.email": "ada", order: "oldest" }, ["ada", "adam"]],
    [{ "variablePrefixes.email": "%" }, []],
    [{ "variables.colours": "green" }, ["ada"]],
    [{ "variables.colours": "red" }, ["adam", "ada"]],
    [{ "variablePrefixes.colours": "", "variables.colours": "green" }, ["ada"]],
    [{ "variables.colours": "red", "variablePrefixes.email": "adam" }, ["adam"]],
    [{ "variables.colours": "red", isCompleted: "true" }, []],
    [{ "variables.a.b c": "x" }, ["ada"]],
    [{ "variables.note": "50% _off_ 'now'" }, ["long"]],
    [{ "variables.email": `${long}1` }, ["long"]],
    [{ "variables.email": long }, []],
    [{ "variablePrefixes.email": long }, ["longer", "long"]],
    [{ "variablePrefixes.email": `${long}2` }, ["longer"]],
    [{ "variables.email": huge.slice(0, 1_000) }, []],
    [{ "variablePrefixes.email": huge.slice(0, 1_000) }, ["huge"]],
    [{ "variables.__proto__": "x" }, []],
    [{ "variables[colours]": "red", "variablePrefixes[email]": "adam" }, ["adam"]],
    [{ "variables[a.b c]": "x" }, ["ada"]],
  ])("a filter by the value of a variable finds the expected results (case %#)", async (query, expected) => {
    const found = await list(botId, { ...query, ...all });
    expect(found.list("results").map((result) => ids.get(Object(result).id))).toEqual(expected);
  });

  test("results with several matching values are found once", async () => {
    const query = { "variablePrefixes.colours": "r", limit: 1, withTotals: "true", ...all };
    const first = await list(botId, query);
    expect(first.at("totals")).toEqual({ results: 2, started: 2, completed: 0, isExact: true, isLowerBound: false });
    const second = await list(botId, { ...query, cursor: first.text("nextCursor") });
    expect([first, second].map((page) => ids.get(page.at("results.0.id")))).toEqual(["adam", "ada"]);
    expect(second.body).not.toHaveProperty("nextCursor");
  });

  test("strict validation accepts filters by variables", async () => {
    const options = { token: owner.token, headers: { Prefer: "handling=strict" } };
    const at = `/api/v1/bots/${botId}/results?timeFilter=allTime`;
    const found = await api.client.get(`${at}&variables.email=ada@example.com`, options);
    expect(ids.get(found.at("results.0.id"))).toBe("ada");
    expect((await api.client.get(`${at}&variables[email]=ada@example.com`, options)).status).toBe(200);
    for (const unknown of ["variable.email", "variable[email]", "variables[email]x"])
      expect((await api.client.get(`${at}&${unknown}=ada`, options)).at("code")).toBe("request.invalid");
  });

  test("variable filters that are too long, too many or repeated are rejected", async () => {
    expect((await list(botId, { "variables.email": "x".repeat(1_001) })).at("data.issues.0.path")).toContain(
      "variables",
    );
    const many = Object.fromEntries(Array.from({ length: 6 }, (_, index) => [`variables.v${index}`, "x"]));
    expect((await list(botId, many)).at("data.issues.0.path")).toBe("variables");
    const twice = await list(botId, { "variables.email": "ada", "variables[email]": "adam" });
    expect(twice.at("data.issues")).toEqual([{ path: "variables", message: "must be given only once" }]);
  });

  test("results are found by their current answers", async () => {
    const flow = flowOf([
      asks("text input", { variableId: idOf("Name") }),
      asks("text input", { variableId: idOf("Name") }, { id: "again" }),
    ]);
    const bot = await publish(api.client, { token: owner.token, workspaceId }, flow);
    const chat = await start(api.client, bot.publicId);
    const [sessionId, resultId] = [chat.text("sessionId"), chat.text("resultId")];
    await say(api.client, sessionId, "first");
    await readValues();
    const found = async (name: string) => (await list(bot.botId, { "variables.Name": name })).at("results.*.id");
    expect(await found("first")).toEqual([resultId]);

    await say(api.client, sessionId, "second");
    await readValues({ isLater: true });
    // The answer to the first question is still `first`.
    expect(await found("first")).toEqual([resultId]);
    expect(await found("second")).toEqual([resultId]);
    await api.deps.sql`update answers set replaced_at = clock() where result_id = ${resultId} and content = 'first'`;
    await readValues({ isLater: true });
    expect(await found("first")).toEqual([]);

    await eraseResults(api.deps.sql, { botId: bot.botId, resultIds: [resultId] });
    expect(await found("second")).toEqual([]);
    const [left] = await api.deps
      .sql`select count(*)::integer as count from result_values where result_id = ${resultId}`;
    expect(left).toEqual({ count: 0 });
  });

  /** Runs the job as the schedule does. With `isLater`, all results are first made due for another check. */
  async function readValues({ isLater = false } = {}): Promise<void> {
    if (isLater) await api.deps.sql`update results_to_read set next_at = clock()`;
    for (const task of resultValues(api.deps.sql)) while ((await task.removeSome()) > 0);
  }
});

test("a single result can be deleted only once, and only through its own bot", async () => {
  const botId = await makeBot();
  const kept = await putResult(api.deps.sql, botId);
  const { resultId } = await putResult(api.deps.sql, botId, { answers: [{ content: "secret" }] });
  const remove = (id: string, of = botId) =>
    api.client.delete(`/api/v1/bots/${of}/results/${id}`, { token: owner.token });

  expect((await remove(resultId, await makeBot())).at("code")).toBe("result.not_found");
  expect((await remove(resultId)).body).toEqual({ message: "success" });
  expect((await remove(resultId)).at("code")).toBe("result.not_found");
  expect((await remove(newId())).at("code")).toBe("result.not_found");
  expect((await remove("..%2f..")).at("code")).toBe("result.not_found");
  expect((await list(botId, all)).at("results.*.id")).toEqual([kept.resultId]);
});

const all = { timeFilter: "allTime" };

async function makeBot(): Promise<string> {
  return (await api.client.post("/api/v1/bots", { token: owner.token, body: { workspaceId, bot: {} } })).text("bot.id");
}

function list(botId: string, query: Record<string, string | number> = {}) {
  return api.client.get(`/api/v1/bots/${botId}/results`, { token: owner.token, query });
}
