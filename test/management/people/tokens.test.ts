import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { newId } from "../../../src/platform/ids.ts";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { cookieOf, keptCookie, putSignIn } from "../../support/sign-ins.ts";

let api: TestApi;
let user: TestUser;

beforeAll(async () => {
  api = await createTestApi();
});
afterAll(() => api.close());

const path = "/api/v1/users/me/api-tokens";
const hour = 3_600_000;
const fromNow = (ms: number) => new Date(Date.now() + ms).toISOString();

const create = (token: string, body: unknown) => api.client.post(path, { token, body });
const ids = async (token: string) => {
  const answer = await api.client.get(path, { token, query: { limit: 100 } });
  return answer.list("apiTokens").map((_, index) => answer.text(`apiTokens.${index}.id`));
};

describe("POST /users/me/api-tokens", () => {
  test("POST /users/me/api-tokens creates a valid token", async () => {
    user = await api.makeUser();
    const made = await create(user.token, { name: "Deployment" });
    const token = made.text("apiToken.token");
    expect(made.body).toMatchObject({
      apiToken: { name: "Deployment", scope: "write", workspaceId: null, expiresAt: null, lastUsedAt: null },
    });
    expect((await api.client.get("/api/v1/users/me", { token })).at("user.id")).toBe(user.userId);
    const listed = await api.client.get(path, { token: user.token });
    expect(JSON.stringify(listed.body)).not.toContain(token);
    expect(listed.text("apiTokens.0.lastUsedAt")).toMatch(/Z$/);
  });

  test("POST /users/me/api-tokens accepts a scope, a workspace and an expiry", async () => {
    user = await api.makeUser();
    const workspaceId = await api.makeWorkspace(user);
    const made = await create(user.token, {
      name: "x",
      scope: "read",
      workspaceId,
      expiresAt: "2099-05-01T02:00:00+02:00",
    });
    expect(made.body).toMatchObject({
      apiToken: { scope: "read", workspaceId, expiresAt: "2099-05-01T00:00:00.000Z" },
    });
  });

  test.each([
    ["2020-01-01T00:00:00.000Z", "must be in the future"],
    ["2099-01-01", "must be an ISO-8601 time with a time zone, such as 2026-08-22T06:05:06.000Z or null"],
    ["2099-13-01T00:00:00Z", "must be an ISO-8601 time with a time zone, such as 2026-08-22T06:05:06.000Z or null"],
    ["2099-02-29T00:00:00Z", "must be an ISO-8601 time with a time zone, such as 2026-08-22T06:05:06.000Z or null"],
    ["0000-01-01T00:00:00Z", "must be an ISO-8601 time with a time zone, such as 2026-08-22T06:05:06.000Z or null"],
    [
      "9999-12-31T23:59:59-12:00",
      "must be an ISO-8601 time with a time zone, such as 2026-08-22T06:05:06.000Z or null",
    ],
    [4102444800000, "must be an ISO-8601 time with a time zone, such as 2026-08-22T06:05:06.000Z or null"],
  ])("POST /users/me/api-tokens rejects the expiry %p", async (expiresAt, message) => {
    user = await api.makeUser();
    const answer = await create(user.token, { name: "x", expiresAt });
    expect(answer.at("data.issues")).toEqual([{ path: "expiresAt", message }]);
    expect((await ids(user.token)).length).toBe(1);
  });

  test("POST /users/me/api-tokens rejects an unknown scope", async () => {
    const answer = await create(user.token, { name: "x", scope: "owner" });
    expect(answer.at("data.issues")).toEqual([{ path: "scope", message: "must be one of read, write, admin" }]);
  });

  test("POST /users/me/api-tokens grants no larger scope and no later expiry", async () => {
    user = await api.makeUser();
    const short = await api.makeToken(user.userId, { expiresAt: new Date(Date.now() + hour) });
    const refused = [
      await create(user.token, { name: "x", scope: "admin" }),
      await create(await api.makeToken(user.userId, { scope: "admin" }), { name: "x", scope: "admin" }),
      await create(short, { name: "x", expiresAt: fromNow(2 * hour) }),
    ];
    expect(refused.map(({ at }) => at("code"))).toEqual(["token.scope", "token.scope", "token.scope"]);
    const heir = await create(short, { name: "x" });
    expect(Date.parse(heir.text("apiToken.expiresAt"))).toBeLessThanOrEqual(Date.now() + hour);
    const administrator = await api.makeUser({ scope: "admin" });
    expect((await create(administrator.token, { name: "x", scope: "admin" })).at("apiToken.scope")).toBe("admin");
  });

  test("POST /users/me/api-tokens binds a new token to the calling token's workspace", async () => {
    user = await api.makeUser();
    const workspaceId = await api.makeWorkspace(user);
    const other = await api.makeWorkspace(user);
    const bound = await api.makeToken(user.userId, { workspaceId });
    expect((await create(bound, { name: "x" })).at("apiToken.workspaceId")).toBe(workspaceId);
    expect((await create(bound, { name: "x", workspaceId: other })).at("code")).toBe("workspace.not_found");
    expect((await ids(bound)).length).toBe(2);
    expect((await ids(user.token)).length).toBe(3);
  });

  test("POST /users/me/api-tokens refuses a workspace the user cannot see", async () => {
    const foreign = await api.makeWorkspace(await api.makeUser());
    for (const workspaceId of [foreign, newId(), "nope", ""]) {
      expect((await create(user.token, { name: "x", workspaceId })).at("code")).toBe("workspace.not_found");
    }
  });
});

