import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import type { Config } from "../../../src/config.ts";
import { acts, type defaultRules, type Rule, rulesOf } from "../../../src/limits/rate-rules.ts";
import { newId } from "../../../src/platform/ids.ts";
import { createRateLimits } from "../../../src/platform/rate-limits/rate-limits.ts";
import { operations } from "../../../src/service/operations.ts";
import { listen } from "../../../src/service/serving.ts";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { idOf } from "../../support/builder-ids.ts";
import { connectWebhookChannel } from "../../support/channels.ts";
import { asks, flowOf, publish, says } from "../../support/chat.ts";
import { type Answer, type Client, createClient, type RequestOptions } from "../../support/client.ts";
import { testKey } from "../../support/events.ts";
import { longTest } from "../../support/long-test.ts";
import { cleanupStack } from "../../support/service.ts";
import { createThreads, type Threads } from "../../support/threads.ts";
import { createVirtualClock, type VirtualClock } from "../../support/virtual-clock.ts";
import { waitFor } from "../../support/wait.ts";

let api: TestApi;
let threads: Threads;
let owner: TestUser;
let workspaceId: string;
let callbackPath: Promise<string>;
let hookPath: Promise<string>;
let bots: { readonly botId: string; readonly publicId: string }[];
const cleanups = cleanupStack();

/** A flow that repeats one question forever. */
const asking = {
  ...flowOf([says("Again?"), asks("file input", {}), { id: "again", type: "Jump", options: { groupId: idOf("g0") } }]),
  settings: { typingEmulation: { enabled: false } },
};

beforeAll(async () => {
  threads = createThreads({ count: 1 });
  api = await createTestApi({ threads, config: { ENCRYPTION_KEY: testKey } });
  owner = await api.makeUser();
  workspaceId = await api.makeWorkspace(owner);
  const place = { token: owner.token, workspaceId };
  // A call for a result that does not exist.
  const target = { botId: newId(), blockId: "listen", resultId: newId(), sessionId: null, previewedBy: null };
  callbackPath = api.deps.callbackTokens.formerTokenFor(target).then((token) => `/api/v1/callbacks/${token}`);
  const connecting = { client: api.client, token: owner.token, workspaceId, url: "https://example.com/bot" };
  hookPath = connectWebhookChannel(connecting).then(({ connectionId }) => `/api/v1/channels/${connectionId}/webhook`);
  bots = [await publish(api.client, place, asking), await publish(api.client, place, asking)];
});
afterEach(cleanups.run);
afterAll(async () => {
  await threads.close();
  await api.close();
});

type Service = { readonly client: Client; readonly baseUrl: string; readonly clock: VirtualClock };

function serve(limits: string | readonly Rule[], more: Partial<Config> = { TRUSTED_PROXIES: "127.0.0.1" }): Service {
  const clock = createVirtualClock();
  const config = { ...api.deps.config, HOST: "127.0.0.1", ...more };
  const rateLimits = createRateLimits(typeof limits === "string" ? rulesOf(limits) : limits, { clock });
  const server = listen({ ...api.deps, config, rateLimits }, { port: 0, isShared: false });
  cleanups.add(server.drain);
  const baseUrl = `http://127.0.0.1:${server.port}`;
  return { client: createClient({ baseUrl }), baseUrl, clock };
}

const from = (address: string): RequestOptions => ({
  headers: { "X-Forwarded-For": address, "Idempotency-Key": crypto.randomUUID() },
});
const start = (client: Client, options: RequestOptions = from("203.0.113.7"), bot = 0) =>
  client.post(`/api/v1/bots/${bots[bot]?.publicId}/startChat`, { ...options, body: {} });
const say = (client: Client, sessionId: string, options: RequestOptions = from("203.0.113.7")) =>
  client.post(`/api/v1/sessions/${sessionId}/continueChat`, {
    ...options,
    body: { message: "https://files.example/a.pdf" },
  });
