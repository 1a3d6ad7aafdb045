import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { newId } from "../../../src/platform/ids.ts";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { idOf } from "../../support/builder-ids.ts";
import { unsetFields } from "../../support/result-fields.ts";
import { countContent, putResult, putResults, putSession } from "../../support/results.ts";

let api: TestApi;
let owner: TestUser;
let stranger: TestUser;
let workspaceId: string;

beforeAll(async () => {
  api = await createTestApi();
  owner = await api.makeUser();
  stranger = await api.makeUser();
  workspaceId = await api.makeWorkspace(owner);
});
afterAll(() => api.close());

describe("listing results", () => {
  test("the list of results returns every field", async () => {
    const botId = await makeBot();
    const createdAt = minutesAgo(5);
    const variables = [
      { id: idOf("v"), name: "Name", value: "Ada" },
      { id: "l", name: "List", value: ["a", null] },
    ];
    const answers = [
      { content: "Ada", variableId: idOf("v") },
      { content: "see", attachedFileUrls: ["https://files.example.com/a.png"] },
    ];
    const { resultId } = await putResult(api.deps.sql, botId, {
      createdAt,
      variables,
      hasStarted: true,
      isCompleted: true,
      version: 3,
      answers,
    });
    // A result of a release that did not record versions.
    const { resultId: viewId } = await putResult(api.deps.sql, botId, { createdAt: minutesAgo(6) });

    const results = await list(botId);

    const result = {
      id: resultId,
      createdAt,
      botId,
      variables,
      ...{ ...unsetFields, isCompleted: true, hasStarted: true, publicationNumber: 3 },
      answers: [
        {
          createdAt,
          resultId,
          blockId: "block-0",
          groupId: "group-0",
          variableId: idOf("v"),
          content: "Ada",
          storageUsed: 0,
          attachedFileUrls: [],
          storedFileUrls: [],
        },
        {
          createdAt,
          resultId,
          blockId: "block-1",
          groupId: "group-1",
          variableId: null,
          content: "see",
          storageUsed: 0,
          attachedFileUrls: ["https://files.example.com/a.png"],
          storedFileUrls: [],
        },
      ],
      ratings: [],
    };
    expect(results.body).toEqual({
      results: [
        result,
        {
          id: viewId,
          createdAt: expect.any(String),
          botId,
          variables: [],
          ...unsetFields,
          answers: [],
          ratings: [],
        },
      ],
    });
    expect((await get(botId, resultId)).body).toEqual({ result: { ...result, payments: [] } });
  });

  test("the list of results is empty for a bot without visitors", async () => {
    expect((await list(await makeBot())).body).toEqual({ results: [] });
  });

  test("the list of results is paged newest first", async () => {
    const botId = await makeBot();
    const moment = minutesAgo(1);
    const ids: string[] = [];
    for (let index = 0; index < 7; index++)
      ids.push((await putResult(api.deps.sql, botId, { createdAt: moment })).resultId);
    const seen: unknown[] = [];
    let cursor: string | undefined;
    do {
      const page = await list(botId, { limit: 3, ...(cursor && { cursor }) });
      seen.push(...idsOf(page));
      cursor = page.at("nextCursor") === undefined ? undefined : page.text("nextCursor");
    } while (cursor);
    expect(seen).toEqual(ids.sort().reverse());
  });

  test("the list of results omits nextCursor if the last page is full", async () => {
    const botId = await makeBot();
    await putResult(api.deps.sql, botId);
    await putResult(api.deps.sql, botId);
    expect((await list(botId, { limit: 2 })).body).not.toHaveProperty("nextCursor");
    expect((await list(botId, { limit: 1 })).at("nextCursor")).toBeString();
  });

  test("the list of results returns 50 results by default, and at most 100", async () => {
    const botId = await makeBot();
    await putResults(api.deps.sql, botId, 120);
    expect((await list(botId)).list("results")).toHaveLength(50);
    expect((await list(botId, { limit: 100 })).list("results")).toHaveLength(100);
    for (const limit of [0, 101, 1.5, "many"])
      expect((await list(botId, { limit })).at("data.issues.0.path")).toBe("limit");
  });

  test("the list of results is stable if results are added or removed between pages", async () => {
    const botId = await makeBot();
    const made: string[] = [];
    for (let minute = 4; minute > 0; minute--)
      made.unshift((await putResult(api.deps.sql, botId, { createdAt: minutesAgo(minute) })).resultId);
    const first = await list(botId, { limit: 2 });
    await putResult(api.deps.sql, botId);
    await erase(botId, { resultIds: made[0] ?? "" });
    const second = await list(botId, { limit: 2, cursor: first.text("nextCursor") });
    expect([...idsOf(first), ...idsOf(second)]).toEqual(made);
  });

  test("the list of results returns the last 7 days by default", async () => {
    const botId = await makeBot();
    const recent = await putResult(api.deps.sql, botId, { createdAt: minutesAgo(2) });
    const old = await putResult(api.deps.sql, botId, { createdAt: minutesAgo(8 * 24 * 60) });
    expect(idsOf(await list(botId))).toEqual([recent.resultId]);
    expect(idsOf(await list(botId, { timeFilter: "last30Days" }))).toEqual([recent.resultId, old.resultId]);
    expect(idsOf(await list(botId, { timeFilter: "allTime", timeZone: "Asia/Kathmandu" }))).toEqual([
      recent.resultId,
      old.resultId,
    ]);
  });

  test("the list of results keeps the first page's period on all pages", async () => {
    const botId = await makeBot();
    await putResult(api.deps.sql, botId, { createdAt: minutesAgo(1) });
    const second = await putResult(api.deps.sql, botId, { createdAt: minutesAgo(2) });
    await putResult(api.deps.sql, botId, { createdAt: minutesAgo(20 * 24 * 60) });
    const cursor = (await list(botId, { limit: 1 })).text("nextCursor");
    expect(idsOf(await list(botId, { cursor, timeFilter: "allTime" }))).toEqual([second.resultId]);
  });

  test("the list of results rejects unknown filters, time zones and cursors", async () => {
    const botId = await makeBot();
    expect((await list(botId, { timeFilter: "lastYear" })).at("data.issues.0.path")).toBe("timeFilter");
    for (const timeZone of ["Mars/Olympus", "+02:00", "utc+2", "Europe/Paris; drop"]) {
      expect((await list(botId, { timeZone })).at("data.issues.0.path")).toBe("timeZone");
    }
    expect((await list(botId, { cursor: "nonsense" })).at("code")).toBe("cursor.invalid");
    const elsewhere = Buffer.from(`bots 1700000000000 ${newId()}`).toString("base64url");
    expect((await list(botId, { cursor: elsewhere })).at("code")).toBe("cursor.invalid");
    const windowless = Buffer.from(`results 1700000000000 ${newId()}`).toString("base64url");
    expect((await list(botId, { cursor: windowless })).at("code")).toBe("cursor.invalid");
  });
});

