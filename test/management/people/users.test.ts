import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";

let api: TestApi;
let administrator: TestUser;

beforeAll(async () => {
  api = await createTestApi();
  administrator = await api.makeUser({ scope: "admin", name: "Ada" });
});
afterAll(() => api.close());

describe("GET /users/me", () => {
  test("GET /users/me returns the user of the token", async () => {
    const user = await api.makeUser({ name: "Grace" });
    const { body } = await api.client.get("/api/v1/users/me", { token: user.token });
    expect(body).toMatchObject({ user: { id: user.userId, name: "Grace", email: user.email, isAdministrator: false } });
  });
});

describe("PATCH /users/me", () => {
  test("PATCH /users/me rejects a token that is bound to a workspace", async () => {
    const user = await api.makeUser({ name: "Ada" });
    const bound = await api.makeToken(user.userId, { workspaceId: await api.makeWorkspace(user) });
    for (const body of [{ name: "Eve" }, { preferences: { language: "de" } }, { email: null }, {}]) {
      const refused = await api.client.patch("/api/v1/users/me", { token: bound, body });
      expect([refused.status, refused.at("code"), refused.at("data.neededWorkspace")]).toEqual([
        403,
        "token.scope",
        null,
      ]);
    }
    const own = await api.client.get("/api/v1/users/me", { token: user.token });
    expect([own.at("user.name"), own.at("user.preferences")]).toEqual(["Ada", {}]);
  });
});

describe("POST /users", () => {
  test("POST /users creates a user whose first token can write", async () => {
    const made = await api.client.post("/api/v1/users", {
      token: administrator.token,
      body: { name: "Linus", email: "Linus@example.com" },
    });
    const token = made.text("apiToken.token");
    expect(token).toMatch(/^parley_[\w-]{43}$/);
    expect((await api.client.get("/api/v1/users/me", { token })).at("user.id")).toBe(made.at("user.id"));
    expect((await api.client.post("/api/v1/workspaces", { token, body: { name: "Own" } })).status).toBe(200);
    expect((await api.client.get("/api/v1/users", { token })).at("code")).toBe("token.scope");
  });

  test("POST /users creates users without an e-mail address", async () => {
    for (const body of [{ name: "Nobody" }, { name: "Nobody", email: null }]) {
      const made = await api.client.post("/api/v1/users", { token: administrator.token, body });
      expect(made.at("user.email")).toBeNull();
    }
  });

  test("POST /users rejects an e-mail address that another user has", async () => {
    const email = "taken@example.com";
    await api.client.post("/api/v1/users", { token: administrator.token, body: { name: "First", email } });
    const second = await api.client.post("/api/v1/users", {
      token: administrator.token,
      body: { name: "Second", email: "TAKEN@Example.com" },
    });
    expect(second.at("code")).toBe("user.email_taken");
    const [row] = await api.deps.sql<
      { count: number }[]
    >`select count(*)::int as count from users where lower(email) = ${email}`;
    expect(row?.count).toBe(1);
  });

  test("several simultaneous requests for the same address create one user", async () => {
    const body = { name: "Twin", email: "twin@example.com" };
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => api.client.post("/api/v1/users", { token: administrator.token, body })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
  });

  test.each(["", "nobody", "@", "a b@example.com", "a@b@c", 7, `${"x".repeat(320)}@example.com`])(
    "POST /users rejects the e-mail address %p",
    async (email) => {
      const answer = await api.client.post("/api/v1/users", { token: administrator.token, body: { name: "x", email } });
      expect(answer.at("data.issues.0.path")).toBe("email");
    },
  );

  test("POST /users is allowed only to administrators", async () => {
    const user = await api.makeUser();
    const answer = await api.client.post("/api/v1/users", { token: user.token, body: { name: "x" } });
    expect(answer.at("code")).toBe("token.scope");
  });
});

describe("GET /users", () => {
  test("GET /users lists every user once, newest first, page by page", async () => {
    const [row] = await api.deps.sql<{ count: number }[]>`select count(*)::int as count from users`;
    const ids: string[] = [];
    const times: string[] = [];
    let cursor = "";
    do {
      const page = await api.client.get("/api/v1/users", { token: administrator.token, query: { limit: 3, cursor } });
      ids.push(...page.list("users").map((_, index) => page.text(`users.${index}.id`)));
      times.push(...page.list("users").map((_, index) => page.text(`users.${index}.createdAt`)));
      cursor = page.at("nextCursor") === undefined ? "" : page.text("nextCursor");
    } while (cursor !== "");
    expect(ids.length).toBe(row?.count ?? 0);
    expect(new Set(ids).size).toBe(ids.length);
    expect(times).toEqual(times.toSorted().reverse());
  });
});

