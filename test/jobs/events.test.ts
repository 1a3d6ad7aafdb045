import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { newId } from "../../src/ids.ts";
import { deliverEvents, type EventTools, eventsPerJob, maxUnreachable } from "../../src/jobs/handlers/events.ts";
import { limits } from "../../src/limits.ts";
import { createLog } from "../../src/log.ts";
import { createSecrets, eventSecretPlace } from "../../src/secrets.ts";
import { listDueEndpoints, removeOldDeliveries, takeEndpoint } from "../../src/store/events/queue.ts";
import { valueAt } from "../support/client.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { putAnswer, putEndpoint, type Receiver, startReceiver, testSecret, testSecrets } from "../support/events.ts";
import type { OutsideRequest } from "../support/outside.ts";
import { outsideFetch } from "../support/outside.ts";

let database: TestDatabase;
let tools: EventTools;
const receivers: Receiver[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  tools = { sql: database.sql, safeFetch: outsideFetch(), secrets: testSecrets, log: createLog("silent") };
});
afterAll(() => database.close());
afterEach(async () => {
  for (const receiver of receivers.splice(0)) await receiver.close();
  await database.sql`delete from event_deliveries`;
  await database.sql`delete from event_endpoints`;
});

async function receiver(...given: Parameters<typeof startReceiver>): Promise<Receiver> {
  const started = await startReceiver(...given);
  receivers.push(started);
  return started;
}

const contentOf = ({ body }: OutsideRequest): string => String(valueAt(JSON.parse(body), "data.answer.content"));
const contents = (from: Receiver) => from.requests.map(contentOf);
const deliver = (endpointId: string) => deliverEvents(tools, endpointId);

async function rowsOf(endpointId: string) {
  const rows = await database.sql<
    { status: string; attempts: number; dueIn: number; code: number | null; error: string | null; content: string }[]
  >`
    select
      status,
      attempts,
      extract(epoch from next_attempt_at - clock())::float as due_in,
      last_status_code as code,
      last_error as error,
      content ->> 'content' as content
    from event_deliveries
    where endpoint_id = ${endpointId}
    order by sequence`;
  return [...rows];
}

async function endpointRow(endpointId: string) {
  const [row] = await database.sql<
    { isEnabled: boolean; reason: string | null; pausedFor: number | null; isFailing: boolean; isLeased: boolean }[]
  >`
    select
      is_enabled,
      disabled_reason as reason,
      extract(epoch from paused_until - clock())::float as paused_for,
      failing_since is not null as is_failing,
      leased_until is not null as is_leased
    from event_endpoints
    where id = ${endpointId}`;
  if (!row) throw new Error("The endpoint is gone");
  return row;
}

/** As if all waits were over. */
async function letTimePass(): Promise<void> {
  await database.sql`update event_deliveries set next_attempt_at = clock() where status = 'pending'`;
  await database.sql`update event_endpoints set paused_until = null, leased_until = null`;
}

test("an event arrives signed, as its type, its time and its data, and the log says so", async () => {
  const server = await receiver();
  const { endpointId, workspaceId } = await putEndpoint(database.sql, { url: server.url() });
  const sessionId = newId();
  const id = await putAnswer(database.sql, { endpointId, sessionId, content: "Ada" });

  const report = await deliver(endpointId);

  expect(report).toEqual({ delivered: 1, failed: 0, hasMore: false });
  expect(server.events()).toEqual([
    {
      id,
      type: "result.answered",
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      data: {
        workspaceId,
        botId: expect.any(String),
        resultId: expect.any(String),
        sessionId,
        answer: { content: "Ada" },
      },
    },
  ]);
  expect(await rowsOf(endpointId)).toMatchObject([{ status: "delivered", attempts: 1, code: 200, error: null }]);
  expect(await endpointRow(endpointId)).toMatchObject({ isFailing: false, isLeased: false, pausedFor: null });
});

