import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { hashToken } from "../../../src/management/access/tokens.ts";
import { createOperatorLink } from "../../../src/management/people/operator-sign-ins.ts";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { type Client, valueAt } from "../../support/client.ts";
import { cookieOf, keptCookie, ownPage, putSignIn } from "../../support/sign-ins.ts";

let api: TestApi;
let builder: Client;
let user: TestUser;

beforeAll(async () => {
  api = await createTestApi({ config: { RATE_LIMITS: "off" } });
  builder = api.openBuilder().client;
  user = await api.makeUser({ name: "Ada" });
});
afterAll(() => api.close());

const signInBy = (token: string, headers: Readonly<Record<string, string>> = {}) =>
  builder.post("/api/v1/sign-in/token", { body: { token }, headers });
const whoIs = (Cookie: string, client = builder) => client.get("/api/v1/users/me", { headers: { Cookie } });
const mine = "/api/v1/users/me/sign-ins";
const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

describe("signing in with a token", () => {
  test("a sign-in with a token returns a cookie for the builder's pages", async () => {
    const answer = await signInBy(user.token, { "User-Agent": firefox });

    expect(answer.body).toEqual({ user: { id: user.userId, name: "Ada", email: user.email }, isNew: true });
    const { Cookie, set } = keptCookie(answer);
    expect(set).toMatch(/^parley=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Strict$/);
    expect((await whoIs(Cookie)).at("user.id")).toBe(user.userId);
    expect((await whoIs(Cookie, api.client)).at("code")).toBe("token.missing");
    expect((await signInBy(user.token)).at("isNew")).toBe(false);
    const [row] = await api.deps.sql`select hash from sign_ins where browser = 'Firefox on Linux'`;
    expect(row?.["hash"]).toEqual(hashToken(Cookie.slice("parley=".length)));
  });

  test("a sign-in over https sets a __Host- cookie", async () => {
    const https = { Origin: "https://bots.example.com" };

    const answer = await signInBy(user.token, https);

    const { Cookie, set } = keptCookie(answer);
    expect(set).toMatch(/^__Host-parley=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Strict; Secure$/);
    const plain = `parley=${Cookie.split("=")[1]}`;
    expect((await whoIs(Cookie)).status).toBe(200);
    const tossed = await builder.post("/api/v1/sign-out", { headers: { ...https, Cookie: plain } });
    expect(tossed.at("code")).toBe("token.missing");
  });

  test("a sign-in with an invalid token is refused", async () => {
    const answer = await signInBy("parley_unknown");

    expect([answer.status, answer.at("code")]).toEqual([401, "token.invalid"]);
    expect(answer.headers.getSetCookie()).toEqual([]);
    const [row] = await api.deps.sql`
      select count(*)::int as count from audit_entries where request_id = ${answer.headers.get("x-request-id")}`;
    expect(row?.["count"]).toBe(0);
  });

  test("a sign-in with a token has the token's scope and workspace", async () => {
    const workspaceId = await api.makeWorkspace(user);
    const made = await api.client.post("/api/v1/users/me/api-tokens", {
      token: user.token,
      body: { name: "Reads", scope: "read", workspaceId },
    });
    const { Cookie } = keptCookie(await signInBy(made.text("apiToken.token")));
    const listed = await builder.get("/api/v1/workspaces", { headers: { Cookie } });
    expect(listed.at("workspaces.*.id")).toEqual([workspaceId]);
    const refused = await builder.patch("/api/v1/users/me", { headers: { Cookie }, body: { name: "Nobody" } });
    expect([refused.at("code"), refused.at("data.neededScope")]).toEqual(["token.scope", "write"]);
    expect(refused.text("message")).toStartWith("This sign-in may see this");
    expect((await builder.get(mine, { headers: { Cookie } })).at("signIns.*.tokenName")).toEqual(["Reads"]);

    await api.client.delete(`/api/v1/users/me/api-tokens/${made.text("apiToken.id")}`, { token: user.token });

    const ended = await whoIs(Cookie);
    expect([ended.at("code"), ended.at("message")]).toEqual([
      "token.missing",
      "Your sign-in has ended: sign in again.",
    ]);
    expect(keptCookie(ended).set).toBe("parley=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict");
  });

  test("a sign-in is not accepted while its token's workspace is in the bin", async () => {
    const workspaceId = await api.makeWorkspace(user);
    const token = await api.makeToken(user.userId, { workspaceId });
    const { Cookie } = keptCookie(await signInBy(token));
    const inBin = (isThere: boolean) =>
      api.deps.sql`update workspaces set deleted_at = ${isThere ? new Date() : null} where id = ${workspaceId}`;

    await inBin(true);
    expect((await whoIs(Cookie)).at("code")).toBe("token.missing");
    await inBin(false);
    expect((await whoIs(Cookie)).at("user.id")).toBe(user.userId);
  });

  test("a sign-in with a token ends when the token expires", async () => {
    const token = await api.makeToken(user.userId, { expiresAt: new Date(Date.now() + 3_600_000) });
    const { Cookie } = keptCookie(await signInBy(token));
    await api.deps.sql`update api_tokens set expires_at = clock() where hash = ${hashToken(token)}`;

    expect((await whoIs(Cookie)).at("code")).toBe("token.missing");
    expect((await signInBy(token)).at("code")).toBe("token.invalid");
  });

  test("a sign-in by token has administrator rights only with scope admin", async () => {
    const administrator = await api.makeUser({ scope: "admin" });
    const small = await api.makeToken(administrator.userId, { scope: "write" });
    const users = async (token: string) => {
      const { Cookie } = keptCookie(await signInBy(token));
      return (await builder.get("/api/v1/users", { headers: { Cookie } })).status;
    };
    const { secret } = await putSignIn(api.deps.sql, administrator.userId);

    expect((await builder.get("/api/v1/users", { headers: cookieOf(secret) })).status).toBe(200);
    expect([await users(administrator.token), await users(small)]).toEqual([200, 403]);
  });
});