describe("one result", () => {
  test("a deleted result or a result of another bot is not found", async () => {
    const botId = await makeBot();
    const { resultId } = await putResult(api.deps.sql, botId);
    expect((await get(await makeBot(), resultId)).at("code")).toBe("result.not_found");
    expect((await get(botId, newId())).at("code")).toBe("result.not_found");
    expect((await get(botId, "nonsense")).at("code")).toBe("result.not_found");
    expect((await get(botId, resultId, stranger.token)).at("code")).toBe("bot.not_found");
    await erase(botId, { resultIds: resultId });
    expect((await get(botId, resultId)).at("code")).toBe("result.not_found");
  });

  test("the logs of a result are returned in the order in which they were written", async () => {
    const botId = await makeBot();
    const { resultId } = await putResult(api.deps.sql, botId);
    // The ids sort in the opposite order, as after a clock that stepped back.
    const [first = "", second = ""] = [newId(), newId()].sort().reverse();
    await api.deps.sql`delete from logs where result_id = ${resultId}`;
    for (const id of [first, second]) {
      await api.deps.sql`
        insert into logs (shard, result_id, id, bot_id, status, description, details, context)
        select shard, id, ${id}, bot_id, 'error', 'Failed', 'why', 'where' from results where id = ${resultId}`;
    }
    const log = {
      createdAt: expect.any(String),
      resultId,
      status: "error",
      description: "Failed",
      details: "why",
      context: "where",
    };
    expect((await logs(botId, resultId)).body).toEqual({
      logs: [
        { id: first, ...log },
        { id: second, ...log },
      ],
    });
    expect((await logs(botId, newId())).at("code")).toBe("result.not_found");
    expect((await logs(botId, resultId, stranger.token)).at("code")).toBe("bot.not_found");
  });
});