describe("GET /users/me/api-tokens", () => {
  test("GET /users/me/api-tokens lists only the caller's tokens", async () => {
    user = await api.makeUser();
    const made = [...(await ids(user.token))];
    for (const name of ["one", "two", "three"]) made.push((await create(user.token, { name })).text("apiToken.id"));
    await api.spreadCreation("api_tokens", made);
    const first = await api.client.get(path, { token: user.token, query: { limit: 2 } });
    const second = await api.client.get(path, {
      token: user.token,
      query: { limit: 2, cursor: first.text("nextCursor") },
    });
    expect(first.at("apiTokens.*.name")).toEqual(["three", "two"]);
    expect(second.at("apiTokens.*.name")).toEqual(["one", "Test"]);
    expect(second.body).not.toHaveProperty("nextCursor");
  });
});

describe("DELETE /users/me/api-tokens/{tokenId}", () => {
  test("DELETE /users/me/api-tokens/{tokenId} revokes a token immediately", async () => {
    user = await api.makeUser();
    const made = await create(user.token, { name: "Doomed" });
    const gone = await api.client.delete(`${path}/${made.text("apiToken.id")}`, { token: made.text("apiToken.token") });
    expect(gone.at("apiToken.name")).toBe("Doomed");
    expect(gone.body).not.toHaveProperty("apiToken.token");
    const after = await api.client.get("/api/v1/users/me", { token: made.text("apiToken.token") });
    expect(after.at("code")).toBe("token.invalid");
  });

  test("DELETE /users/me/api-tokens/{tokenId} rejects a foreign token", async () => {
    user = await api.makeUser();
    const stranger = await api.makeUser();
    const [foreign] = await ids(stranger.token);
    const made = await create(user.token, { name: "Once" });
    const address = `${path}/${made.text("apiToken.id")}`;
    const bound = await api.makeToken(user.userId, { workspaceId: await api.makeWorkspace(user) });
    expect((await api.client.delete(address, { token: bound })).at("code")).toBe("token.not_found");
    expect((await api.client.delete(address, { token: user.token })).status).toBe(200);
    expect((await api.client.delete(address, { token: user.token })).at("code")).toBe("token.not_found");
    for (const id of [foreign, newId(), "nope"]) {
      expect((await api.client.delete(`${path}/${id}`, { token: user.token })).at("code")).toBe("token.not_found");
    }
    expect((await ids(stranger.token)).length).toBe(1);
  });

  test("DELETE /users/me/api-tokens/{tokenId} rejects a token of larger scope", async () => {
    const administrator = await api.makeUser({ scope: "admin" });
    const [id] = await ids(administrator.token);
    const weaker = await api.makeToken(administrator.userId, { scope: "write" });
    expect((await api.client.delete(`${path}/${id}`, { token: weaker })).at("code")).toBe("token.scope");
    expect((await ids(administrator.token)).length).toBe(2);
  });
});

