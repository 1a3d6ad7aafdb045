import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";

let api: TestApi;
let user: TestUser;
let workspaceId: string;

beforeAll(async () => {
  api = await createTestApi();
  user = await api.makeUser();
  workspaceId = await api.makeWorkspace(user);
});
afterAll(() => api.close());

const whoAmI = (authorization: string) =>
  api.client.get("/api/v1/users/me", { headers: { Authorization: authorization } });

describe("a usable token", () => {
  test.each(["Bearer", "bearer", "BEARER", "Bearer  ", "beaReR    "])(
    "a usable token is accepted after the scheme %p",
    async (scheme) => {
      const answer = await whoAmI(`${scheme} ${user.token}`);
      expect(answer.at("user.id")).toBe(user.userId);
    },
  );

  test("the last use of a token is stored at most once a minute", async () => {
    const lastUse = async () => {
      const [row] = await api.deps.sql<{ at: Date | null }[]>`
        select last_used_at as at from api_tokens where user_id = ${asUuid}`;
      return row?.at?.getTime();
    };
    const somebody = await api.makeUser();
    const [{ id: asUuid } = { id: "" }] = await api.deps.sql<
      { id: string }[]
    >`select id from users where email = ${somebody.email}`;
    expect(await lastUse()).toBeUndefined();
    await whoAmI(`Bearer ${somebody.token}`);
    const first = await lastUse();
    await whoAmI(`Bearer ${somebody.token}`);
    expect(await lastUse()).toBe(first);
    await api.deps
      .sql`update api_tokens set last_used_at = last_used_at - interval '1 minute' where user_id = ${asUuid}`;
    await whoAmI(`Bearer ${somebody.token}`);
    expect(await lastUse()).toBeGreaterThanOrEqual(first ?? Number.POSITIVE_INFINITY);
  });
});

describe("a request without a usable token", () => {
  test("a request without an Authorization header is rejected", async () => {
    const answer = await api.client.get("/api/v1/users/me");
    expect(answer.at("code")).toBe("token.missing");
    expect(answer.headers.get("www-authenticate")).toBe("Bearer");
  });

  test.each(["Basic dXNlcjpwYXNz", "Bearer", "Bearer ", "Token abc", "Bearertoken"])(
    "a request without a usable token is rejected if the header is %p",
    async (header) => {
      expect((await whoAmI(header)).at("code")).toBe("token.missing");
    },
  );

  test.each([
    ["unknown", "parley_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"],
    ["two words", "one two"],
    ["very long", "x".repeat(4_000)],
    ["a hash", "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"],
    ["an SQL expression", "' or 1=1 --"],
  ])("a request without a usable token is rejected if the token is %s", async (_, token) => {
    expect((await whoAmI(`Bearer ${token}`)).at("code")).toBe("token.invalid");
  });

  test("the stored hash of a token is not accepted as a token", async () => {
    const [row] = await api.deps.sql<{ hash: Buffer }[]>`select hash from api_tokens limit 1`;
    for (const text of [row?.hash.toString("hex"), row?.hash.toString("base64url")]) {
      expect((await whoAmI(`Bearer ${text}`)).at("code")).toBe("token.invalid");
    }
  });

  test("an expired token is rejected", async () => {
    const token = await api.makeToken(user.userId, { expiresAt: new Date(Date.now() - 1_000) });
    expect((await whoAmI(`Bearer ${token}`)).at("code")).toBe("token.invalid");
  });

  test("a token is rejected immediately after it is revoked", async () => {
    const token = await api.makeToken(user.userId);
    const { body } = await api.client.get("/api/v1/users/me/api-tokens", { token });
    expect(body).toHaveProperty("apiTokens");
    // Another test may have created a token in the same millisecond.
    await api.deps.sql`
      delete from api_tokens
      where id = (select id from api_tokens where expires_at is null order by created_at desc, id desc limit 1)`;
    expect((await whoAmI(`Bearer ${token}`)).at("code")).toBe("token.invalid");
  });

  test("a request with invalid JSON and no token is rejected for its missing token", async () => {
    const answer = await api.client.post("/api/v1/workspaces", { rawBody: "{" });
    expect(answer.at("code")).toBe("token.missing");
  });

  test("an invalid token is ignored by operations that require no token", async () => {
    expect((await api.client.get("/api/healthz", { token: "nonsense" })).status).toBe(200);
  });
});

