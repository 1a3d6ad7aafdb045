import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { limits } from "../../../src/limits/index.ts";
import { rulesOf } from "../../../src/limits/rate-rules.ts";
import { deleteOldCodeMails } from "../../../src/management/access/sign-in-codes.sql.ts";
import { createRateLimits } from "../../../src/platform/rate-limits/rate-limits.ts";
import { listen } from "../../../src/service/serving.ts";
import { createTestApi, type TestApi } from "../../support/api.ts";
import type { Client } from "../../support/client.ts";
import { type MailServer, startMailServer } from "../../support/mail-server.ts";
import { cookieOf, keptCookie, putSignIn } from "../../support/sign-ins.ts";
import { waitFor } from "../../support/wait.ts";

let mailServer: MailServer;
let api: TestApi;
let builder: Client;

const open = (config: object = {}) =>
  createTestApi({
    config: {
      SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`,
      SMTP_FROM: "Bots <bots@example.com>",
      PUBLIC_URL: "https://bots.example.com",
      RATE_LIMITS: "off",
      ...config,
    },
  });

beforeAll(async () => {
  mailServer = await startMailServer();
  api = await open();
  builder = api.openBuilder().client;
});
afterAll(async () => {
  await api.close();
  await mailServer.close();
});

const askFor = (email: string, client = builder) => client.post("/api/v1/sign-in/email", { body: { email } });
const signInWith = (email: string, code: string, client = builder) =>
  client.post("/api/v1/sign-in/email-code", { body: { email, code } });

const mailedCode = async (email: string): Promise<string> => {
  const mail = await waitFor(() => mailServer.mails.findLast(({ to }) => to.includes(email)), { what: "a mail" });
  return /^(\d{6}) is your code for https:\/\/bots\.example\.com\./.exec(mail.text)?.[1] ?? mail.text;
};
const another = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, "0");

describe("a sign-in code by e-mail", () => {
  test("a sign-in code by e-mail signs in the owner of the address once", async () => {
    const { userId, email } = await api.makeUser({ name: "Ada" });
    expect((await askFor(email.toUpperCase())).body).toEqual({ codeMinutes: 10 });
    const code = await mailedCode(email);
    const inTwoParts = `${code.slice(0, 3)} ${code.slice(3)}`;

    const answers = await Promise.all([1, 2, 3].map(() => signInWith(email, inTwoParts)));

    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401, 401]);
    const signedIn = answers.find(({ status }) => status === 200);
    expect(signedIn?.body).toEqual({ user: { id: userId, name: "Ada", email }, isNew: true });
    if (!signedIn) throw new Error("Nobody is signed in");
    const { Cookie } = keptCookie(signedIn);
    expect((await builder.get("/api/v1/users/me", { headers: { Cookie } })).at("user.id")).toBe(userId);
    expect((await signInWith(email, code)).at("code")).toBe("sign_in.code_invalid");
  });

  test("a sign-in code by e-mail can be tried five times", async () => {
    const { email } = await api.makeUser();
    await askFor(email);
    const code = await mailedCode(email);
    const wrong = await Promise.all(Array.from({ length: 5 }, () => signInWith(email, another(code))));
    expect(wrong.map((answer) => answer.at("code"))).toEqual(Array(5).fill("sign_in.code_invalid"));
    expect((await signInWith(email, code)).at("code")).toBe("sign_in.code_invalid");

    // A new code allows new attempts.
    const sent = mailServer.mails.length;
    await askFor(email);
    await waitFor(() => mailServer.mails.slice(sent).some(({ to }) => to.includes(email)));
    expect((await signInWith(email, await mailedCode(email))).status).toBe(200);
  });

  test("a sign-in code by e-mail is invalid after eleven minutes or once replaced", async () => {
    const { email } = await api.makeUser();
    await askFor(email);
    const first = await mailedCode(email);
    const nextCode = async () => {
      const sent = mailServer.mails.length;
      await askFor(email);
      await waitFor(() => mailServer.mails.length > sent);
      return mailedCode(email);
    };
    const age = (minutes: number) =>
      api.deps.sql`update sign_in_codes set created_at = clock() - ${minutes} * interval '1 minute'`;
    let second = first;
    while (second === first) second = await nextCode();
    expect((await signInWith(email, first)).at("code")).toBe("sign_in.code_invalid");
    await age(11);
    expect((await signInWith(email, second)).at("code")).toBe("sign_in.code_invalid");
    await age(9);
    expect((await signInWith(email, second)).status).toBe(200);
  });

  test("responses and stored rows are equal for known and unknown addresses", async () => {
    const { email } = await api.makeUser();
    const gone = await api.makeUser();
    await api.deps.sql`update users set deactivated_at = clock() where id = ${gone.userId}`;
    const emails = [email, gone.email, "nobody@example.com"];
    const sent = mailServer.mails.length;

    const asked = await Promise.all(emails.map((each) => askFor(each)));
    const tried = await Promise.all(emails.map((each) => signInWith(each, "000000")));
    await mailedCode(email);

    expect(asked.map(({ status, body }) => [status, body])).toEqual(Array(3).fill([200, { codeMinutes: 10 }]));
    expect(new Set(tried.map((answer) => answer.at("message"))).size).toBe(1);
    const rows = await api.deps.sql`select tries from sign_in_codes where email in ${api.deps.sql(emails)}`;
    expect(rows.map(({ tries }) => tries)).toEqual([1, 1, 1]);
    expect(mailServer.mails.slice(sent).map(({ to }) => to)).toEqual([[email]]);
  });

  test("a sign-in code by e-mail is not stored in plain text", async () => {
    const { email } = await api.makeUser();
    await askFor(email);
    const code = await mailedCode(email);
    const [row] = await api.deps.sql<{ text: string }[]>`
      select to_jsonb(sign_in_codes)::text as text from sign_in_codes where email = ${email}`;
    expect(row?.text).not.toContain(code);
  });

  test("a sign-in code by e-mail creates a user if SIGN_UP is open", async () => {
    const isOpen = await open({ SIGN_UP: "open" });
    const { client } = isOpen.openBuilder();
    try {
      await askFor("new@example.com", client);
      const code = await mailedCode("new@example.com");
      const signedIn = await signInWith("new@example.com", code, client);
      expect(signedIn.body).toMatchObject({ user: { name: "new", email: "new@example.com" }, isNew: true });
      expect((await isOpen.client.get("/api/v1/instance")).at("instance.signIn")).toEqual({
        methods: ["email", "link", "token"],
        isFresh: false,
        signUp: "open",
      });
    } finally {
      await isOpen.close();
    }
  });

  test("a sign-in code by e-mail is unavailable if no mails are sent", async () => {
    const silent = await createTestApi();
    const { client } = silent.openBuilder();
    try {
      expect((await askFor("ada@example.com", client)).at("code")).toBe("sign_in.no_mail");
      expect((await signInWith("ada@example.com", "123456", client)).at("code")).toBe("sign_in.no_mail");
      expect((await silent.client.get("/api/v1/instance")).at("instance")).toMatchObject({
        addresses: { api: "http://localhost/api/v1", app: null, chat: "http://localhost" },
        signIn: { methods: ["link", "token"], isFresh: true, signUp: "invitation" },
        has: { mail: false, encryption: false },
      });
    } finally {
      await silent.close();
    }
  });
});

test("attempts to sign in are limited per account", async () => {
  const limited = await createTestApi({
    config: { SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`, SMTP_FROM: "bots@example.com" },
    rateLimits: createRateLimits(rulesOf("user.signIns=2/1m:2, user.codes=1/1h:1")),
  });
  const { client } = limited.openBuilder();
  try {
    const { token, email, userId } = await limited.makeUser();
    const byToken = () => client.post("/api/v1/sign-in/token", { body: { token } });
    await byToken();
    await byToken();
    const refused = await byToken();
    expect([refused.at("code"), refused.at("data.act"), refused.at("data.scope")]).toEqual([
      "rate_limit.exceeded",
      "signIns",
      "user",
    ]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(20);
    const { secret } = await putSignIn(limited.deps.sql, userId);
    expect((await client.get("/api/v1/users/me", { headers: cookieOf(secret) })).status).toBe(200);
    await askFor(email, client);
    expect((await askFor(email.toUpperCase(), client)).at("data.act")).toBe("codes");
    await signInWith("other@example.com", "000000", client);
    await signInWith("other@example.com", "000000", client);
    expect((await signInWith("other@example.com", "000000", client)).at("code")).toBe("rate_limit.exceeded");
  } finally {
    await limited.close();
  }
});

