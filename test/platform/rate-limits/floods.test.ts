import { afterAll, beforeAll, expect, test } from "bun:test";
import { limits } from "../../../src/limits/index.ts";
import { rulesOf } from "../../../src/limits/rate-rules.ts";
import { createRateLimits } from "../../../src/platform/rate-limits/rate-limits.ts";
import { createApp } from "../../../src/service/app.ts";
import { createTestApi, type TestApi } from "../../support/api.ts";
import { asks, flowOf, publish, start } from "../../support/chat.ts";
import { type Client, createClient } from "../../support/client.ts";
import { createThreads, type Threads } from "../../support/threads.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";
import { waitFor } from "../../support/wait.ts";

let api: TestApi;
let threads: Threads;
let publicId: string;

beforeAll(async () => {
  threads = createThreads({ count: 1 });
  api = await createTestApi({ threads });
  const owner = await api.makeUser();
  const place = { token: owner.token, workspaceId: await api.makeWorkspace(owner) };
  ({ publicId } = await publish(api.client, place, flowOf([asks("text input")])));
});
afterAll(async () => {
  await threads.close();
  await api.close();
});

function serve() {
  const clock = createVirtualClock();
  const rateLimits = createRateLimits(rulesOf("bot.starts=1/1h"), { clock });
  const app = createApp({ ...api.deps, clock, rateLimits });
  return { clock, client: createClient({ handle: (request) => app.handle(request) }) };
}

/** Starts a chat with an idempotency key, like a client that repeats a rejected request. */
const open = (client: Client) => start(client, publicId, {}, { headers: { "Idempotency-Key": crypto.randomUUID() } });

const { refusalsAtOnce, refusalHoldMs, refusalsHeld } = limits.rateLimits;

test("refusals of a flood are delayed after the first hundred", async () => {
  const { clock, client } = serve();
  expect((await open(client)).status).toBe(200);
  const others = clock.timers();
  const refusals: number[] = [];
  const flood = Array.from({ length: refusalsAtOnce + 7 }, async () => {
    refusals.push((await open(client)).status);
  });

  await waitFor(() => refusals.length === refusalsAtOnce && clock.timers() === others + 7);
  expect((await client.get("/api/healthz")).status).toBe(200);
  await clock.advance(refusalHoldMs - 1);
  expect(refusals.length).toBe(refusalsAtOnce);
  await clock.advance(1);
  await Promise.all(flood);
  expect(new Set(refusals)).toEqual(new Set([429]));

  await clock.advance(1_000);
  expect((await open(client)).status).toBe(429);
});

test("the number of delayed refusals is limited per process", async () => {
  const { clock, client } = serve();
  await open(client);
  const others = clock.timers();
  let refused = 0;
  const flood = Array.from({ length: refusalsAtOnce + refusalsHeld + 5 }, async () => {
    await open(client);
    refused++;
  });

  await waitFor(() => refused === refusalsAtOnce + 5 && clock.timers() === others + refusalsHeld);
  await clock.advance(refusalHoldMs);
  await Promise.all(flood);
});