const preview = (client: Client, options: RequestOptions) =>
  client.post("/api/v1/bots/any/preview/startChat", { ...options, body: { bot: { ...asking, id: "any" } } });
const askToUpload = (client: Client, sessionId: string) =>
  client.post("/api/v3/generate-upload-url", {
    ...from("203.0.113.7"),
    body: { sessionId, blockId: "b", fileName: "a.pdf" },
  });
const changeAddress = (client: Client, body: object) =>
  client.patch("/api/v1/users/me", { ...from(anyAddress()), token: owner.token, body });
const log = (client: Client, sessionId: string) =>
  client.post(`/api/v1/sessions/${sessionId}/clientLogs`, { ...from("203.0.113.7"), body: { clientLogs: [] } });

test("a response contains the remainder of the tightest limit", async () => {
  const { client, clock } = serve("address.management=60/1m:10,token.management=60/1m:4");
  const list = async () => {
    const { status, headers } = await client.get("/api/v1/workspaces", { ...from("203.0.113.7"), token: owner.token });
    const left = ["limit", "remaining", "reset"].map((name) => headers.get(`ratelimit-${name}`));
    return [status, ...left];
  };

  expect(await list()).toEqual([200, "4", "3", "1"]);
  expect(await list()).toEqual([200, "4", "2", "2"]);
  await clock.advance(1_000);
  expect(await list()).toEqual([200, "4", "2", "2"]);
  for (const remaining of ["1", "0"]) expect((await list())[2]).toBe(remaining);
  expect(await list()).toEqual([429, "4", "0", "4"]);
  const started = await start(client);
  expect([started.status, started.headers.get("ratelimit-limit")]).toEqual([200, null]);
});

/** Messages of contacts wait for their turn instead of being rejected. */
type CountedRequest = Exclude<keyof typeof defaultRules, "contact.messages">;

/** For each limit, a request that counts towards it, sent by a client with a new session. */
const requests: Readonly<Record<CountedRequest, (client: Client, sessionId: string) => Promise<Answer>>> = {
  "address.starts": (client) => start(client),
  "address.steps": (client, sessionId) => say(client, sessionId),
  "address.previews": (client) => preview(client, from("203.0.113.7")),
  "address.uploads": (client, sessionId) => askToUpload(client, sessionId),
  "address.logs": (client, sessionId) => log(client, sessionId),
  "address.management": (client) => client.get("/api/v1/workspaces", { ...from("203.0.113.7"), token: owner.token }),
  "address.attempts": (client) =>
    client.post("/api/v1/invitations/accept", { ...from("203.0.113.7"), body: { code: "guessed", name: "Eve" } }),
  "session.steps": (client, sessionId) => say(client, sessionId, from(anyAddress())),
  "session.uploads": (client, sessionId) => askToUpload(client, sessionId),
  "session.logs": (client, sessionId) => log(client, sessionId),
  "session.ratings": (client, sessionId) => rate(client, sessionId),
  "session.suggestions": (client, sessionId) => suggest(client, sessionId),
  "callback.calls": async (client) => client.post(await callbackPath, { ...from(anyAddress()), body: {} }),
  "connection.hooks": async (client) => client.post(await hookPath, { ...from(anyAddress()), body: {} }),
  "bot.starts": (client) => start(client, from(anyAddress())),
  "workspace.starts": (client) => start(client, from(anyAddress()), Math.round(Math.random())),
  "token.previews": (client) => preview(client, { ...from(anyAddress()), token: owner.token }),
  "token.management": (client) => client.get("/api/v1/workspaces", { ...from(anyAddress()), token: owner.token }),
  "user.edits": (client) =>
    client.post(`/api/v1/bots/${newId()}/changes`, {
      ...from(anyAddress()),
      token: owner.token,
      body: { base: 0, changeSets: [{ id: newId(), title: "Edit", changes: [] }] },
    }),
  "address.signIns": (client) =>
    client.post("/api/v1/sign-in/token", { ...from("203.0.113.7"), body: { token: "guessed" } }),
  "address.codes": (client) =>
    client.post("/api/v1/sign-in/email", { ...from("203.0.113.7"), body: { email: "ada@example.com" } }),
  "user.signIns": (client) => changeAddress(client, { email: "ada@example.com", emailCode: "000000" }),
  "user.codes": (client) => changeAddress(client, { email: "ada@example.com" }),
  "address.kilobytes": (client) =>
    client.post("/api/v1/invitations/accept", {
      ...from("203.0.113.7"),
      body: { code: "guessed", name: "Eve", other: "x".repeat(1_100) },
    }),
};