test("requests for sign-in codes are limited per caller", async () => {
  const limited = await open({
    ...{ RATE_LIMITS: "on", TRUSTED_PROXIES: "127.0.0.1", HOST: "127.0.0.1" },
    ...{ PUBLIC_URL: undefined, CHAT_URL: undefined, APP_PORT: 0 },
  });
  const server = listen(limited.deps, { port: 0, isShared: false });
  const ask = (from: string, email: string) => {
    const address = `http://127.0.0.1:${server.appPort}/api/v1/sign-in/email`;
    const headers = { "Content-Type": "application/json", "Parley-App": "1", "X-Forwarded-For": from };
    return fetch(address, { method: "POST", headers, body: JSON.stringify({ email }) });
  };
  try {
    const { email } = await limited.makeUser();
    const statuses: number[] = [];
    for (let turn = 0; turn < 6; turn++) statuses.push((await ask("203.0.113.1", email)).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
    expect((await ask("203.0.113.2", email)).status).toBe(200);

    // The daily limit counts the mailed codes of all callers.
    await limited.deps.sql`update code_mails set mails = ${limits.signIns.codeMailsPerDay - 1} where email = ${email}`;
    const sent = () => mailServer.mails.filter(({ to }) => to.includes(email)).length;
    const before = await waitFor(() => sent() === 6 && sent());
    expect((await ask("203.0.113.3", email)).status).toBe(200);
    await waitFor(() => sent() === before + 1);
    const last = /^\d{6}/.exec(mailServer.mails.findLast(({ to }) => to.includes(email))?.text ?? "")?.[0] ?? "";
    const silent = await ask("203.0.113.4", email.toUpperCase());
    expect([silent.status, await silent.json()]).toEqual([200, { codeMinutes: 10 }]);
    // No mail was sent, and the last code is still valid.
    expect((await signInWith(email, last, limited.openBuilder().client)).status).toBe(200);
    expect(sent()).toBe(before + 1);

    // A user's new address does not get a mail either.
    const { token } = await limited.makeUser();
    const asked = await limited.client.patch("/api/v1/users/me", { token, body: { email: "full@example.com" } });
    expect(asked.at("isCodeSent")).toBe(true);
    await limited.deps.sql`update code_mails set mails = ${limits.signIns.codeMailsPerDay}, day = day - 1`;
    const [removed] = [await deleteOldCodeMails(limited.deps.sql, 10)];
    expect(removed).toBe(2);
    expect(await limited.deps.sql`select from code_mails`).toHaveLength(0);
  } finally {
    await server.drain();
    await limited.close();
  }
});

describe("PATCH /users/me", () => {
  const change = (token: string, body: object) => api.client.patch("/api/v1/users/me", { token, body });

  test("PATCH /users/me assigns an e-mail address only with a mailed code", async () => {
    const { token, email } = await api.makeUser();
    const asked = await change(token, { name: "Ada King", email: "king@example.com" });
    expect([asked.at("isCodeSent"), asked.at("user.name"), asked.at("user.email")]).toEqual([true, "Ada King", email]);
    const code = await mailedCode("king@example.com");
    expect((await change(token, { email: "king@example.com", emailCode: another(code) })).at("code")).toBe(
      "sign_in.code_invalid",
    );
    expect((await change(token, { email: "queen@example.com", emailCode: code })).at("code")).toBe(
      "sign_in.code_invalid",
    );
    const somebody = await api.makeUser();
    expect((await change(somebody.token, { email: "king@example.com", emailCode: code })).at("code")).toBe(
      "sign_in.code_invalid",
    );

    const done = await change(token, { email: "king@example.com", emailCode: code });

    expect([done.at("isCodeSent"), done.at("user.email")]).toEqual([false, "king@example.com"]);
    expect((await change(token, { email: null })).at("user.email")).toBe(null);
  });

  test("PATCH /users/me reports a taken address only with a mailed code", async () => {
    const [one, other] = [await api.makeUser(), await api.makeUser()];
    await change(one.token, { email: other.email });
    const emailCode = await mailedCode(other.email);
    expect((await change(one.token, { email: other.email, emailCode })).at("code")).toBe("user.email_taken");
  });

  test("a token of a workspace cannot change the e-mail address of its user", async () => {
    const owner = await api.makeUser();
    const workspaceId = await api.makeWorkspace(owner);
    const token = await api.makeToken(owner.userId, { workspaceId });
    expect((await change(token, { email: null })).at("code")).toBe("token.scope");
  });

  test("PATCH /users/me stores the preferences of the builder's pages, up to 16 kB", async () => {
    const { token } = await api.makeUser();
    const me = async () => (await api.client.get("/api/v1/users/me", { token })).at("user.preferences");
    expect(await me()).toEqual({});
    await change(token, { preferences: { language: "de", panels: { right: 320 } } });
    await change(token, { name: "Ada" });
    expect(await me()).toEqual({ language: "de", panels: { right: 320 } });
    const large = await change(token, { preferences: { text: "ä".repeat(8_192) } });
    expect(large.at("data.issues")).toEqual([
      { path: "preferences", message: "must have at most 16384 bytes as JSON" },
    ]);
    await change(token, { preferences: {} });
    expect(await me()).toEqual({});
  });
});

test("accepting an invitation on the builder's page signs in the new user", async () => {
  const admin = await api.makeUser();
  const workspaceId = await api.makeWorkspace(admin);
  const email = "invited@example.com";
  await api.client.post(`/api/v1/workspaces/${workspaceId}/invitations`, { token: admin.token, body: { email } });
  const { text } = await waitFor(() => mailServer.mails.findLast(({ to }) => to.includes(email)));
  const code = /^[\w-]{43}$/m.exec(text)?.[0];

  const accepted = await builder.post("/api/v1/invitations/accept", { body: { code, name: "Invited" } });

  const { Cookie } = keptCookie(accepted);
  expect((await builder.get("/api/v1/users/me", { headers: { Cookie } })).at("user.email")).toBe(email);
  expect((await builder.get("/api/v1/users/me/sign-ins", { headers: { Cookie } })).at("signIns.*.method")).toEqual([
    "invitation",
  ]);
});