describe("deleting results", () => {
  test("deleting results moves them to the bin and ends their chats", async () => {
    for (const way of ["query", "body", "list"] as const) {
      const botId = await makeBot();
      const gone = await putResult(api.deps.sql, botId, {
        answers: [{ content: "secret" }],
        variables: [{ id: idOf("v"), name: "V", value: "secret" }],
      });
      const kept = await putResult(api.deps.sql, botId, { answers: [{ content: "kept" }] });
      const ids = `${gone.resultId},${newId()},nonsense`;
      const options = {
        query: { query: { resultIds: ids } },
        body: { body: { resultIds: ids } },
        list: { body: { resultIds: ids.split(",") } },
      }[way];
      const answer = await api.client.delete(`/api/v1/bots/${botId}/results`, { token: owner.token, ...options });
      expect(answer.body).toEqual({ deletedCount: 1, isComplete: true });
      expect(idsOf(await list(botId))).toEqual([kept.resultId]);
      expect(await countContent(api.deps.sql, botId)).toMatchObject({ answers: 2, logs: 2, visited_edges: 2 });
      const open = await api.deps.sql`select result_id from sessions where bot_id = ${botId} and not is_ended`;
      expect(open.map(({ resultId }) => resultId)).toEqual([kept.resultId]);
    }
  });

  test("deleting all results moves every result of the bot to the bin", async () => {
    const botId = await makeBot();
    const other = await makeBot();
    await putResult(api.deps.sql, other, { answers: [{ content: "kept" }] });
    await putResults(api.deps.sql, botId, 250);
    const { resultId } = await putResult(api.deps.sql, botId, { answers: [{ content: "a" }] });
    expect((await erase(botId, { all: true })).body).toEqual({ deletedCount: 251, isComplete: true });
    expect((await list(botId, { timeFilter: "allTime" })).at("results")).toEqual([]);
    const erased = await api.client.post(`/api/v1/bots/${botId}/results/erase`, {
      token: owner.token,
      body: { all: true },
    });
    expect(erased.body).toEqual({ erasedCount: 251, isComplete: true });
    expect(await countContent(api.deps.sql, botId)).toEqual({
      sessions: 0,
      steps: 0,
      answers: 0,
      logs: 0,
      visited_edges: 0,
    });
    expect((await list(other)).list("results")).toHaveLength(1);
    expect((await get(botId, resultId)).at("code")).toBe("result.not_found");
    expect((await erase(botId, { all: true })).at("deletedCount")).toBe(0);
  });

  test("concurrent requests that delete all results count each result once", async () => {
    const botId = await makeBot();
    await putResults(api.deps.sql, botId, 300);
    const answers = await Promise.all([
      erase(botId, { all: true }),
      erase(botId, { all: true }),
      erase(botId, { all: true }),
    ]);
    const counts = answers.map((answer) => Number(answer.at("deletedCount")));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(300);
    expect(answers.map((answer) => answer.at("isComplete"))).toEqual([true, true, true]);
    expect((await list(botId)).at("results")).toEqual([]);
  });

  test("deleting results requires either a list of ids or `all: true`", async () => {
    const botId = await makeBot();
    const { resultId } = await putResult(api.deps.sql, botId);
    for (const body of [{}, { all: false }, { resultIds: "" }, { resultIds: [] }, { resultIds: resultId, all: true }]) {
      expect((await erase(botId, body)).at("data.issues.0.path")).toBe("resultIds");
    }
    expect((await erase(botId, { resultIds: Array.from({ length: 10_001 }, () => resultId) })).at("code")).toBe(
      "request.invalid",
    );
    expect((await list(botId)).list("results")).toHaveLength(1);
  });

  test("deleting results does not affect another bot's results", async () => {
    const [botId, other] = [await makeBot(), await makeBot()];
    const { resultId } = await putResult(api.deps.sql, other, { answers: [{ content: "kept" }] });
    expect((await erase(botId, { resultIds: resultId })).at("deletedCount")).toBe(0);
    expect(await countContent(api.deps.sql, other)).toMatchObject({ answers: 1, sessions: 1 });
  });
});