describe("a token's scope", () => {
  test("a token with the scope read allows only reading", async () => {
    const token = await api.makeToken(user.userId, { scope: "read" });
    const before = await api.client.get(`/api/v1/workspaces/${workspaceId}`, { token });
    const refused = [
      await api.client.post("/api/v1/workspaces", { token, body: { name: "x" } }),
      await api.client.patch(`/api/v1/workspaces/${workspaceId}`, { token, body: { name: "changed" } }),
      await api.client.delete(`/api/v1/workspaces/${workspaceId}`, { token }),
      await api.client.post("/api/v1/users/me/api-tokens", { token, body: { name: "x" } }),
    ];
    expect(refused.map((answer) => answer.at("code"))).toEqual(Array(4).fill("token.scope"));
    expect(refused[0]?.at("data")).toEqual({ scope: "read", neededScope: "write" });
    expect(refused[0]?.text("message")).toEndWith("it has the scope read, and the scope write is required.");
    const after = await api.client.get(`/api/v1/workspaces/${workspaceId}`, { token });
    expect(after.body).toEqual(before.body);
  });

  test("a token of scope admin has admin rights only for an administrator", async () => {
    const pretender = await api.makeToken(user.userId, { scope: "admin" });
    expect((await api.client.get("/api/v1/users", { token: pretender })).at("code")).toBe("token.scope");
    const administrator = await api.makeUser({ scope: "admin" });
    expect((await api.client.get("/api/v1/users", { token: administrator.token })).status).toBe(200);
    const weaker = await api.makeToken(administrator.userId, { scope: "write" });
    expect((await api.client.get("/api/v1/users", { token: weaker })).at("code")).toBe("token.scope");
  });
});

describe("a token bound to a workspace", () => {
  test("a token bound to a workspace has access only to that workspace", async () => {
    const other = await api.makeWorkspace(user);
    const token = await api.makeToken(user.userId, { workspaceId });
    const listed = await api.client.get("/api/v1/workspaces", { token });
    expect(listed.list("workspaces").length).toBe(1);
    expect(listed.at("workspaces.0.id")).toBe(workspaceId);
    expect((await api.client.get(`/api/v1/workspaces/${workspaceId}`, { token })).status).toBe(200);
    expect((await api.client.get(`/api/v1/workspaces/${other}`, { token })).at("code")).toBe("workspace.not_found");
    expect((await api.client.get(`/api/v1/folders?workspaceId=${other}`, { token })).at("code")).toBe(
      "workspace.not_found",
    );
  });

  test("an admin token bound to a workspace has no access beyond the workspace", async () => {
    const administrator = await api.makeUser({ scope: "admin" });
    const own = await api.makeWorkspace(administrator);
    const token = await api.makeToken(administrator.userId, { scope: "admin", workspaceId: own });
    expect((await api.client.post("/api/v1/workspaces", { token, body: { name: "x" } })).at("code")).toBe(
      "token.scope",
    );
    expect((await api.client.get("/api/v1/users", { token })).at("code")).toBe("token.scope");
    expect((await api.client.get(`/api/v1/workspaces/${workspaceId}`, { token })).at("code")).toBe(
      "workspace.not_found",
    );
  });

  test("a token bound to a workspace becomes invalid when the workspace is deleted", async () => {
    const gone = await api.makeWorkspace(user);
    const token = await api.makeToken(user.userId, { workspaceId: gone });
    await api.client.delete(`/api/v1/workspaces/${gone}`, { token: user.token });
    expect((await whoAmI(`Bearer ${token}`)).at("code")).toBe("token.invalid");
  });
});