describe("signing in by a link", () => {
  const signInByLink = (secret: string) => builder.post("/api/v1/sign-in/link", { body: { secret } });

  test("a sign-in by a link succeeds once, even with several concurrent attempts", async () => {
    const { name, secret } = await createOperatorLink(api.deps.sql, user.email);

    const answers = await Promise.all([1, 2, 3, 4].map(() => signInByLink(secret)));

    expect(name).toBe("Ada");
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401, 401, 401]);
    expect((await signInByLink(secret)).at("code")).toBe("sign_in.link_invalid");
    const signedIn = answers.find(({ status }) => status === 200);
    expect(signedIn?.at("user.id")).toBe(user.userId);
    const entries = await api.deps.sql`
      select user_id, operation, outcome from audit_entries where request_id = ${signedIn?.headers.get("x-request-id") ?? ""}`;
    expect([...entries]).toEqual([{ userId: user.userId, operation: "POST /api/v1/sign-in/link", outcome: "done" }]);
  });

  test("a sign-in by an expired link or a deactivated user is refused", async () => {
    const late = await createOperatorLink(api.deps.sql, user.email);
    await api.deps.sql`update sign_in_codes set created_at = clock() - interval '31 minutes'`;
    expect((await signInByLink(late.secret)).at("code")).toBe("sign_in.link_invalid");
    const gone = await api.makeUser();
    const { secret } = await createOperatorLink(api.deps.sql, gone.userId);
    await api.deps.sql`update users set deactivated_at = clock() where id = ${gone.userId}`;
    expect((await signInByLink(secret)).at("code")).toBe("sign_in.link_invalid");
    await expect(createOperatorLink(api.deps.sql, gone.userId)).rejects.toThrow("deactivated");
  });
});

