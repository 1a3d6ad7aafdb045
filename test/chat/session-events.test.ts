import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { createSessionReaders } from "../../src/chat/reads/session-readers.ts";
import { limits } from "../../src/limits/index.ts";
import { listen } from "../../src/service/serving.ts";
import { createTestApi, type TestApi, type TestUser } from "../support/api.ts";
import { idOf } from "../support/builder-ids.ts";
import { asks, flowOf, publish, say, says, start } from "../support/chat.ts";
import { noteOperation } from "../support/contract.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { cleanupStack } from "../support/service.ts";
import { openEvents } from "../support/streamed.ts";
import { createThreads, type Threads } from "../support/threads.ts";
import { createVirtualClock } from "../support/virtual-clock.ts";
import { waitFor } from "../support/wait.ts";

let database: TestDatabase;
let threads: Threads;
let api: TestApi;
let other: TestApi;
let owner: TestUser;
let bot: { botId: string; publicId: string };
let server: ReturnType<typeof listen>;
let origin: string;
const cleanups = cleanupStack();

const listening = flowOf([
  says("Please pay"),
  {
    id: "listen",
    type: "webhook",
    options: { responseVariableMapping: [{ id: "m", variableId: idOf("Name"), bodyPath: "data.order" }] },
  },
  says("Order {{Name}} is paid. Your e-mail?"),
  asks("email input"),
  says("Thank you"),
]);

beforeAll(async () => {
  database = await createTestDatabase();
  threads = createThreads({ count: 1 });
  const shared = { database: { ...database, close: async () => {} }, through: async (url: string) => url, threads };
  const config = { HOST: "127.0.0.1", RATE_LIMITS: "off" } as const;
  api = await createTestApi({ ...shared, config });
  other = await createTestApi({ ...shared, config });
  owner = await api.makeUser();
  bot = await publish(api.client, { token: owner.token, workspaceId: await api.makeWorkspace(owner) }, listening);
  server = listen(api.deps, { port: 0, isShared: false });
  origin = `http://127.0.0.1:${server.port}`;
});
afterEach(cleanups.run);
afterAll(async () => {
  await server.drain();
  await other.close();
  await api.close();
  await threads.close();
  await database.close();
});

const watch = async (sessionId: string, after?: string, headers: Record<string, string> = {}) => {
  const events = await openEvents(`${origin}/api/v1/sessions/${sessionId}/events`, { after, headers });
  cleanups.add(async () => events.close());
  return events;
};
const begin = async () => {
  const started = await start(api.client, bot.publicId);
  return { sessionId: started.text("sessionId"), resultId: started.text("resultId") };
};
const call = (on: TestApi, resultId: string) =>
  on.client.post(`/api/v1/bots/${bot.botId}/blocks/listen/results/${resultId}/executeWebhook`, {
    token: owner.token,
    body: { order: "A-17" },
  });
const readers = () => [...api.deps.sessionReaders.watched.keys()].length;