describe("deleting a bot", () => {
  test("deleting a bot hides the bot and ends its chats", async () => {
    const botId = await makeBot({ publicId: "free-me", customDomain: "free.example.com" });
    await api.client.post(`/api/v1/bots/${botId}/publish`, { token: owner.token, body: { force: true } });
    await putResult(api.deps.sql, botId, { answers: [{ content: "kept for a while" }] });
    await putSession(api.deps.sql, botId);

    const removed = { message: "success", linkedFrom: [] };
    expect((await removeBot(botId)).body).toEqual(removed);
    expect((await removeBot(botId)).body).toEqual(removed);

    expect(await api.deps.sql`select from sessions where bot_id = ${botId} and not is_ended`).toHaveLength(0);
    expect(await countContent(api.deps.sql, botId)).toMatchObject({ answers: 1, logs: 1 });
    for (const path of ["", "/publishedBot", "/results", "/publications", "/collaborators"]) {
      expect((await api.client.get(`/api/v1/bots/${botId}${path}`, { token: owner.token })).at("code")).toBe(
        "bot.not_found",
      );
    }
    const bots = await api.client.get("/api/v1/bots", { token: owner.token, query: { workspaceId, limit: 100 } });
    expect(bots.list("bots").some((bot) => JSON.stringify(bot).includes(botId))).toBe(false);
    expect(await makeBot({ publicId: "free-me", customDomain: "free.example.com" })).toBeString();
  });

  test("a deleted bot cannot be changed or published, nor its results deleted", async () => {
    const botId = await makeBot();
    await removeBot(botId);
    const body = { bot: { name: "x" } };
    expect((await api.client.patch(`/api/v1/bots/${botId}`, { token: owner.token, body })).at("code")).toBe(
      "bot.not_found",
    );
    expect(
      (await api.client.post(`/api/v1/bots/${botId}/publish`, { token: owner.token, body: { force: true } })).at(
        "code",
      ),
    ).toBe("bot.not_found");
    expect((await erase(botId, { all: true })).at("code")).toBe("bot.not_found");
  });
});

async function makeBot(bot: Record<string, unknown> = {}): Promise<string> {
  return (await api.client.post("/api/v1/bots", { token: owner.token, body: { workspaceId, bot } })).text("bot.id");
}

function removeBot(botId: string, token = owner.token) {
  return api.client.delete(`/api/v1/bots/${botId}`, { token });
}

function list(botId: string, query: Record<string, string | number> = {}, token = owner.token) {
  return api.client.get(`/api/v1/bots/${botId}/results`, { token, query });
}

function get(botId: string, resultId: string, token = owner.token) {
  return api.client.get(`/api/v1/bots/${botId}/results/${resultId}`, { token });
}

function logs(botId: string, resultId: string, token = owner.token) {
  return api.client.get(`/api/v1/bots/${botId}/results/${resultId}/logs`, { token });
}

function erase(botId: string, body: Record<string, unknown>, token = owner.token) {
  return api.client.delete(`/api/v1/bots/${botId}/results`, { token, body });
}

function minutesAgo(minutes: number): string {
  return new Date(Date.now() - minutes * 60_000).toISOString();
}

function idsOf(answer: { list(path: string): readonly unknown[] }): unknown[] {
  return answer
    .list("results")
    .map((result) => (typeof result === "object" && result !== null && "id" in result ? result.id : undefined));
}