describe("a sign-in", () => {
  const administrator = () => api.makeUser({ scope: "admin" });

  test("a request extends a sign-in only if the sign-in was not used recently", async () => {
    const { id, secret } = await putSignIn(api.deps.sql, user.userId);
    const written = async () => {
      const [row] = await api.deps.sql`select xmin::text as version from sign_ins where id = ${id}`;
      return row?.["version"];
    };
    const first = await written();
    const quiet = await builder.get("/api/v1/users/me", { headers: cookieOf(secret) });
    expect([await written(), quiet.headers.getSetCookie()]).toEqual([first, []]);
    await api.deps.sql`update sign_ins set last_used_at = clock() - interval '29 days' where id = ${id}`;

    const extended = await builder.get("/api/v1/users/me", { headers: cookieOf(secret) });

    expect(keptCookie(extended).Cookie).toBe(`parley=${secret}`);
    const [row] = await api.deps
      .sql`select last_used_at > clock() - interval '1 minute' as is_noted from sign_ins where id = ${id}`;
    expect(row?.["isNoted"]).toBe(true);
  });

  test("a sign-in is ignored if the same request has a token", async () => {
    const { secret } = await putSignIn(api.deps.sql, user.userId);
    const other = await api.makeUser();
    const both = await builder.get("/api/v1/users/me", { token: other.token, headers: cookieOf(secret) });
    expect(both.at("user.id")).toBe(other.userId);
    const wrong = await builder.get("/api/v1/users/me", { token: "parley_wrong", headers: cookieOf(secret) });
    expect(wrong.at("code")).toBe("token.invalid");
  });

  test("a sign-in is listed and ended only by its user", async () => {
    const owner = await api.makeUser();
    const [one, two, three] = await Promise.all([1, 2, 3].map(() => putSignIn(api.deps.sql, owner.userId)));
    if (!one || !two || !three) throw new Error("Three were made");
    const stranger = await api.makeUser();
    const listed = await builder.get(mine, { headers: cookieOf(two.secret) });
    expect(listed.list("signIns")).toHaveLength(3);
    expect(listed.list("signIns")).toContainEqual(
      expect.objectContaining({ id: two.id, method: "link", browser: "Test", isCurrent: true, tokenName: null }),
    );
    const pages = await builder.get(`${mine}?limit=2`, { headers: cookieOf(two.secret) });
    expect(
      await builder
        .get(`${mine}?limit=2&cursor=${pages.text("nextCursor")}`, { headers: cookieOf(two.secret) })
        .then(({ list }) => list("signIns")),
    ).toHaveLength(1);
    expect((await api.client.delete(`${mine}/${one.id}`, { token: stranger.token })).at("code")).toBe(
      "sign_in.not_found",
    );

    const ended = await builder.delete(`${mine}/${one.id}`, { headers: cookieOf(two.secret) });
    const out = await builder.post("/api/v1/sign-out", { headers: cookieOf(two.secret) });

    expect([ended.at("signIn.id"), ended.at("signIn.isCurrent")]).toEqual([one.id, false]);
    expect(keptCookie(out).set).toStartWith("parley=; Path=/; Max-Age=0");
    for (const { secret } of [one, two])
      expect((await whoIs(cookieOf(secret).Cookie)).at("code")).toBe("token.missing");
    expect((await whoIs(cookieOf(three.secret).Cookie)).status).toBe(200);
    expect((await api.client.post("/api/v1/sign-out", { token: owner.token })).at("code")).toBe("sign_in.not_found");
  });

  test("a sign-in ends permanently when its user is deactivated", async () => {
    const gone = await api.makeUser();
    const { secret } = await putSignIn(api.deps.sql, gone.userId);
    const { token } = await administrator();
    await api.client.post(`/api/v1/users/${gone.userId}/deactivate`, { token });
    expect((await whoIs(cookieOf(secret).Cookie)).status).toBe(401);
    await api.client.post(`/api/v1/users/${gone.userId}/activate`, { token });
    expect((await whoIs(cookieOf(secret).Cookie)).status).toBe(401);
  });

  test("a sign-in above the limit ends the user's oldest sign-in", async () => {
    const busy = await api.makeUser();
    const { secret } = await putSignIn(api.deps.sql, busy.userId);
    await api.deps.sql`
      insert into sign_ins (id, hash, user_id, method, browser, created_at)
      select gen_random_uuid(), sha256(number::text::bytea), ${busy.userId}, 'link', 'Test', clock() + make_interval(secs => number)
      from generate_series(1, 99) as number`;

    await signInBy(busy.token);

    expect((await whoIs(cookieOf(secret).Cookie)).status).toBe(401);
    const [row] = await api.deps.sql`select count(*)::int as count from sign_ins where user_id = ${busy.userId}`;
    expect(row?.["count"]).toBe(100);
  });

  test("a change by a signed-in user is logged with the browser", async () => {
    const { id, secret } = await putSignIn(api.deps.sql, user.userId);
    const headers = { ...cookieOf(secret), "Idempotency-Key": "made-by-a-page" };
    const body = { name: "From the builder" };
    const made = await builder.post("/api/v1/workspaces", { headers, body });
    const again = await builder.post("/api/v1/workspaces", { headers, body });
    expect([again.headers.get("idempotency-replayed"), again.at("workspace.id")]).toEqual([
      "true",
      made.at("workspace.id"),
    ]);
    const rows = await api.deps.sql`
      select token_name from audit_entries where token_id = ${id} and operation = 'POST /api/v1/workspaces'`;
    expect([...rows]).toEqual([{ tokenName: "Sign-in: Test" }]);
  });
});

