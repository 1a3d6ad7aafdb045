import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { limits } from "../../../src/limits/index.ts";
import { createSecrets, credentialsPlace } from "../../../src/platform/secrets.ts";
import { ownClient } from "../../fake-providers/google/accounts.ts";
import { type FakeGoogle, startFakeGoogle } from "../../fake-providers/google/server.ts";
import { providerUrls } from "../../fake-providers/kit.ts";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { testKey } from "../../support/events.ts";

let google: FakeGoogle;
let api: TestApi;
let ana: TestUser;
let ben: TestUser;
let workspaceId: string;
let base: string;

const builder = "https://bots.example.com";
const chats = "https://chats.example.com";

beforeAll(async () => {
  google = await startFakeGoogle();
  api = await createTestApi({
    config: {
      ...{ ENCRYPTION_KEY: testKey, PROVIDER_URLS: providerUrls([google]), PUBLIC_URL: builder, CHAT_URL: chats },
      ...{ GOOGLE_CLIENT_ID: ownClient.id, GOOGLE_CLIENT_SECRET: ownClient.secret },
    },
  });
  [ana, ben] = [await api.makeUser(), await api.makeUser()];
  workspaceId = await api.makeWorkspace(ana, { [ben.userId]: "MEMBER" });
  base = `/api/v1/workspaces/${workspaceId}/credentials`;
});
beforeEach(() => {
  google.accounts.act = "agrees";
});
afterAll(async () => {
  await api.close();
  await google.close();
});

const authorize = (body: object = {}, { token } = ana) =>
  api.client.post(`${base}/google/authorize`, { token, body: { for: "google sheets", name: "Sheets", ...body } });
const finish = (body: object, { token } = ana, place = base) =>
  api.client.post(`${place}/google/finish`, { token, body });

/** Opens Google's consent page, which redirects as `google.accounts.act` determines. Returns the redirect. */
async function goToGoogle(url: string) {
  const response = await fetch(url, { redirect: "manual" });
  const back = new URL(response.headers.get("location") ?? "");
  const cameBack: Record<string, string> = Object.fromEntries(back.searchParams);
  return { ...cameBack, place: `${back.origin}${back.pathname}`, state: cameBack["state"] ?? "" };
}

const begin = async (body: object = {}, user = ana) => goToGoogle((await authorize(body, user)).text("url"));

async function stored(id: string): Promise<unknown> {
  const [row] = await api.deps.sql`select sealed from credentials where id = ${id}`;
  return JSON.parse((await createSecrets({ current: testKey }).open(row?.["sealed"], credentialsPlace(id))) ?? "null");
}

describe("connecting a Google account", () => {
  test("connecting a Google account stores credentials for the account", async () => {
    const url = (await authorize()).text("url");
    const query = new URL(url).searchParams;
    expect(url.startsWith(`${google.origin}/o/oauth2/v2/auth?`)).toBe(true);
    expect(Object.fromEntries(query)).toMatchObject({
      scope: "openid email https://www.googleapis.com/auth/spreadsheets",
      code_challenge_method: "S256",
      access_type: "offline",
      prompt: "consent",
      redirect_uri: `${builder}/app/oauth/google`,
    });

    const { place, ...cameBack } = await goToGoogle(url);
    expect(place).toBe(`${builder}/app/oauth/google`);
    const made = await finish(cameBack);

    expect(made.at("credentials")).toMatchObject({
      type: "google sheets",
      name: "Sheets",
      data: { account: "ana@example.com", refreshToken: { isSet: true, ends: "5c1d" } },
    });
    expect(JSON.stringify(made.body)).not.toContain("planted");
    expect(await stored(made.text("credentials.id"))).toEqual({
      refreshToken: expect.stringContaining("1//planted-refresh-token"),
      account: "ana@example.com",
    });
  });

  test("connecting a Google account requests label access only if labels are used", async () => {
    const scopeOf = async (body: object) => new URL((await authorize(body)).text("url")).searchParams.get("scope");

    expect(await scopeOf({ for: "gmail" })).toBe("openid email https://www.googleapis.com/auth/gmail.send");
    expect(await scopeOf({ for: "gmail", hasLabels: true })).toContain("gmail.modify");
  });

  test("connecting a Google account again keeps the credentials' id", async () => {
    const first = (await finish(await begin())).text("credentials.id");
    await api.deps.sql`update credentials set last_problem = 'revoked', last_problem_at = clock() where id = ${first}`;
    const url = (await authorize({ credentialsId: first })).text("url");
    expect(new URL(url).searchParams.get("login_hint")).toBe("ana@example.com");

    const again = await finish(await goToGoogle(url));

    expect(again.at("credentials.id")).toBe(first);
    expect(again.at("credentials.lastProblem")).toBeNull();
  });

  test("connecting a Google account uses the credentials' OAuth client", async () => {
    const data = { clientId: "another.apps.googleusercontent.com", clientSecret: "GOCSPX-ours-0123456789" };
    const body = { type: "gmail", name: "Ours", data };
    const id = (await api.client.post(base, { token: ana.token, body })).text("credentials.id");

    const url = (await authorize({ for: "gmail", credentialsId: id })).text("url");

    expect(new URL(url).searchParams.get("client_id")).toBe(data.clientId);
    expect((await authorize({ credentialsId: id })).at("code")).toBe("credentials.not_found");
  });

  test("connecting a Google account requires an OAuth client", async () => {
    const without = await createTestApi({ config: { ENCRYPTION_KEY: testKey, PUBLIC_URL: builder, CHAT_URL: chats } });
    const user = await without.makeUser();
    const path = `/api/v1/workspaces/${await without.makeWorkspace(user)}/credentials/google/authorize`;
    const body = { for: "gmail", name: "Ours" };
    expect((await without.client.post(path, { token: user.token, body })).at("code")).toBe("oauth.no_client");
    await without.close();
  });

  test("connecting a Google account is refused if the builder is disabled", async () => {
    const config = { ENCRYPTION_KEY: testKey, GOOGLE_CLIENT_ID: "id", GOOGLE_CLIENT_SECRET: "secret" };
    const without = await createTestApi({ config: { ...config, APP_PORT: "off" } });
    const user = await without.makeUser();
    const path = `/api/v1/workspaces/${await without.makeWorkspace(user)}/credentials/google/authorize`;
    const body = { for: "gmail", name: "Ours" };
    expect((await without.client.post(path, { token: user.token, body })).at("code")).toBe("oauth.no_builder");
    await without.close();
  });
});