function rate(client: Client, sessionId: string): Promise<Answer> {
  const body = { blockId: "answer", revision: 1, isGood: true };
  return client.post(`/api/v1/sessions/${sessionId}/rating`, { ...from(anyAddress()), body });
}

function suggest(client: Client, sessionId: string): Promise<Answer> {
  const body = { blockId: "address", text: "Main Street" };
  return client.post(`/api/v1/sessions/${sessionId}/suggestions`, { ...from(anyAddress()), body });
}

function anyAddress(): string {
  const [a = 0, b = 0] = crypto.getRandomValues(new Uint8Array(2));
  return `198.51.${a}.${b}`;
}

describe.each(Object.keys(requests))("the limit %s", (name) => {
  const [scope, act] = name.split(".");
  const send = Object.entries(requests).find(([known]) => known === name)?.[1];

  test("a request above the burst is refused with the time to wait", async () => {
    const started = await start(createClient({ handle: api.handle }));
    const { client, clock } = serve(`${name}=3/9s`);
    const ask = () => send?.(client, started.text("sessionId"));
    for (let turn = 0; turn < 3; turn++) expect((await ask())?.status).not.toBe(429);

    const refused = await ask();
    expect(refused?.at("code")).toBe("rate_limit.exceeded");
    expect(refused?.at("data")).toEqual({ scope, act, retryAfterSeconds: 3 });
    expect(Object.fromEntries([...(refused?.headers ?? [])].filter(([key]) => /^(rate|retry)/.test(key)))).toEqual({
      "retry-after": "3",
      "ratelimit-limit": "3",
      "ratelimit-remaining": "0",
      "ratelimit-reset": "9",
    });
    await clock.advance(2_990);
    expect((await ask())?.status).toBe(429);
    await clock.advance(10);
    expect((await ask())?.status).not.toBe(429);
    expect((await ask())?.status).toBe(429);
  });
});

test("pages of other origins may read the headers of a refusal", async () => {
  const { client } = serve("bot.starts=1/1m");
  await start(client);
  const { headers } = await start(client);
  expect(headers.get("access-control-allow-origin")).toBe("*");
  expect(headers.get("access-control-expose-headers")).toContain("Retry-After");
  expect(headers.get("access-control-expose-headers")).toContain("RateLimit-Reset");
});

test("operations count toward a limit, except probes and provider reports", () => {
  const uncounted = operations.filter(({ act }) => act === undefined).map(({ path }) => path);
  expect(uncounted).toEqual([
    "/api/v1/payments/stripe/:credentialsId",
    "/api/v1/channels/:connectionId/webhook",
    "/api/healthz",
    "/api/readyz",
  ]);
  const counted = [...new Set(operations.flatMap(({ act }) => act ?? []))];
  // `kilobytes` limits the body of any operation. `hooks` and `messages` limit the reports of messengers.
  expect([...counted, "kilobytes", "hooks", "messages"].toSorted()).toEqual([...acts].toSorted());
  for (const { act, errors, path } of operations) {
    const isCounted = act !== undefined || path === "/api/v1/channels/:connectionId/webhook";
    expect(errors.includes("rate_limit.exceeded")).toBe(isCounted);
  }
});