describe("a request of a browser", () => {
  const plainHttp = { "Parley-App": "1" };

  test("a request over plain http is accepted with the service's own header", async () => {
    const { secret } = await putSignIn(api.deps.sql, user.userId);
    const { handle } = api.openBuilder();
    const ask = (headers: Readonly<Record<string, string>>) =>
      handle(new Request("http://localhost/api/v1/users/me", { headers: { ...headers, ...cookieOf(secret) } }));
    const mine = await ask(plainHttp);
    expect([mine.status, mine.headers.get("cache-control")]).toEqual([200, "private, no-cache"]);
    expect((await ask({ ...plainHttp, "Parley-App": "yes" })).status).toBe(401);
    expect((await ask({ ...plainHttp, "Sec-Fetch-Site": "none" })).status).toBe(401);
  });

  test("a request from another origin is refused", async () => {
    const { secret } = await putSignIn(api.deps.sql, user.userId);
    const { handle } = api.openBuilder();
    const statusOf = async (headers: Readonly<Record<string, string>>) =>
      (
        await handle(
          new Request("http://localhost:3001/api/v1/users/me", {
            headers: { ...plainHttp, ...cookieOf(secret), ...headers },
          }),
        )
      ).status;
    expect(await statusOf({ Origin: "http://localhost:3001" })).toBe(200);
    for (const origin of ["null", "http://localhost:3000", "https://elsewhere.example", "http://localhost", "x"]) {
      expect([origin, await statusOf({ Origin: origin })]).toEqual([origin, 401]);
    }
    // No setting contains the address of the proxy, but the browser confirms that the request comes from the same
    // origin.
    const proxied = { Origin: "https://bots.example", Cookie: `__Host-parley=${secret}` };
    expect(await statusOf({ ...proxied, "Sec-Fetch-Site": "same-origin" })).toBe(200);
    expect([await statusOf({ ...proxied, "Sec-Fetch-Site": "cross-site" }), await statusOf(proxied)]).toEqual([
      401, 401,
    ]);
  });

  test("a browser may read a bot's live stream if its user may see the bot", async () => {
    const { handle } = api.openBuilder();
    const workspaceId = await api.makeWorkspace(user);
    const made = await api.client.post("/api/v1/bots", {
      token: user.token,
      body: { workspaceId, bot: { name: "Bot" } },
    });
    const watch = async (userId: string) => {
      const { secret } = await putSignIn(api.deps.sql, userId);
      const headers = { ...ownPage, ...cookieOf(secret) };
      const path = `/api/v1/bots/${made.text("bot.id")}/live?after=0`;
      const answer = await handle(new Request(`http://localhost${path}`, { headers }));
      await answer.body?.cancel();
      return [answer.status, answer.headers.get("content-type")?.split(";")[0]];
    };
    expect(await watch(user.userId)).toEqual([200, "text/event-stream"]);
    expect(await watch((await api.makeUser()).userId)).toEqual([404, "application/json"]);
  });

  test("a preflight from a page of another origin is refused without CORS headers", async () => {
    const { handle } = api.openBuilder();
    for (const path of ["/api/v1/users/me", "/api/v1/sign-in/token", "/api/v1/sessions/x/continueChat"]) {
      const headers = {
        Origin: "https://elsewhere.example",
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "parley-app,content-type",
      };
      const preflight = await handle(new Request(`http://localhost${path}`, { method: "OPTIONS", headers }));
      expect(preflight.status).toBe(405);
      expect([...preflight.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
    }
  });

  test("a form on another page cannot sign a user in", async () => {
    const { handle } = api.openBuilder();
    const body = JSON.stringify({ token: user.token });
    const post = (send: typeof handle, headers: Readonly<Record<string, string>>) =>
      send(new Request("http://localhost/api/v1/sign-in/token", { method: "POST", headers, body }));
    const json = { "Content-Type": "application/json" };
    const answers = await Promise.all([
      post(handle, { ...json, "Sec-Fetch-Site": "same-origin" }),
      post(handle, { ...json, ...ownPage, "Sec-Fetch-Site": "same-site" }),
      post(handle, { ...ownPage, "Content-Type": "text/plain" }),
      post(api.handle, { ...json, ...ownPage }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 400, 403]);
    for (const { headers } of answers) expect(headers.getSetCookie()).toEqual([]);
  });
});

describe("separate hosts for management and chats", () => {
  const hosts = { PUBLIC_URL: "https://bots.example.com", CHAT_URL: "https://chat.example.com" };

  async function askAt(config: object, host: string, path: string, headers: Readonly<Record<string, string>> = {}) {
    const other = await createTestApi({ config: { RATE_LIMITS: "off", ...config } });
    try {
      const { userId } = await other.makeUser();
      const { secret } = await putSignIn(other.deps.sql, userId);
      const Cookie = `__Host-parley=${secret}`;
      const answer = await other.handle(
        new Request(`http://${host}${path}`, { headers: { Host: host, ...ownPage, Cookie, ...headers } }),
      );
      return answer.ok ? answer.status : valueAt(await answer.json(), "code");
    } finally {
      await other.close();
    }
  }

  test("a cookie is valid only at PUBLIC_URL", async () => {
    const me = "/api/v1/users/me";
    expect(await askAt(hosts, "bots.example.com", me)).toBe(200);
    expect(await askAt(hosts, "10.0.0.7", me)).toBe("token.missing");
    expect(await askAt(hosts, "chat.example.com", me)).toBe("route.not_found");
    expect(await askAt({ ...hosts, APP_PORT: "off" }, "bots.example.com", me)).toBe("token.missing");
    expect(await askAt({ PUBLIC_URL: hosts.PUBLIC_URL }, "bots.example.com", me)).toBe("token.missing");
  });
});