test("a hundred events travel in one job, those of a session in their order", async () => {
  const server = await receiver();
  const { endpointId } = await putEndpoint(database.sql, { url: server.url() });
  const sessions = Array.from({ length: 7 }, () => newId());
  for (let index = 0; index < eventsPerJob + 5; index++) {
    const place = index % sessions.length;
    const sessionId = sessions[place] ?? "";
    await putAnswer(database.sql, { endpointId, sessionId, content: `${place} ${index}` });
  }

  expect(await deliver(endpointId)).toEqual({ delivered: eventsPerJob, failed: 0, hasMore: true });
  expect(await deliver(endpointId)).toEqual({ delivered: 5, failed: 0, hasMore: false });

  expect(server.requests).toHaveLength(eventsPerJob + 5);
  for (const place of sessions.keys()) {
    const own = contents(server).filter((content) => content.startsWith(`${place} `));
    const numbers = own.map((content) => Number(content.split(" ")[1]));
    expect(numbers).toEqual(numbers.toSorted((one, other) => one - other));
  }
});

test("sessions go side by side, one session's events one after the other", async () => {
  let underWay = 0;
  let most = 0;
  const open = new Set<string>();
  const overlaps: string[] = [];
  const server = await receiver((request, response) => {
    const sessionId = String(valueAt(JSON.parse(request.body), "data.sessionId"));
    if (open.has(sessionId)) overlaps.push(sessionId);
    open.add(sessionId);
    most = Math.max(most, ++underWay);
    setTimeout(() => {
      underWay--;
      open.delete(sessionId);
      response.writeHead(200).end();
    }, 5);
    return undefined;
  });
  const { endpointId } = await putEndpoint(database.sql, { url: server.url() });
  const sessions = Array.from({ length: 15 }, () => newId());
  for (const content of ["1", "2"]) {
    for (const sessionId of sessions) await putAnswer(database.sql, { endpointId, sessionId, content });
  }

  await deliver(endpointId);

  expect(overlaps).toEqual([]);
  expect(most).toBeGreaterThan(1);
  expect(most).toBeLessThanOrEqual(limits.events.sessionsAtOnce);
});

test("what failed keeps back the rest of its session, and no other session", async () => {
  let isFailing = true;
  const server = await receiver((request) => (isFailing && contentOf(request) === "bad" ? 400 : 200));
  const { endpointId } = await putEndpoint(database.sql, { url: server.url() });
  const [one, other] = [newId(), newId()];
  for (const content of ["first", "bad", "after"]) {
    await putAnswer(database.sql, { endpointId, sessionId: one, content });
  }
  await putAnswer(database.sql, { endpointId, sessionId: other, content: "elsewhere" });

  expect(await deliver(endpointId)).toMatchObject({ delivered: 2, failed: 1 });
  expect(contents(server).toSorted()).toEqual(["bad", "elsewhere", "first"]);
  expect(await deliver(endpointId)).toMatchObject({ delivered: 0, failed: 0 });
  isFailing = false;
  await letTimePass();
  expect(await deliver(endpointId)).toMatchObject({ delivered: 2, failed: 0 });

  expect(contents(server).slice(3)).toEqual(["bad", "after"]);
  const [first, second] = server.events().filter((event) => JSON.stringify(event).includes('"bad"'));
  expect(second).toEqual(first);
});

test("pauses grow as the specification recommends, until the event is given up and its session goes on", async () => {
  const server = await receiver((request) => (contentOf(request) === "bad" ? 400 : 200));
  const { endpointId } = await putEndpoint(database.sql, { url: server.url() });
  const sessionId = newId();
  for (const content of ["bad", "after"]) await putAnswer(database.sql, { endpointId, sessionId, content });

  const pauses: number[] = [];
  for (let attempt = 0; attempt < limits.events.retrySeconds.length; attempt++) {
    await deliver(endpointId);
    const [row] = await rowsOf(endpointId);
    pauses.push(Math.round(row?.dueIn ?? 0));
    await letTimePass();
  }
  expect(pauses).toEqual([...limits.events.retrySeconds]);
  expect(contents(server)).not.toContain("after");
  await deliver(endpointId);

  expect(await rowsOf(endpointId)).toMatchObject([
    { status: "failed", attempts: 10, code: 400, error: "The receiver answered with status 400" },
    { status: "delivered", attempts: 1, code: 200 },
  ]);
  const hours = limits.events.retrySeconds.reduce((sum, seconds) => sum + seconds, 0) / 3_600;
  expect(hours).toBeGreaterThan(72);
  expect(hours).toBeLessThan(84);
});

