import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";

let api: TestApi;
let user: TestUser;

beforeAll(async () => {
  api = await createTestApi();
  user = await api.makeUser();
  await api.makeWorkspace(user);
});
afterAll(() => api.close());

const get = (search: string) => api.client.get(`/api/v1/workspaces${search}`, { token: user.token });

describe("a query", () => {
  test.each([
    "",
    "?",
    "?limit=1",
    "?limit=100",
    "?limit=",
    "?cursor=",
    "?other=1&other=2",
    "?limit=1&__proto__=x",
    "?&&=",
  ])("a query is accepted: %p", async (search) => {
    expect((await get(search)).list("workspaces").length).toBe(1);
  });

  test.each([
    ["0", "limit must be at least 1"],
    ["101", "limit must be at most 100"],
    ["-1", "limit must be at least 1"],
    ["1.5", "limit must be a whole number"],
    ["ten", "limit must be a whole number"],
    ["1e1", "limit must be a whole number"],
    ["%00", "limit must be a whole number"],
    ["99999999999999999999", "limit must be a whole number"],
  ])("a query is rejected with limit=%s", async (limit, sentence) => {
    const answer = await get(`?limit=${limit}`);
    expect(answer.at("code")).toBe("request.invalid");
    expect(answer.text("message")).toBe(`Input validation failed: ${sentence}.`);
  });

  test("a query is rejected if a known key appears twice", async () => {
    const answer = await get("?limit=1&limit=2");
    expect(answer.at("data.issues")).toEqual([{ path: "limit", message: "must be given only once" }]);
  });

  test("a query is rejected if a required key is missing or empty", async () => {
    for (const search of ["", "?workspaceId="]) {
      const answer = await api.client.get(`/api/v1/folders${search}`, { token: user.token });
      expect(answer.at("data.issues")).toEqual([{ path: "workspaceId", message: "is required" }]);
    }
  });
});

describe("a cursor", () => {
  const encode = (text: string) => Buffer.from(text).toString("base64url");
  const id = "06ey3k2m5q8r1t4v7x0z9w2b5d";

  test.each([
    ["a word", "nonsense"],
    ["a number", "0"],
    ["U+0000", "%00"],
    ["no position", encode("workspaces")],
    ["a short id", encode(`workspaces 12 ${id.slice(1)}`)],
    ["no time", encode(`workspaces x ${id}`)],
    ["a time after the last possible time", encode(`workspaces 999999999999999 ${id}`)],
    ["a negative time", encode(`workspaces -1 ${id}`)],
    ["a cursor of another list", encode(`folders 12 ${id}`)],
    ["a long text", "x".repeat(5_000)],
  ])("a cursor that the list cannot have returned is rejected: %s", async (_, cursor) => {
    expect((await get(`?cursor=${cursor}`)).at("code")).toBe("cursor.invalid");
  });

  test("a cursor is valid only for the list that returned it", async () => {
    const [here, there] = [await api.makeWorkspace(user), await api.makeWorkspace(user)];
    for (const folderName of ["a", "b", "c"]) {
      await api.client.post("/api/v1/folders", { token: user.token, body: { workspaceId: here, folderName } });
      await api.client.post("/api/v1/bots", { token: user.token, body: { workspaceId: here, bot: {} } });
    }
    const ask = (search: string) => api.client.get(`/api/v1/${search}`, { token: user.token });
    const folders = (await ask(`folders?workspaceId=${here}&limit=1`)).text("nextCursor");
    const bots = (await ask(`bots?workspaceId=${here}&limit=1&sort=name`)).text("nextCursor");
    const answers = [
      await ask(`folders?workspaceId=${here}&limit=2&cursor=${folders}`),
      await ask(`folders?workspaceId=${there}&cursor=${folders}`),
      await ask(`bots?workspaceId=${here}&sort=name&cursor=${bots}`),
      await ask(`bots?workspaceId=${here}&sort=name&search=My&cursor=${bots}`),
      await ask(`bots?workspaceId=${here}&cursor=${bots}`),
      await ask(`workspaces/${here}/members?cursor=${folders}`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 400, 200, 400, 400, 400]);
    expect(answers[0]?.list("folders").length).toBe(2);
    expect(answers[2]?.list("bots").length).toBe(2);
    expect(answers[1]?.at("code")).toBe("cursor.invalid");
  });
});