describe("a refusal by Google", () => {
  test.each([
    ["declines", "declined on Google's page"],
    ["again", "https://myaccount.google.com/permissions"],
    ["partly", "select every checkbox"],
  ] as const)(
    "a refusal by Google is reported in an error message (behaviour of the fake person: %s)",
    async (person, words) => {
      google.accounts.act = person;

      const refused = await finish(await begin());

      expect([refused.status, refused.at("code")]).toEqual([400, "oauth.refused"]);
      expect(refused.text("message")).toContain(words);
    },
  );

  test("Google's refusal of a code is reported without the code", async () => {
    const { state } = await begin();

    const refused = await finish({ state, code: "4/planted-other-code" });

    expect(refused.at("message")).toBe("Google did not connect the account: Bad Request");
    google.fail("html", { of: ({ path }) => path === "/token" });
    expect((await finish(await begin())).at("code")).toBe("oauth.refused");
    google.fail("cut", { of: ({ path }) => path === "/token" });
    expect((await finish(await begin())).at("code")).toBe("credentials.provider_failed");
  });
});

describe("an OAuth state", () => {
  test("an OAuth state is valid only once", async () => {
    const cameBack = await begin();
    const elsewhere = `/api/v1/workspaces/${await api.makeWorkspace(ana)}/credentials`;

    expect((await finish(cameBack, ben)).at("code")).toBe("oauth.state_invalid");
    expect((await finish(cameBack, ana, elsewhere)).at("code")).toBe("oauth.state_invalid");
    expect((await finish({ ...cameBack, state: `${cameBack.state}x` })).at("code")).toBe("oauth.state_invalid");
    expect((await finish(cameBack)).status).toBe(200);
    expect((await finish(cameBack)).at("code")).toBe("oauth.state_invalid");
  });

  test("an OAuth state is invalid after eleven minutes", async () => {
    const cameBack = await begin();
    await api.deps.sql`update oauth_states set created_at = clock() - interval '11 minutes'`;

    expect((await finish(cameBack)).at("code")).toBe("oauth.state_invalid");
    await authorize();
    const [row] = await api.deps.sql`select count(*)::int as count from oauth_states`;
    expect(row?.["count"]).toBe(1);
  });

  test("only the newest OAuth states of a user are valid", async () => {
    const most = limits.credentials.connectsPerUser;
    const oldest = await begin({}, ben);
    const next = await begin({}, ben);
    for (let more = 1; more < most; more++) await authorize({}, ben);

    expect((await finish(oldest, ben)).at("code")).toBe("oauth.state_invalid");
    expect((await finish(next, ben)).status).toBe(200);
  });
});
