import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { deleteOldPreviews } from "../../../src/chat/saves/anonymous-previews.sql.ts";
import { limits } from "../../../src/limits/index.ts";
import { rulesOf } from "../../../src/limits/rate-rules.ts";
import { createRateLimits } from "../../../src/platform/rate-limits/rate-limits.ts";
import { listen } from "../../../src/service/serving.ts";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { asks, flowOf, publish, say, says } from "../../support/chat.ts";
import { type Client, createClient } from "../../support/client.ts";
import { longTest } from "../../support/long-test.ts";
import { moveClock } from "../../support/moved-clock.ts";
import { createThreads, type Threads } from "../../support/threads.ts";

let api: TestApi;
let threads: Threads;
let owner: TestUser;
let botId: string;
let client: Client;
let drain: () => Promise<void>;

beforeAll(async () => {
  threads = createThreads({ count: 1 });
  api = await createTestApi({ threads });
  owner = await api.makeUser();
  ({ botId } = await publish(
    api.client,
    { token: owner.token, workspaceId: await api.makeWorkspace(owner) },
    flowOf([says("Own"), asks("text input")]),
  ));
  const listening = listen(
    {
      ...api.deps,
      config: { ...api.deps.config, HOST: "127.0.0.1", TRUSTED_PROXIES: "127.0.0.1" },
      rateLimits: createRateLimits(rulesOf("address.previews=off")),
    },
    { port: 0, isShared: false },
  );
  drain = listening.drain;
  client = createClient({ baseUrl: `http://127.0.0.1:${listening.port}` });
});
beforeEach(async () => {
  await api.deps.sql`delete from flows where bot_id in (select bot_id from anonymous_previews)`;
  await api.deps.sql`truncate anonymous_previews, sessions, steps, start_keys`;
});
afterAll(async () => {
  await drain();
  await threads.close();
  await api.close();
});

const supplied = (text = "Hello") => ({ ...flowOf([says(text, "b"), asks("text input")]), id: "any" });

const preview = (address: string, body: object = { bot: supplied() }, headers: Record<string, string> = {}) =>
  client.post("/api/v1/bots/any/preview/startChat", { body, headers: { "X-Forwarded-For": address, ...headers } });

type Kept = Record<"previews" | "flows" | "sessions" | "steps" | "keys" | "bytes", number>;

async function kept(): Promise<Kept | undefined> {
  const [row] = await api.deps.sql<Kept[]>`
    select
      (select count(*)::int from anonymous_previews) as previews,
      (select count(*)::int from flows where bot_id <> all (select id from bots)) as flows,
      (select count(*)::int from sessions) as sessions,
      (select count(*)::int from steps) as steps,
      (select count(*)::int from start_keys) as keys,
      (
        (select coalesce(sum(octet_length(content::text)), 0) from flows where bot_id <> all (select id from bots))
        + (select coalesce(sum(octet_length(state)), 0) from sessions)
        + (select coalesce(sum(octet_length(response::text)), 0) from steps)
      )::int as bytes`;
  return row;
}

const budgeted = async () => {
  const [row] = await api.deps.sql<[{ bytes: number }]>`
    select coalesce(sum(bytes), 0)::float8 as bytes from anonymous_previews`;
  return row.bytes;
};