describe("a refused request", () => {
  test("a request that one limit refuses does not count towards the others", async () => {
    const { client, clock } = serve("address.starts=4/40s,bot.starts=4/40s,workspace.starts=2/2s");
    for (let turn = 0; turn < 2; turn++) expect((await start(client)).status).toBe(200);
    for (let turn = 0; turn < 10; turn++) expect((await start(client)).at("data.scope")).toBe("workspace");

    await clock.advance(2_000);
    expect([(await start(client)).status, (await start(client)).status]).toEqual([200, 200]);
    await clock.advance(2_000);
    expect((await start(client)).at("data.scope")).toBe("address");
  });

  test("a refusal reports the waiting time of the limit that refused the request", async () => {
    for (const [bot, workspace] of [
      [5, 60],
      [60, 5],
    ]) {
      const { client } = serve(`bot.starts=1/${bot}s,workspace.starts=1/${workspace}s`);
      const refusal = async (index: number) => (await start(client, from(anyAddress()), index)).at("data");
      const ofBot = { scope: "bot", act: "starts", retryAfterSeconds: bot };
      const ofWorkspace = { scope: "workspace", act: "starts", retryAfterSeconds: workspace };
      expect((await start(client)).status).toBe(200);
      expect(await refusal(1)).toEqual(ofWorkspace);
      expect(await refusal(0)).toEqual(bot === 60 ? ofBot : ofWorkspace);
    }
  });

  test("the idempotency key of a refused start can be used again", async () => {
    const { client, clock } = serve("bot.starts=1/5s");
    await start(client);
    const options = from("203.0.113.7");
    expect((await start(client, options)).status).toBe(429);
    await clock.advance(5_000);
    const started = await start(client, options);
    expect(started.status).toBe(200);
    expect(started.headers.has("idempotency-replayed")).toBe(false);
  });
});

describe("a client address", () => {
  test("limits ignore an X-Forwarded-For header of an untrusted client", async () => {
    const { client } = serve("address.starts=1/1m", { TRUSTED_PROXIES: "192.0.2.1" });
    for (let turn = 0; turn < 3; turn++) expect((await start(client, from("203.0.113.7"))).status).toBe(200);
  });

  test("an IPv6 address shares its limit with its /64 network", async () => {
    const { client } = serve("address.starts=1/1m");
    expect((await start(client, from("2001:db8:1:2::3"))).status).toBe(200);
    expect((await start(client, from("2001:db8:1:2:ffff::4"))).status).toBe(429);
    expect((await start(client, from("2001:db8:1:3::3"))).status).toBe(200);
  });

  test("an address with too many invalid tokens is refused", async () => {
    const { client, clock } = serve("address.attempts=2/20s");
    const ask = (token: string, address = "203.0.113.7") =>
      client.get("/api/v1/workspaces", { ...from(address), token });
    expect((await ask("parley_wrong")).status).toBe(401);
    expect((await ask(owner.token)).status).toBe(200);
    expect((await ask("parley_wrong")).status).toBe(401);
    expect((await ask("parley_wrong")).at("data.act")).toBe("attempts");
    expect((await ask(owner.token)).status).toBe(429);
    expect((await ask(owner.token, "203.0.113.8")).status).toBe(200);
    await clock.advance(10_000);
    expect((await ask(owner.token)).status).toBe(200);
  });
});

test("calls to a callback address are counted per bot, block and result", async () => {
  const { client } = serve("callback.calls=3/1h:3");
  const { callbackTokens } = api.deps;
  const target = { botId: newId(), blockId: "listen", resultId: newId(), sessionId: newId(), previewedBy: null };
  const call = async (token: Promise<string>) =>
    (await client.post(`/api/v1/callbacks/${await token}`, { ...from(anyAddress()), body: {} })).status;
  const same = [
    callbackTokens.tokenFor(target),
    callbackTokens.formerTokenFor(target),
    callbackTokens.tokenFor({ ...target, sessionId: newId() }),
  ];
  const others = [{ botId: newId() }, { blockId: "other" }, { resultId: newId() }];

  for (const token of same) expect(await call(token)).not.toBe(429);
  for (const token of same) expect(await call(token)).toBe(429);
  for (const other of others) expect(await call(callbackTokens.tokenFor({ ...target, ...other }))).not.toBe(429);
});