test("an event whose three days are over is given up at its next failure", async () => {
  const server = await receiver(() => 400);
  const { endpointId } = await putEndpoint(database.sql, { url: server.url() });
  await putAnswer(database.sql, { endpointId, sessionId: newId(), content: "late" });
  await database.sql`update event_deliveries set give_up_at = clock()`;

  await deliver(endpointId);

  expect(await rowsOf(endpointId)).toMatchObject([{ status: "failed", attempts: 1 }]);
});

test("a job that finds nobody there leaves the rest for after a pause, and then one event goes first", async () => {
  let isDown = true;
  const server = await receiver(() => (isDown ? 503 : 200));
  const { endpointId } = await putEndpoint(database.sql, { url: server.url() });
  for (let index = 0; index < 60; index++) {
    await putAnswer(database.sql, { endpointId, sessionId: newId(), content: String(index) });
  }

  const first = await deliver(endpointId);
  expect(first.failed).toBeLessThanOrEqual(maxUnreachable + limits.events.sessionsAtOnce);
  expect((await endpointRow(endpointId)).pausedFor).toBeCloseTo(limits.events.pauseSeconds[0], 0);
  expect(await deliver(endpointId)).toMatchObject({ delivered: 0, failed: 0 });
  expect(await listDueEndpoints(database.sql, { limit: 10 })).toEqual([]);

  await letTimePass();
  expect(await deliver(endpointId)).toMatchObject({ delivered: 0, failed: 1 });
  expect((await endpointRow(endpointId)).pausedFor).toBeCloseTo(limits.events.pauseSeconds[1], 0);

  isDown = false;
  await letTimePass();
  expect(await deliver(endpointId)).toEqual({ delivered: 1, failed: 0, hasMore: true });
  expect(await deliver(endpointId)).toMatchObject({ delivered: 59, failed: 0 });
  expect(await endpointRow(endpointId)).toMatchObject({ pausedFor: null, isFailing: false });
});

test("a busy receiver is left alone for as long as it asks", async () => {
  let isBusy = true;
  const server = await receiver((_, response) => {
    if (!isBusy) return 200;
    response.writeHead(429, { "Retry-After": "1234" }).end();
    return undefined;
  });
  const { endpointId } = await putEndpoint(database.sql, { url: server.url() });
  for (const content of ["1", "2"]) await putAnswer(database.sql, { endpointId, sessionId: newId(), content });

  await deliver(endpointId);

  expect(Math.round((await endpointRow(endpointId)).pausedFor ?? 0)).toBe(1234);
  const [row] = await rowsOf(endpointId);
  expect(Math.round(row?.dueIn ?? 0)).toBe(1234);
  isBusy = false;
  await letTimePass();
  await deliver(endpointId);
  await deliver(endpointId);
  expect(await rowsOf(endpointId)).toMatchObject([{ status: "delivered" }, { status: "delivered" }]);
});

test("410 disables the endpoint at once, with the reason; what waits stays", async () => {
  const server = await receiver(() => 410);
  const { endpointId } = await putEndpoint(database.sql, { url: server.url() });
  const sessionId = newId();
  for (const content of ["1", "2"]) await putAnswer(database.sql, { endpointId, sessionId, content });

  await deliver(endpointId);

  expect(await endpointRow(endpointId)).toMatchObject({
    isEnabled: false,
    reason: "The receiver answered with status 410: it wants no more events",
    isLeased: false,
  });
  expect(server.requests).toHaveLength(1);
  expect(await rowsOf(endpointId)).toMatchObject([{ status: "pending" }, { status: "pending" }]);
  await letTimePass();
  expect(await deliver(endpointId)).toMatchObject({ delivered: 0, failed: 0 });
  expect(await listDueEndpoints(database.sql, { limit: 10 })).toEqual([]);
});