async function statuses(count: number, atOnce: number, send: (at: number) => Promise<{ status: number }>) {
  const seen: Record<number, number> = {};
  let next = 0;
  const one = async () => {
    while (next < count) {
      const { status } = await send(next++);
      seen[status] = (seen[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, one));
  return seen;
}

longTest(
  "rejected anonymous previews write nothing",
  async () => {
    const seen = await statuses(1_000, 1_000, (at) => preview(`203.0.113.${at % 250}`));
    const { 200: taken = 0, 503: refused = 0 } = seen;

    expect(taken).toBeGreaterThan(0);
    expect(refused).toBe(1_000 - taken);
    expect(await kept()).toMatchObject({ previews: taken, flows: taken, sessions: taken, steps: taken, keys: 0 });
  },
  60_000,
);

test("the flow in a preview request is parsed only at the front of the queue", async () => {
  const over = Promise.withResolvers<void>();
  const held = threads.inAnonymousLane("somebody", () => over.promise);
  const send = () =>
    client.post("/api/v1/bots/any/preview/startChat", {
      rawBody: '{"bot":',
      headers: { "X-Forwarded-For": "203.0.113.1" },
    });
  const waiting = limits.threads.anonymousPreviewQueue / 2;
  const sent = Array.from({ length: waiting + 3 }, send);
  const first = await Promise.race(sent);
  expect(first.at("code")).toBe("server.overloaded");
  expect(threads.usages()["anonymous_previews"]).toMatchObject({ held: 1 });

  over.resolve();
  await held;
  const codes = (await Promise.all(sent)).map((answer) => answer.at("code"));
  expect(codes.filter((code) => code === "server.overloaded")).toHaveLength(3);
  expect(codes.filter((code) => code === "request.malformed")).toHaveLength(waiting);
});

test("a preview whose first step is refused writes nothing", async () => {
  const answer = await preview(
    "203.0.113.1",
    { bot: supplied(), startFrom: { type: "group", groupId: "none" } },
    { "Idempotency-Key": "a-key-of-sixteen-and-more" },
  );

  expect(answer.at("code")).toBe("flow.start_group_not_found");
  expect(await kept()).toEqual({ previews: 0, flows: 0, sessions: 0, steps: 0, keys: 0, bytes: 0 });
});

test("the number of previews per address is limited", async () => {
  const { flowsPerAddress } = limits.anonymousPreviews;
  expect(await statuses(flowsPerAddress, 1, () => preview("203.0.113.1"))).toEqual({ 200: flowsPerAddress });
  const before = await kept();

  expect(await statuses(200, 8, () => preview("203.0.113.1"))).toEqual({ 429: 200 });
  const refused = await preview("203.0.113.1");
  expect(refused).toMatchObject({ body: { code: "rate_limit.exceeded", data: { scope: "address", act: "previews" } } });
  expect(refused.headers.get("retry-after")).toBe("600");
  expect(await kept()).toEqual(before);
  expect((await preview("203.0.113.2")).status).toBe(200);
  expect((await preview("203.0.113.1", {}, { Authorization: `Bearer ${owner.token}` })).status).toBe(404);
}, 90_000);

test("the bytes that previews store per address and in total are limited", async () => {
  const most = limits.anonymousPreviews.megabytes * 1024 * 1024;
  const bytesPerAddress = limits.anonymousPreviews.megabytesPerAddress * 1024 * 1024;
  const large = () => ({ bot: supplied("x".repeat(900_000)) });
  const first = await preview("203.0.113.1", large());
  const { 200: taken = 0, 429: refused = 0 } = await statuses(40, 2, () => preview("203.0.113.1", large()));

  expect(taken + refused).toBe(40);
  expect(refused).toBeGreaterThan(0);
  expect(await budgeted()).toBeLessThanOrEqual(bytesPerAddress);
  expect((await kept())?.bytes).toBeLessThanOrEqual(await budgeted());
  // A step counts towards the budget of the address that started the chat.
  await api.deps.sql`
    update anonymous_previews set bytes = ${bytesPerAddress} - (${await budgeted()} - bytes)
    where bot_id = (select bot_id from sessions limit 1)`;
  expect((await say(client, first.text("sessionId"), "x")).at("code")).toBe("rate_limit.exceeded");
  await api.deps.sql`
    update anonymous_previews set bytes = ${most}, address = null where bot_id = (select bot_id from anonymous_previews limit 1)`;
  expect(await preview("203.0.113.9")).toMatchObject({
    status: 503,
    body: { code: "server.overloaded", data: { scope: "all" } },
  });
}, 90_000);

test("anonymous previews are removed after an hour, and authors' previews stay", async () => {
  const key = { "Idempotency-Key": "a-key-of-sixteen-and-more" };
  const chat = await preview("203.0.113.1", { bot: supplied() }, key);
  await say(client, chat.text("sessionId"), "x");
  const own = await client.post(`/api/v1/bots/${botId}/preview/startChat`, { token: owner.token, body: {} });
  expect(await kept()).toMatchObject({ previews: 1, flows: 1, sessions: 2, steps: 3, keys: 1 });
  expect(await deleteOldPreviews(api.deps.sql, 100)).toBe(0);
  await moveClock(api.deps.sql, limits.anonymousPreviews.minutes * 60 + 1);
  const removed = await deleteOldPreviews(api.deps.sql, 100);
  await moveClock(api.deps.sql, 0);

  expect(removed).toBe(1);
  expect(await kept()).toMatchObject({ previews: 0, flows: 0, sessions: 1, steps: 1, keys: 0 });
  expect((await say(client, chat.text("sessionId"), "x")).at("code")).toBe("session.not_found");
  expect((await say(client, own.text("sessionId"), "x")).status).toBe(200);
});