describe("the kilobytes of unauthenticated bodies", () => {
  const accept = (client: Client, bytes: number, options: RequestOptions = from("203.0.113.7")) =>
    client.post("/api/v1/invitations/accept", {
      ...options,
      rawBody: `{"code":"guessed","name":"Eve"}${" ".repeat(bytes - 31)}`,
    });
  const megabytes = 9 * 1024 * 1024;

  test("a body that is too large counts toward the kilobyte limit", async () => {
    const { client } = serve("on");
    const codes: unknown[] = [];
    for (let turn = 0; turn < 25; turn++) codes.push((await accept(client, megabytes)).at("code"));
    expect(codes.filter((code) => code === "request.too_large")).toHaveLength(6);
    const last = await accept(client, megabytes);
    expect(last.at("data")).toMatchObject({ scope: "address", act: "kilobytes" });
    expect(Number(last.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await accept(client, megabytes, from("203.0.113.8"))).at("code")).toBe("request.too_large");
  });

  test("the kilobytes of an unread body are counted", async () => {
    const { client } = serve("address.kilobytes=9/1h");
    const post = (path: string, options: RequestOptions = from("203.0.113.7")) =>
      client.post(path, { ...options, rawBody: " ".repeat(4_096) });
    expect((await post("/api/v1/sign-in/token")).at("code")).toBe("sign_in.not_here");
    expect((await post("/api/v1/bots/import")).at("code")).toBe("token.missing");
    for (const path of ["/api/v1/sign-in/token", "/api/v1/bots/import"])
      expect((await post(path)).at("data.act")).toBe("kilobytes");
    // An operation that does not read the header ignores an invalid token.
    const bogus = { headers: { ...from("203.0.113.7").headers, Authorization: "Bearer bogus" } };
    expect((await post("/api/v1/sign-in/token", bogus)).at("data.act")).toBe("kilobytes");
    expect((await post("/api/v1/bots/import", { ...from("203.0.113.7"), token: owner.token })).status).toBe(400);
  });

  test("kilobytes are counted on arrival if no length is announced", async () => {
    const inChunks = (client: Client, path: string) => {
      const text = `{"code":"guessed","name":"Eve"}${" ".repeat(2_048)}`;
      const rawBody = new ReadableStream<Uint8Array<ArrayBuffer>>({
        async pull(controller) {
          controller.enqueue(new TextEncoder().encode(text));
          controller.close();
        },
      });
      return client.post(path, { ...from("203.0.113.7"), rawBody });
    };
    // The handler of callbacks reads its body itself.
    for (const path of ["/api/v1/invitations/accept", await callbackPath]) {
      const { client } = serve("address.kilobytes=3/9s");
      expect((await inChunks(client, path)).at("data.act")).not.toBe("kilobytes");
      expect((await inChunks(client, path)).at("data.act")).toBe("kilobytes");
    }
  });

  test("the kilobytes of bodies below one kilobyte are not counted", async () => {
    const { client } = serve("address.kilobytes=1/1h");
    for (let turn = 0; turn < 3; turn++) expect((await accept(client, 1_023)).at("code")).toBe("invitation.not_found");
    for (let turn = 0; turn < 3; turn++) {
      const answer = await accept(client, 2_048, { ...from("203.0.113.7"), token: owner.token });
      expect(answer.at("code")).toBe("invitation.not_found");
    }
    expect((await accept(client, 2_048)).at("data.act")).toBe("kilobytes");
  });

  test("the kilobytes of forms posted from pages without JavaScript are counted", async () => {
    const { baseUrl, clock } = serve("address.kilobytes=2/1h");
    const post = async () => {
      const headers = { "X-Forwarded-For": "203.0.113.7" };
      const body = new URLSearchParams({ key: crypto.randomUUID(), other: "x".repeat(1_100) });
      return (await fetch(`${baseUrl}/${bots[0]?.publicId}`, { method: "POST", headers, body })).status;
    };
    expect([await post(), await post()]).toEqual([200, 200]);
    let status: number | undefined;
    void post().then((answered) => (status = answered));
    await waitFor(
      async () => {
        await clock.advance(500);
        return status !== undefined;
      },
      { what: "the refusal" },
    );
    expect(status).toBe(429);
  });
});

