import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { createSafeFetch, type SafeFetch } from "../../../../src/effects/safe-fetch/safe-fetch.ts";
import { limits } from "../../../../src/limits/index.ts";
import { readPauses } from "../../../../src/limits/retry-settings.ts";
import { startEventDispatch } from "../../../../src/management/events/delivery/dispatch.ts";
import { isDue, mayDeliver } from "../../../../src/management/events/delivery/due.sql.ts";
import { maxUnreachable } from "../../../../src/management/events/delivery/endpoint-health.ts";
import { listDueEndpoints, takeLanes } from "../../../../src/management/events/delivery/lanes.sql.ts";
import { removeOldDeliveries } from "../../../../src/management/events/delivery/queue.sql.ts";
import { createOutageWatch } from "../../../../src/platform/database/outages/outage-watch.ts";
import { newId } from "../../../../src/platform/ids.ts";
import { createLog } from "../../../../src/platform/observing/log.ts";
import { createSecrets, eventSecretPlace } from "../../../../src/platform/secrets.ts";
import { valueAt } from "../../../support/client.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/database.ts";
import {
  putAnswer,
  putEndpoint,
  type Receiver,
  startReceiver,
  testSecret,
  testSecrets,
} from "../../../support/events.ts";
import { type FailingCall, startFailingCalls } from "../../../support/failing-calls.ts";
import type { OutsideRequest } from "../../../support/outside.ts";
import { outsideFetch } from "../../../support/outside.ts";
import { waitFor } from "../../../support/wait.ts";

let database: TestDatabase;
let tools: EventTools;

type EventTools = Pick<
  Parameters<typeof startEventDispatch>[0],
  "sql" | "safeFetch" | "secrets" | "log" | "retrySeconds"
>;
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
const dueEndpoints = async () =>
  (await listDueEndpoints(database.sql, { holder: newId(), limit: 10 })).map(({ id }) => id);