test("an endpoint that has failed for days is disabled with the last reason, one success before that begins anew", async () => {
  let status = 500;
  const server = await receiver(() => status);
  const { endpointId } = await putEndpoint(database.sql, { url: server.url() });
  const fail = async (): Promise<void> => {
    await putAnswer(database.sql, { endpointId, sessionId: newId(), content: "x" });
    await letTimePass();
    await deliver(endpointId);
  };
  const makeOld = (days: number) => database.sql`
    update event_endpoints
    set failing_since = failing_since - make_interval(days => ${days})`;

  await fail();
  await makeOld(limits.events.failureDays);
  status = 200;
  await fail();
  status = 500;
  await fail();
  expect(await endpointRow(endpointId)).toMatchObject({ isEnabled: true, isFailing: true });
  await makeOld(limits.events.failureDays - 1);
  await fail();
  expect(await endpointRow(endpointId)).toMatchObject({ isEnabled: true });
  await makeOld(1);
  await fail();

  expect(await endpointRow(endpointId)).toMatchObject({
    isEnabled: false,
    reason: "Nothing could be delivered for 5 days. The last attempt: The receiver answered with status 500",
  });
});

test("one endpoint that hangs delays no other", async () => {
  const hanging = await receiver(() => undefined);
  const quick = await receiver();
  const { endpointId: slow } = await putEndpoint(database.sql, { url: hanging.url() });
  const { endpointId: fast } = await putEndpoint(database.sql, { url: quick.url() });
  for (const endpointId of [slow, fast]) {
    await putAnswer(database.sql, { endpointId, sessionId: newId(), content: "x" });
  }

  const hangs = deliver(slow);
  expect(await deliver(fast)).toMatchObject({ delivered: 1 });
  await hanging.close();

  expect(await hangs).toMatchObject({ delivered: 0, failed: 1 });
});

test("a crash between the delivery and its mark sends the event again, under the same id", async () => {
  const server = await receiver();
  const { endpointId } = await putEndpoint(database.sql, { url: server.url() });
  const id = await putAnswer(database.sql, { endpointId, sessionId: newId(), content: "x" });
  const dying: EventTools = {
    ...tools,
    async safeFetch(request) {
      await tools.safeFetch(request);
      throw new Error("The process dies here");
    },
  };

  expect(await deliverEvents(dying, endpointId).catch((error: Error) => error.message)).toBe("The process dies here");
  expect(await deliver(endpointId)).toMatchObject({ delivered: 0 });
  await database.sql`update event_endpoints set leased_until = clock()`;
  expect(await deliver(endpointId)).toMatchObject({ delivered: 1 });

  expect(server.events().map((event) => event.id)).toEqual([id, id]);
});

test("of two jobs for one endpoint one delivers", async () => {
  const server = await receiver();
  const { endpointId } = await putEndpoint(database.sql, { url: server.url() });
  for (let index = 0; index < 20; index++) {
    await putAnswer(database.sql, { endpointId, sessionId: newId(), content: String(index) });
  }

  const reports = await Promise.all([deliver(endpointId), deliver(endpointId)]);

  expect(reports.map(({ delivered }) => delivered).toSorted()).toEqual([0, 20]);
  expect(server.requests).toHaveLength(20);
});

test("a job whose lease was taken over marks nothing more", async () => {
  const server = await receiver();
  const { endpointId } = await putEndpoint(database.sql, { url: server.url() });
  const sessionId = newId();
  for (const content of ["1", "2"]) await putAnswer(database.sql, { endpointId, sessionId, content });
  const late: EventTools = {
    ...tools,
    async safeFetch(request) {
      const answer = await tools.safeFetch(request);
      await database.sql`update event_endpoints set leased_until = clock()`;
      await takeEndpoint(database.sql, { endpointId, leaseId: newId(), seconds: 60 });
      return answer;
    },
  };

  await deliverEvents(late, endpointId);

  expect(contents(server)).toEqual(["1"]);
  expect(await rowsOf(endpointId)).toMatchObject([{ status: "pending", attempts: 0 }, { status: "pending" }]);
  expect(await endpointRow(endpointId)).toMatchObject({ isLeased: true });
});

test("an event that is erased while it is sent is not followed by a mark, and no more is sent of it", async () => {
  const server = await receiver();
  const { endpointId } = await putEndpoint(database.sql, { url: server.url() });
  await putAnswer(database.sql, { endpointId, sessionId: newId(), content: "x" });
  const erasing: EventTools = {
    ...tools,
    async safeFetch(request) {
      await database.sql`delete from event_deliveries`;
      return tools.safeFetch(request);
    },
  };

  await deliverEvents(erasing, endpointId);
  await deliver(endpointId);

  expect(server.requests).toHaveLength(1);
  expect(await rowsOf(endpointId)).toEqual([]);
});