describe("the events of a session", () => {
  test("the events of a session start with the newest step", async () => {
    const { sessionId, resultId } = await begin();
    const events = await watch(sessionId);
    const first = await events.next();
    await call(api, resultId);
    const second = await events.next();
    const read = await api.client.get(`/api/v1/sessions/${sessionId}`);

    expect(events.response.headers.get("content-type")).toStartWith("text/event-stream");
    noteOperation({ method: "GET", path: "/api/v1/sessions/:sessionId/events" });
    expect(first).toMatchObject({ event: "step", id: "1" });
    expect(first?.data).toMatchObject({ clientSideActions: [{ type: "listenForWebhook" }] });
    expect(second).toMatchObject({ event: "step", id: "2", data: { messages: read.at("session.steps.1.messages") } });
  });

  test("the events of a session include a step that another node took", async () => {
    const { sessionId, resultId } = await begin();
    const events = await watch(sessionId);
    await events.next();
    await call(other, resultId);

    expect(await events.next()).toMatchObject({ id: "2", data: { input: { type: "email input" } } });
  });

  test("the events of a session arrive in order from two nodes", async () => {
    const { sessionId, resultId } = await begin();
    const events = await watch(sessionId, "1");
    await call(other, resultId);
    for (const [turn, client] of [api, other, api].entries()) await say(client.client, sessionId, `wrong ${turn}`);
    await say(api.client, sessionId, "a@b.co");

    expect((await events.rest()).map(({ id }) => id)).toEqual(["2", "3", "4", "5", "6"]);
  });

  test("the events of a session start after the client's last step", async () => {
    const { sessionId, resultId } = await begin();
    await call(api, resultId);
    await say(api.client, sessionId, "a@b.co");
    const events = await watch(sessionId, "1");
    const rest = await events.rest();

    expect(rest.map(({ id }) => id)).toEqual(["2", "3"]);
    expect(rest.at(-1)).toMatchObject({ data: { progress: 100 } });
    expect(readers()).toBe(0);
  });

  test("a client that names an old step gets the events of the newest step", async () => {
    const { sessionId, resultId } = await begin();
    await call(api, resultId);
    for (let times = 0; times < limits.sessionEvents.steps; times++) await say(api.client, sessionId, "no address");
    const newest = String(limits.sessionEvents.steps + 2);
    const begins = async (after: string) => (await (await watch(sessionId, after)).next())?.id;

    expect(await begins("1")).toBe(newest);
    expect(await begins("2")).toBe("3");
    expect(await begins("two")).toBe(newest);
    expect(await begins("999")).toBe(newest);
  });

  test("the events of a session are refused for an unknown or ended session", async () => {
    const { sessionId, resultId } = await begin();
    await call(api, resultId);
    await say(api.client, sessionId, "a@b.co");
    const expired = await begin();
    await api.deps.sql`update sessions set expires_at = clock() where id = ${expired.sessionId}`;
    const { token } = owner;
    const closed = { ...listening, settings: { security: { allowedOrigins: ["https://shop.example"] } } };
    const { publicId } = await publish(api.client, { token, workspaceId: await api.makeWorkspace(owner) }, closed);
    const guarded = (await start(api.client, publicId)).text("sessionId");
    const answers = async (id: string, headers: Record<string, string> = {}) => {
      const { status, body } = await api.client.get(`/api/v1/sessions/${id}/events`, { headers });
      return [status, Object(body).code];
    };

    expect(await answers("06ey3k2m5q8r1t4v7x0z9w2b5d")).toEqual([404, "session.not_found"]);
    expect(await answers("no-id")).toEqual([404, "session.not_found"]);
    expect(await answers(sessionId)).toEqual([404, "session.ended"]);
    expect(await answers(sessionId, { "Last-Event-ID": "3" })).toEqual([404, "session.ended"]);
    expect(await answers(expired.sessionId)).toEqual([404, "session.expired"]);
    expect(await answers(guarded, { Origin: "https://elsewhere.example" })).toEqual([403, "origin.not_allowed"]);
    expect(readers()).toBe(0);
  });

  test("the events of a session have a limited number of readers", async () => {
    const { sessionId } = await begin();
    const { sessionReaders } = api.deps;
    const sources = Array.from({ length: limits.sessionEvents.readers }, () =>
      sessionReaders.open({ sessionId, after: 1 }),
    );
    const refused = await api.client.get(`/api/v1/sessions/${sessionId}/events`);
    const metrics = await sessionReaders.registry.metrics();
    for (const source of sources) source.leave();

    expect(refused).toMatchObject({ status: 503, body: { code: "server.overloaded" } });
    expect(metrics).toContain(`parley_session_event_readers ${limits.sessionEvents.readers}`);
    const events = await watch(sessionId);
    expect(await events.next()).toMatchObject({ id: "1" });
    events.close();
    await waitFor(() => readers() === 0);
  });

  test("a HEAD request for the events of a session gets only the headers", async () => {
    const { sessionId } = await begin();
    const response = await fetch(`${origin}/api/v1/sessions/${sessionId}/events`, { method: "HEAD" });

    expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
    expect(readers()).toBe(0);
  });

  test("the events of a session wait in the database for a slow client", async () => {
    const { sessionId, resultId } = await begin();
    const source = api.deps.sessionReaders.open({ sessionId, after: 1 });
    await call(api, resultId);
    const steps = limits.sessionEvents.steps + 2;
    for (let times = 2; times < steps; times++) await say(api.client, sessionId, "no address");
    await say(api.client, sessionId, "a@b.co");
    const first = source.take();
    const ids = first.map(({ id }) => id);
    while (!source.hasEnded()) {
      await source.more();
      ids.push(...source.take().map(({ id }) => id));
    }

    expect(first.length).toBe(limits.sessionEvents.steps);
    expect(ids).toEqual(Array.from({ length: steps }, (_, index) => String(index + 2)));
  });

  test("the events of a session end after four minutes, or when the process stops", async () => {
    const { sessionId } = await begin();
    const clock = createVirtualClock();
    const sessionReaders = createSessionReaders({ sql: api.deps.sql, onFailure: () => {}, clock });
    const lasting = sessionReaders.open({ sessionId, after: 1 });
    await clock.advance(limits.sessionEvents.lastsMs - 1);
    const before = lasting.hasEnded();
    await clock.advance(1);
    const stopped = sessionReaders.open({ sessionId, after: 1 });
    await sessionReaders.close();

    expect([before, lasting.hasEnded(), stopped.hasEnded()]).toEqual([false, true, true]);
    expect(sessionReaders.watched.size).toBe(0);
    expect(() => sessionReaders.open({ sessionId, after: 1 })).toThrow("The service is overloaded");
  });
});