/** Delivers all due events, like a node that is started and stopped. */
async function deliver(given: EventTools = tools): Promise<void> {
  const dispatch = startEventDispatch({ ...given, outage: createOutageWatch(given.sql, given.log) });
  // Also finds events in lanes that the dispatch holds, because a stopped dispatch would not send them.
  const { sql } = database;
  const due = () => sql`
    select
    from event_deliveries d
    join event_endpoints e on e.id = d.endpoint_id
    where ${isDue(sql)}
      and ${mayDeliver(sql)}
    limit 1`;
  await waitFor(async () => (await due()).length === 0, { what: "nothing to be due" });
  await dispatch.stop();
}

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
      exists (select from event_lanes where endpoint_id = event_endpoints.id and holder is not null) as is_leased
    from event_endpoints
    where id = ${endpointId}`;
  if (!row) throw new Error("The endpoint is gone");
  return row;
}

async function letTimePass(): Promise<void> {
  await database.sql`update event_deliveries set next_attempt_at = clock() where status = 'pending'`;
  await database.sql`update event_endpoints set paused_until = null`;
  await database.sql`update event_lanes set held_until = clock()`;
}

test("a failure within a call is recorded as an attempt with an error", async () => {
  const failing = await startFailingCalls();
  const callOf = new Map<string, FailingCall>();
  for (const call of failing.calls) {
    const { endpointId } = await putEndpoint(database.sql, { url: call.request.url });
    callOf.set(endpointId, call);
    await putAnswer(database.sql, { endpointId, sessionId: newId(), content: call.what });
  }
  const safeFetch: SafeFetch = (request) => {
    const call = callOf.get(request.keepAliveKey ?? "");
    if (!call) throw new Error("Of no endpoint");
    const { url: _, ...wrong } = call.request;
    return createSafeFetch(call.options)({ ...request, ...wrong });
  };
  const reported: unknown[] = [];
  const outage = { failed: (error: unknown) => void reported.push(error), refused() {}, check: async () => {} };
  const log = { ...tools.log, error: (message: string) => void reported.push(message) };
  const dispatch = startEventDispatch({ ...tools, log, safeFetch, outage });

  const tried = () => database.sql<{ content: string; isReported: boolean }[]>`
    select content ->> 'content' as content, (status = 'delivered' or last_error is not null) as is_reported
    from event_deliveries
    where attempts > 0`;
  await waitFor(async () => (await tried()).length === failing.calls.length, {
    what: () => `an attempt of each; reported: ${reported.map(String).join("; ")}`,
  });
  await dispatch.stop();

  expect((await tried()).filter(({ isReported }) => !isReported)).toEqual([]);
  expect(reported).toEqual([]);
  await failing.close();
});

test("an event arrives signed, with its type, time and data", async () => {
  const server = await receiver();
  const { endpointId, workspaceId } = await putEndpoint(database.sql, { url: server.url() });
  const sessionId = newId();
  const id = await putAnswer(database.sql, { endpointId, sessionId, content: "Ada" });

  await deliver();

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

test("each session's events arrive in order", async () => {
  const server = await receiver();
  const { endpointId } = await putEndpoint(database.sql, { url: server.url() });
  const sessions = Array.from({ length: 7 }, () => newId());
  for (let index = 0; index < 250; index++) {
    const place = index % sessions.length;
    const sessionId = sessions[place] ?? "";
    await putAnswer(database.sql, { endpointId, sessionId, content: `${place} ${index}` });
  }

  await deliver();

  expect(server.requests).toHaveLength(250);
  // The calls used few connections, which are kept open for some time.
  const kept = await server.openConnections();
  expect(kept).toBeGreaterThan(0);
  expect(kept).toBeLessThanOrEqual(sessions.length);
  for (const place of sessions.keys()) {
    const own = contents(server).filter((content) => content.startsWith(`${place} `));
    const numbers = own.map((content) => Number(content.split(" ")[1]));
    expect(numbers).toEqual(numbers.toSorted((one, other) => one - other));
  }
});

test("sessions are delivered in parallel up to the endpoint's limit", async () => {
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
  await database.sql`update event_endpoints set max_concurrency = 4`;
  const sessions = Array.from({ length: 15 }, () => newId());
  for (const content of ["1", "2"]) {
    for (const sessionId of sessions) await putAnswer(database.sql, { endpointId, sessionId, content });
  }

  await deliver();

  expect(overlaps).toEqual([]);
  expect(most).toBeGreaterThan(1);
  expect(most).toBeLessThanOrEqual(4);
});

test("a failed event delays the later events of its session, and no other session", async () => {
  let isFailing = true;
  const server = await receiver((request) => (isFailing && contentOf(request) === "bad" ? 400 : 200));
  const { endpointId } = await putEndpoint(database.sql, { url: server.url() });
  const [one, other] = [newId(), newId()];
  for (const content of ["first", "bad", "after"]) {
    await putAnswer(database.sql, { endpointId, sessionId: one, content });
  }
  await putAnswer(database.sql, { endpointId, sessionId: other, content: "elsewhere" });

  await deliver();
  expect(contents(server).toSorted()).toEqual(["bad", "elsewhere", "first"]);
  await deliver();
  expect(server.requests).toHaveLength(3);
  isFailing = false;
  await letTimePass();
  await deliver();

  expect(contents(server).slice(3)).toEqual(["bad", "after"]);
  const [first, second] = server.events().filter((event) => JSON.stringify(event).includes('"bad"'));
  expect(second).toEqual(first);
});

test("an event is retried after each default pause and then fails permanently", async () => {
  const server = await receiver((request) => (contentOf(request) === "bad" ? 400 : 200));
  const { endpointId } = await putEndpoint(database.sql, { url: server.url() });
  const sessionId = newId();
  for (const content of ["bad", "after"]) await putAnswer(database.sql, { endpointId, sessionId, content });

  const pauses: number[] = [];
  for (let attempt = 0; attempt < limits.events.retrySeconds.length; attempt++) {
    await deliver();
    const [row] = await rowsOf(endpointId);
    pauses.push(Math.round(row?.dueIn ?? 0));
    await letTimePass();
  }
  expect(pauses).toEqual([...limits.events.retrySeconds]);
  // A receiver's restart takes longer than 5 seconds, but no event should wait 5 minutes for it.
  expect(pauses.slice(0, 3)).toEqual([5, 30, 300]);
  expect(contents(server)).not.toContain("after");
  await deliver();

  expect(await rowsOf(endpointId)).toMatchObject([
    { status: "failed", attempts: 11, code: 400, error: "The receiver responded with status 400" },
    { status: "delivered", attempts: 1, code: 200 },
  ]);
  const hours = limits.events.retrySeconds.reduce((sum, seconds) => sum + seconds, 0) / 3_600;
  expect(hours).toBeGreaterThan(72);
  expect(hours).toBeLessThan(84);
});

test("the operator can configure the retry pauses", async () => {
  const server = await receiver(() => 400);
  const { endpointId } = await putEndpoint(database.sql, { url: server.url() });
  await putAnswer(database.sql, { endpointId, sessionId: newId(), content: "refused" });

  const pauses: number[] = [];
  for (let attempt = 0; attempt < 2; attempt++) {
    await deliver({ ...tools, retrySeconds: readPauses("7, 90") });
    const [row] = await rowsOf(endpointId);
    pauses.push(Math.round(row?.dueIn ?? 0));
    await letTimePass();
  }
  expect(pauses).toEqual([7, 90]);
  await deliver({ ...tools, retrySeconds: readPauses("7, 90") });

  expect(await rowsOf(endpointId)).toMatchObject([{ status: "failed", attempts: 3 }]);
});

test("an event whose time limit has passed fails permanently at its next failure", async () => {
  const server = await receiver(() => 400);
  const { endpointId } = await putEndpoint(database.sql, { url: server.url() });
  await putAnswer(database.sql, { endpointId, sessionId: newId(), content: "late" });
  await database.sql`update event_deliveries set give_up_at = clock()`;

  await deliver();

  expect(await rowsOf(endpointId)).toMatchObject([{ status: "failed", attempts: 1 }]);
});

test("several calls to an unreachable receiver pause the endpoint", async () => {
  let isDown = true;
  const server = await receiver(() => (isDown ? 503 : 200));
  const { endpointId } = await putEndpoint(database.sql, { url: server.url() });
  await database.sql`update event_endpoints set max_concurrency = 4`;
  for (let index = 0; index < 60; index++) {
    await putAnswer(database.sql, { endpointId, sessionId: newId(), content: String(index) });
  }

  await deliver();
  const first = server.requests.length;
  expect(first).toBeLessThan(maxUnreachable + 4);
  expect((await endpointRow(endpointId)).pausedFor).toBeCloseTo(limits.events.pauseSeconds[0], 0);
  await deliver();
  expect(server.requests).toHaveLength(first);

  await letTimePass();
  await deliver();
  expect(server.requests).toHaveLength(first + 1);
  expect((await endpointRow(endpointId)).pausedFor).toBeCloseTo(limits.events.pauseSeconds[1], 0);

  isDown = false;
  await letTimePass();
  await deliver();
  expect(server.requests).toHaveLength(first + 1 + 60);
  expect(await endpointRow(endpointId)).toMatchObject({ pausedFor: null, isFailing: false });
});

test("a busy receiver gets no event for the requested time", async () => {
  let isBusy = true;
  const server = await receiver((_, response) => {
    if (!isBusy) return 200;
    response.writeHead(429, { "Retry-After": "1234" }).end();
    return undefined;
  });
  const { endpointId } = await putEndpoint(database.sql, { url: server.url() });
  for (const content of ["1", "2"]) await putAnswer(database.sql, { endpointId, sessionId: newId(), content });

  await deliver();

  expect(Math.round((await endpointRow(endpointId)).pausedFor ?? 0)).toBe(1234);
  const [row] = await rowsOf(endpointId);
  expect(Math.round(row?.dueIn ?? 0)).toBe(1234);
  isBusy = false;
  await letTimePass();
  await deliver();
  expect(await rowsOf(endpointId)).toMatchObject([{ status: "delivered" }, { status: "delivered" }]);
});

test("status 410 disables the endpoint immediately", async () => {
  const server = await receiver(() => 410);
  const { endpointId } = await putEndpoint(database.sql, { url: server.url() });
  const sessionId = newId();
  for (const content of ["1", "2"]) await putAnswer(database.sql, { endpointId, sessionId, content });

  await deliver();

  expect(await endpointRow(endpointId)).toMatchObject({
    isEnabled: false,
    reason: "The receiver responded with status 410: it does not accept further events",
    isLeased: false,
  });
  expect(server.requests).toHaveLength(1);
  expect(await rowsOf(endpointId)).toMatchObject([{ status: "pending" }, { status: "pending" }]);
  await letTimePass();
  expect(await dueEndpoints()).toEqual([]);
});

test("an endpoint that has failed for days is disabled", async () => {
  let status = 500;
  const server = await receiver(() => status);
  const { endpointId } = await putEndpoint(database.sql, { url: server.url() });
  const fail = async (): Promise<void> => {
    await putAnswer(database.sql, { endpointId, sessionId: newId(), content: "x" });
    await letTimePass();
    await deliver();
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
    reason: "Nothing could be delivered for 5 days. The last attempt: The receiver responded with status 500",
  });
});

test("an event is sent again under the same id after a crash", async () => {
  const server = await receiver();
  const { endpointId } = await putEndpoint(database.sql, { url: server.url() });
  const id = await putAnswer(database.sql, { endpointId, sessionId: newId(), content: "x" });
  let isDying = true;
  const dying: EventTools = {
    ...tools,
    async safeFetch(request) {
      const answer = await tools.safeFetch(request);
      if (!isDying) return answer;
      isDying = false;
      throw new Error("The process dies here");
    },
  };

  await deliver(dying);

  expect(server.events().map((event) => event.id)).toEqual([id, id]);
});

test("a response is not saved if another process has acquired the lane", async () => {
  const server = await receiver();
  const { endpointId } = await putEndpoint(database.sql, { url: server.url() });
  const sessionId = newId();
  for (const content of ["1", "2"]) await putAnswer(database.sql, { endpointId, sessionId, content });
  const other = newId();
  const late: EventTools = {
    ...tools,
    async safeFetch(request) {
      const answer = await tools.safeFetch(request);
      // Both statements run in one transaction, because a renewal between them would keep the lane.
      await database.sql.begin(async (sql) => {
        await sql`update event_lanes set held_until = clock()`;
        await takeLanes(sql, { holder: other, endpointIds: [endpointId] });
      });
      return answer;
    },
  };
  const dispatch = startEventDispatch({ ...late, outage: createOutageWatch(late.sql, late.log) });
  await waitFor(() => server.requests.length > 0);
  await dispatch.stop();

  expect(contents(server)).toEqual(["1"]);
  expect(await rowsOf(endpointId)).toMatchObject([{ status: "pending", attempts: 0 }, { status: "pending" }]);
  expect(await endpointRow(endpointId)).toMatchObject({ isLeased: true });
});

test("an event that is erased while it is sent is not sent again", async () => {
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

  await deliver(erasing);
  await deliver();

  expect(server.requests).toHaveLength(1);
  expect(await rowsOf(endpointId)).toEqual([]);
});

test("calls are signed with both secrets while the old secret is still valid", async () => {
  const server = await receiver();
  const { endpointId } = await putEndpoint(database.sql, { url: server.url() });
  const next = `whsec_${Buffer.alloc(32, 9).toString("base64")}`;
  await database.sql`
    update event_endpoints
    set previous_secret = secret,
      previous_secret_until = clock() + interval '1 hour',
      secret = ${await testSecrets.seal(next, eventSecretPlace(endpointId))}`;
  await putAnswer(database.sql, { endpointId, sessionId: newId(), content: "during" });
  await deliver();

  expect(server.events(next)).toEqual(server.events(testSecret));

  await database.sql`update event_endpoints set previous_secret_until = clock()`;
  await putAnswer(database.sql, { endpointId, sessionId: newId(), content: "afterwards" });
  await deliver();
  expect(server.events(next)).toHaveLength(2);
  expect(() => server.events(testSecret)).toThrow("No matching signature");
});

test("a node with another ENCRYPTION_KEY neither sends nor loses events", async () => {
  const server = await receiver();
  const { endpointId } = await putEndpoint(database.sql, { url: server.url() });
  await putAnswer(database.sql, { endpointId, sessionId: newId(), content: "x" });

  await deliver({ ...tools, secrets: createSecrets({ current: "another key, which is as long as it must be" }) });

  expect(server.requests).toHaveLength(0);
  expect(await rowsOf(endpointId)).toMatchObject([{ status: "pending", attempts: 0 }]);
  expect((await endpointRow(endpointId)).pausedFor).toBeGreaterThan(0);
  await letTimePass();
  await deliver();
  expect(server.requests).toHaveLength(1);
});

test("a stopping node starts no more calls", async () => {
  const held = Promise.withResolvers<void>();
  const server = await receiver((request, response) => {
    if (contentOf(request) !== "1") return 200;
    void held.promise.then(() => response.writeHead(200).end());
    return undefined;
  });
  const { endpointId } = await putEndpoint(database.sql, { url: server.url() });
  const sessionId = newId();
  for (const content of ["1", "2"]) await putAnswer(database.sql, { endpointId, sessionId, content });
  const dispatch = startEventDispatch({ ...tools, outage: createOutageWatch(tools.sql, tools.log) });
  await waitFor(() => server.requests.length === 1);

  const stopped = dispatch.stop();
  const heldLanes = async () => (await database.sql`select from event_lanes where holder is not null`).length;
  await waitFor(async () => (await heldLanes()) === 1, { what: "the lanes without calls to be given up" });
  held.resolve();
  await stopped;

  expect(contents(server)).toEqual(["1"]);
  expect(await rowsOf(endpointId)).toMatchObject([{ status: "delivered" }, { status: "pending", attempts: 0 }]);
  expect(await heldLanes()).toBe(0);
  await deliver();
  expect(contents(server)).toEqual(["1", "2"]);
});

test("a stopping node disables an endpoint after status 410", async () => {
  const server = await receiver(() => 410);
  const { endpointId } = await putEndpoint(database.sql, { url: server.url() });
  await putAnswer(database.sql, { endpointId, sessionId: newId(), content: "x" });
  const held = Promise.withResolvers<void>();
  const isNote = ([text]: readonly string[]) => text?.includes("set failing_since") ?? false;
  // Delay the statement that notes the delivery, so that it runs after all other effects of the saved outcome.
  const sql = new Proxy(database.sql, {
    apply(target, self, given: [readonly string[]]) {
      const run = () => Reflect.apply(target, self, given);
      return Array.isArray(given[0]) && isNote(given[0]) ? held.promise.then(run) : run();
    },
  });
  const dispatch = startEventDispatch({ ...tools, sql, outage: createOutageWatch(sql, tools.log) });
  await waitFor(async () => (await rowsOf(endpointId))[0]?.attempts === 1);

  const stopped = dispatch.stop();
  const heldLanes = async () => (await database.sql`select from event_lanes where holder is not null`).length;
  await waitFor(async () => (await heldLanes()) <= 1, { what: "the lanes without calls to be given up" });
  held.resolve();
  await stopped;

  expect(await endpointRow(endpointId)).toMatchObject({ isEnabled: false, isLeased: false });
});

test("an endpoint of a deleted workspace is not listed as due", async () => {
  const { endpointId, workspaceId } = await putEndpoint(database.sql, { url: "http://outside.example/" });
  await putAnswer(database.sql, { endpointId, sessionId: newId(), content: "x" });
  expect(await dueEndpoints()).toEqual([endpointId]);

  await database.sql`update workspaces set deleted_at = clock() where id = ${workspaceId}`;

  expect(await dueEndpoints()).toEqual([]);
});

test("old events are deleted from the log in batches", async () => {
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