test("both secrets sign while the old one is still good", async () => {
  const server = await receiver();
  const { endpointId } = await putEndpoint(database.sql, { url: server.url() });
  const next = `whsec_${Buffer.alloc(32, 9).toString("base64")}`;
  await database.sql`
    update event_endpoints
    set previous_secret = secret,
      previous_secret_until = clock() + interval '1 hour',
      secret = ${await testSecrets.seal(next, eventSecretPlace(endpointId))}`;
  await putAnswer(database.sql, { endpointId, sessionId: newId(), content: "during" });
  await deliver(endpointId);

  expect(server.events(next)).toEqual(server.events(testSecret));

  await database.sql`update event_endpoints set previous_secret_until = clock()`;
  await putAnswer(database.sql, { endpointId, sessionId: newId(), content: "afterwards" });
  await deliver(endpointId);
  expect(server.events(next)).toHaveLength(2);
  expect(() => server.events(testSecret)).toThrow("No matching signature");
});

test("with another ENCRYPTION_KEY nothing is sent, and nothing lost", async () => {
  const server = await receiver();
  const { endpointId } = await putEndpoint(database.sql, { url: server.url() });
  await putAnswer(database.sql, { endpointId, sessionId: newId(), content: "x" });

  await deliverEvents({ ...tools, secrets: createSecrets("another key, which is as long as it must be") }, endpointId);

  expect(server.requests).toHaveLength(0);
  expect(await rowsOf(endpointId)).toMatchObject([{ status: "pending", attempts: 0 }]);
  expect((await endpointRow(endpointId)).pausedFor).toBeGreaterThan(0);
  await letTimePass();
  expect(await deliver(endpointId)).toMatchObject({ delivered: 1 });
});

test("a job that is to stop begins nothing more", async () => {
  const stopping = new AbortController();
  const server = await receiver(() => {
    stopping.abort();
    return 200;
  });
  const { endpointId } = await putEndpoint(database.sql, { url: server.url() });
  const sessionId = newId();
  for (const content of ["1", "2"]) await putAnswer(database.sql, { endpointId, sessionId, content });

  expect(await deliverEvents(tools, endpointId, stopping.signal)).toMatchObject({ delivered: 1 });
  expect(await deliver(endpointId)).toMatchObject({ delivered: 1 });

  expect(contents(server)).toEqual(["1", "2"]);
});

test("endpoints of a deleted workspace are told nothing", async () => {
  const { endpointId, workspaceId } = await putEndpoint(database.sql, { url: "http://outside.example/" });
  await putAnswer(database.sql, { endpointId, sessionId: newId(), content: "x" });
  expect(await listDueEndpoints(database.sql, { limit: 10 })).toEqual([endpointId]);

  await database.sql`update workspaces set deleted_at = clock() where id = ${workspaceId}`;

  expect(await listDueEndpoints(database.sql, { limit: 10 })).toEqual([]);
});

test("the log is cleaned of what is old and of what belongs to endpoints that are gone, batch by batch", async () => {
  const { endpointId: kept } = await putEndpoint(database.sql, { url: "http://outside.example/" });
  const [gone, alsoGone] = [newId(), newId()];
  for (const endpointId of [gone, gone, gone, alsoGone, kept]) {
    await putAnswer(database.sql, { endpointId, sessionId: newId(), content: "new" });
  }
  const old = await putAnswer(database.sql, { endpointId: kept, sessionId: newId(), content: "old" });
  await database.sql`
    update event_deliveries
    set created_at = clock() - make_interval(days => ${limits.events.logDays})
    where id = ${old}`;

  const remove = () => removeOldDeliveries(database.sql, { days: limits.events.logDays, limit: 2 });

  expect([await remove(), await remove(), await remove(), await remove()]).toEqual([2, 2, 1, 0]);
  expect(await rowsOf(kept)).toMatchObject([{ content: "new" }]);
});