describe("users that an administrator manages", () => {
  const as = () => ({ token: administrator.token });
  const path = (user: TestUser, rest = "") => `/api/v1/users/${user.userId}${rest}`;

  test("an administrator can change a user's name and e-mail address", async () => {
    const [user, other] = [await api.makeUser(), await api.makeUser()];
    const changed = await api.client.patch(path(user), { ...as(), body: { name: "Joan", email: "joan@example.com" } });
    const taken = await api.client.patch(path(other), { ...as(), body: { email: "JOAN@example.com" } });
    const cleared = await api.client.patch(path(user), { ...as(), body: { email: null } });

    expect(changed.body).toMatchObject({ user: { id: user.userId, name: "Joan", email: "joan@example.com" } });
    expect(taken.at("code")).toBe("user.email_taken");
    expect(cleared.body).toMatchObject({ user: { name: "Joan", email: null } });
    expect((await api.client.get(path(user), as())).at("user")).toEqual(cleared.at("user"));
  });

  test("users have no access after their deactivation", async () => {
    const user = await api.makeUser();
    const me = (token = user.token) => api.client.get("/api/v1/users/me", { token });
    expect((await me()).status).toBe(200);
    const made = await api.client.post("/api/v1/users/me/api-tokens", { token: user.token, body: { name: "Child" } });

    const gone = await api.client.post(path(user, "/deactivate"), as());
    const again = await api.client.post(path(user, "/deactivate"), as());

    expect((await me()).at("code")).toBe("token.invalid");
    expect(again.at("user.deactivatedAt")).toBe(gone.text("user.deactivatedAt"));
    expect((await api.client.post(path(user, "/activate"), as())).at("user.deactivatedAt")).toBeNull();
    expect((await me()).at("code")).toBe("token.invalid");
    expect((await me(made.text("apiToken.token"))).at("code")).toBe("token.invalid");
    expect((await api.client.get(path(user, "/api-tokens"), as())).list("apiTokens")).toEqual([]);
    expect((await me(await api.makeToken(user.userId))).status).toBe(200);
  });

  test("users deactivated by an earlier release keep their tokens when reactivated", async () => {
    const user = await api.makeUser();
    await api.deps.sql`update users set deactivated_at = clock() where id = ${user.userId}`;
    await api.client.post(path(user, "/activate"), as());
    expect((await api.client.get("/api/v1/users/me", { token: user.token })).status).toBe(200);
  });

  test("one of two simultaneously deactivated administrators stays active", async () => {
    const [first, second] = [administrator, await api.makeUser({ scope: "admin" })];
    const answers = await Promise.all([
      api.client.post(path(first, "/deactivate"), { token: second.token }),
      api.client.post(path(second, "/deactivate"), { token: first.token }),
    ]);
    const active = await api.deps.sql<{ id: string }[]>`
      select id from users where is_administrator and deactivated_at is null`;

    expect(answers.map(({ status }) => status)).toContain(200);
    expect(active).toHaveLength(1);
    // The other administrator's tokens are revoked, so the next tests use the tokens of this administrator.
    administrator = active[0]?.id === first.userId ? first : second;
    const last = await api.client.post(path(administrator, "/deactivate"), as());
    expect(last.at("code")).toBe("user.last_administrator");
  });

  test("tokens of users can be listed and revoked", async () => {
    const user = await api.makeUser();
    const list = await api.client.get(path(user, "/api-tokens"), as());
    const tokenId = list.text("apiTokens.0.id");
    const foreign = await api.client.delete(path(await api.makeUser(), `/api-tokens/${tokenId}`), as());
    const revoked = await api.client.delete(path(user, `/api-tokens/${tokenId}`), as());

    expect(foreign.at("code")).toBe("token.not_found");
    expect(revoked.at("apiToken.id")).toBe(tokenId);
    expect((await api.client.get("/api/v1/users/me", { token: user.token })).at("code")).toBe("token.invalid");
  });
});