describe("a token that another token created", () => {
  const use = async (token: string) => (await api.client.get("/api/v1/users/me", { token })).status;

  test("a token that another token created is revoked with its creator", async () => {
    const user = await api.makeUser();
    const made = await create(user.token, { name: "maker" });
    const maker = made.text("apiToken.token");
    const child = (await create(maker, { name: "child" })).text("apiToken.token");
    const grandchild = await create(child, { name: "grandchild" });
    expect(grandchild.at("apiToken.outlives")).toBe(false);
    const listed = await api.client.get(path, { token: user.token });
    const [third, second, first] = await ids(user.token);
    expect([listed.at("apiTokens.0.madeBy"), listed.at("apiTokens.1.madeBy")]).toEqual([second, first]);

    await api.client.delete(`${path}/${made.text("apiToken.id")}`, { token: user.token });

    expect([await use(maker), await use(child), await use(grandchild.text("apiToken.token"))]).toEqual([401, 401, 401]);
    expect(await use(user.token)).toBe(200);
    expect(await ids(user.token)).not.toContain(third);
  });

  test("a token created in a sign-in is revoked with the sign-in's token", async () => {
    const user = await api.makeUser();
    const builder = api.openBuilder().client;
    const signedIn = await builder.post("/api/v1/sign-in/token", { body: { token: user.token } });
    const made = await builder.post(path, { headers: keptCookie(signedIn), body: { name: "from the builder" } });
    const other = await putSignIn(api.deps.sql, user.userId);
    const free = await builder.post(path, { headers: cookieOf(other.secret), body: { name: "by a person" } });
    expect(free.at("apiToken")).toMatchObject({ madeBy: null, outlives: false });

    const [first] = (await ids(user.token)).slice(-1);
    expect(made.at("apiToken.madeBy")).toBe(first);
    await api.client.delete(`${path}/${first}`, { token: user.token });
    expect([await use(made.text("apiToken.token")), await use(free.text("apiToken.token"))]).toEqual([401, 200]);
  });

  test("a token can outlive its creator if an ADMIN requests it", async () => {
    const user = await api.makeUser();
    const workspaceId = await api.makeWorkspace(user);
    const expiresAt = new Date(Date.now() + hour);
    const maker = await api.makeToken(user.userId, { expiresAt });
    const made = await create(maker, { name: "CI", workspaceId, outlives: true });
    expect(made.at("apiToken")).toMatchObject({ outlives: true, expiresAt: null });
    await api.client.delete(`${path}/${made.text("apiToken.madeBy")}`, { token: maker });
    expect([await use(maker), await use(made.text("apiToken.token"))]).toEqual([401, 200]);

    // Only an ADMIN of the workspace may create a token that outlives its maker, and only an administrator may create
    // one without a workspace.
    const member = await api.makeUser();
    const other = await api.makeWorkspace(user, { [member.userId]: "MEMBER" });
    const refused = await create(member.token, { name: "x", workspaceId: other, outlives: true });
    expect(refused.at("code")).toBe("workspace.forbidden");
    expect((await create(user.token, { name: "x", outlives: true })).at("code")).toBe("token.scope");
    const administrator = await api.makeUser({ scope: "admin" });
    expect((await create(administrator.token, { name: "x", outlives: true })).status).toBe(200);
  });

  test("a token of an earlier release outlives its creator", async () => {
    const user = await api.makeUser();
    const made = await create(user.token, { name: "old" });
    await api.deps.sql`update api_tokens set made_by = null, ends_with = null where id = ${made.text("apiToken.id")}`;
    const [, first = ""] = await ids(user.token);
    await api.client.delete(`${path}/${first}`, { token: user.token });
    expect(await use(made.text("apiToken.token"))).toBe(200);
  });
});
