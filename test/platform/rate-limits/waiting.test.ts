import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { limits } from "../../../src/limits/index.ts";
import { rulesOf } from "../../../src/limits/rate-rules.ts";
import { createRateLimits } from "../../../src/platform/rate-limits/rate-limits.ts";
import { createApp } from "../../../src/service/app.ts";
import { publishTypebot } from "../../compatibility/bot.ts";
import { openPage, type Page } from "../../compatibility/existing-client.ts";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { idOf } from "../../support/builder-ids.ts";
import { asks, flowOf, publish, say, says, start } from "../../support/chat.ts";
import { createClient } from "../../support/client.ts";
import { createThreads, type Threads } from "../../support/threads.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";
import { waitFor } from "../../support/wait.ts";

let api: TestApi;
let threads: Threads;
let owner: TestUser;
let place: { token: string; workspaceId: string };

const asking = flowOf([
  says("Again?"),
  asks("text input"),
  { id: "again", type: "Jump", options: { groupId: idOf("g0") } },
]);
const text = (words: string) => ({ type: "text", text: words });

beforeAll(async () => {
  threads = createThreads({ count: 1 });
  api = await createTestApi({ threads });
  owner = await api.makeUser();
  place = { token: owner.token, workspaceId: await api.makeWorkspace(owner) };
});
afterAll(async () => {
  await threads.close();
  await api.close();
});

function serve(RATE_LIMITS: string) {
  const clock = createVirtualClock();
  const app = createApp({ ...api.deps, rateLimits: createRateLimits(rulesOf(RATE_LIMITS), { clock }) });
  const handle: Page["handle"] = (request) => app.handle(request);
  return { clock, handle, client: createClient({ handle }) };
}

describe("a Typebot client above a limit", () => {
  test("a Typebot client above a limit gets its response after a wait", async () => {
    const { publicId } = await publishTypebot(api.client, place, asking);
    const { clock, handle } = serve("session.steps=1/4s");
    const page = await openPage({ handle, publicId });
    await page.answer(text("One"));
    const second = page.answer(text("Two"));
    await waitFor(() => clock.timers() === 1);
    await clock.advance(4_000);
    await second;

    expect(page.seen()).toEqual(["Again?", "Again?", "Again?"]);
    expect(page.sent.map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  test("a Typebot client is asked to try again if the wait would be too long", async () => {
    const { publicId } = await publishTypebot(api.client, place, asking);
    const { clock, handle } = serve("session.steps=1/20s");
    const page = await openPage({ handle, publicId });
    await page.answer(text("One"));
    const second = page.answer(text("Two"));
    await waitFor(() => clock.timers() === 1);
    await clock.advance(limits.rateLimits.waitMs);
    await second;

    expect(page.seen().at(-1)).toBe("Please, wait a moment and try again.");
    expect(page.input()?.["type"]).toBe("text input");
    expect(page.logs).toMatchObject([{ status: "error", context: "rate_limit.exceeded" }]);
    await clock.advance(15_000);
    await page.answer(text("Three"));
    expect(page.seen().at(-1)).toBe("Again?");
  });

  test("a Typebot client above the start limit gets its chat after a wait", async () => {
    const { publicId } = await publishTypebot(api.client, place, asking);
    const { clock, handle } = serve("bot.starts=1/3s");
    await openPage({ handle, publicId });
    const opening = openPage({ handle, publicId });
    await waitFor(() => clock.timers() === 1);
    await clock.advance(3_000);
    expect((await opening).seen()).toEqual(["Again?"]);
  });
});

describe("a waiting request", () => {
  test("a waiting request of Parley's own API is refused after five seconds", async () => {
    const { publicId } = await publish(api.client, place, asking);
    const { clock, client } = serve("session.steps=1/20s");
    const sessionId = (await start(client, publicId)).text("sessionId");
    await say(client, sessionId, "One");
    const second = say(client, sessionId, "Two");
    await waitFor(() => clock.timers() === 1);
    await clock.advance(limits.rateLimits.waitMs);

    const refused = await second;
    expect(refused.at("data")).toMatchObject({ scope: "session", retryAfterSeconds: 15, waitedMs: 5_000 });
    expect(refused.headers.get("retry-after")).toBe("15");
  });

  test("a request is refused at once if too many requests of its session wait", async () => {
    const { publicId } = await publishTypebot(api.client, place, asking);
    const { clock, client } = serve("session.steps=1/20s");
    const sessionId = (await client.post(`/api/v1/typebots/${publicId}/startChat`, { body: {} })).text("sessionId");
    await say(client, sessionId, "One");
    const more = 6;
    const all = Array.from({ length: limits.rateLimits.waitingPerKey + more }, () => say(client, sessionId, "Two"));
    const atOnce: number[] = [];
    for (const request of all) request.then(({ status }) => atOnce.push(status));
    await waitFor(() => atOnce.length === more);

    expect(atOnce).toEqual(Array(more).fill(429));
    expect(clock.timers()).toBe(limits.rateLimits.waitingPerKey);
    await clock.advance(limits.rateLimits.waitMs);
    const statuses = (await Promise.all(all)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(limits.rateLimits.waitingPerKey);
  });

  test("a request above the limit does not wait if it has an idempotency key", async () => {
    const { publicId } = await publish(api.client, place, asking);
    const { clock, client } = serve("session.steps=1/20s");
    const sessionId = (await start(client, publicId)).text("sessionId");
    const options = { headers: { "Idempotency-Key": "same" } };
    await say(client, sessionId, "One");
    expect((await say(client, sessionId, "Two", options)).status).toBe(429);
    expect(clock.timers()).toBe(0);
    await clock.advance(20_000);
    expect((await say(client, sessionId, "Two", options)).status).toBe(200);
  });

  test("a form posted above the start limit is refused after five seconds", async () => {
    const { publicId } = await publish(api.client, place, asking);
    const { clock, handle } = serve("bot.starts=1/20s");
    const address = `http://localhost/${publicId}`;
    const post = async (key: string) => {
      const body = new URLSearchParams({ key, text: "Ana", block: idOf("asks text input") });
      const response = await handle(new Request(address, { method: "POST", body, headers: { Accept: "text/html" } }));
      return { response, html: await response.text() };
    };
    expect((await post("0123456789abcdef-1")).response.status).toBe(200);
    const second = post("0123456789abcdef-2");
    await waitFor(() => clock.timers() === 1);
    await clock.advance(limits.rateLimits.waitMs);

    const { response } = await second;
    expect(response.status).toBe(429);
    expect(response.headers.get("content-type")).toContain("text/html");
    expect(response.headers.get("retry-after")).toBe("15");
    await clock.advance(15_000);
    expect((await post("0123456789abcdef-2")).response.status).toBe(200);
  });
});