describe("the local machine", () => {
  const local = { TRUSTED_PROXIES: "" };
  const plain = (): RequestOptions => ({ headers: { "Idempotency-Key": crypto.randomUUID() } });

  test("the local machine has no default limit by address, bot, workspace or token", async () => {
    const small = rulesOf("on").map((rule) => ({ ...rule, burst: 2 }));
    const { client } = serve(small, local);
    for (let turn = 0; turn < 10; turn++) expect((await start(client, plain())).status).toBe(200);
    for (let turn = 0; turn < 10; turn++) {
      expect((await client.get("/api/v1/workspaces", { token: owner.token })).status).toBe(200);
    }
    const forwarded = await Promise.all(Array.from({ length: 4 }, () => start(client, from("203.0.113.7"))));
    expect(forwarded.map(({ status }) => status).toSorted()).toEqual([200, 200, 429, 429]);
  });

  test("the local machine has the limits that the operator configured", async () => {
    const { client } = serve("bot.starts=1/1m,session.steps=1/1m", local);
    const sessionId = (await start(client, plain())).text("sessionId");
    expect((await start(client, plain())).at("data.scope")).toBe("bot");
    expect((await say(client, sessionId, plain())).status).toBe(200);
    expect((await say(client, sessionId, plain())).at("data.scope")).toBe("session");
  });
});

describe("the default limits", () => {
  longTest(
    "300 visitors behind one address can chat simultaneously",
    async () => {
      // The clock does not advance, so no allowance is refilled.
      const { client, baseUrl } = serve("on");
      const load = async (): Promise<number> => {
        const page = await fetch(`${baseUrl}/${bots[0]?.publicId}`, { headers: { "X-Forwarded-For": "203.0.113.7" } });
        await page.arrayBuffer();
        return page.status;
      };
      const visit = async (): Promise<number[]> => {
        const statuses = [await load(), (await start(client)).status, await load()];
        const started = await start(client);
        statuses.push(started.status);
        const sessionId = started.text("sessionId");
        for (let turn = 0; turn < 20; turn++) statuses.push((await say(client, sessionId)).status);
        return statuses;
      };
      const statuses = (await Promise.all(Array.from({ length: 300 }, visit))).flat();

      expect(statuses).toHaveLength(300 * 24);
      expect(statuses.filter((status) => status !== 200)).toEqual([]);
    },
    120_000,
  );

  test("a client can take 200 steps in one chat without a pause", async () => {
    const { client } = serve("on");
    const sessionId = (await start(client)).text("sessionId");
    for (let turn = 0; turn < 200; turn++) {
      expect((await say(client, sessionId)).status).toBe(200);
      if (turn % 20 === 0) expect((await client.get(`/api/v1/sessions/${sessionId}`)).status).toBe(200);
    }
  });
});

test("with RATE_LIMITS=off, a session may send 320 client logs without a pause", async () => {
  const { client } = serve("off");
  const sessionId = (await start(client)).text("sessionId");
  for (let turn = 0; turn < 320; turn++) expect((await log(client, sessionId)).status).toBe(200);
});
