import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import type { Letter } from "../../../../src/effects/mail/email.ts";
import { limits } from "../../../../src/limits/index.ts";
import { startBacklogWatch } from "../../../../src/management/events/delivery/backlog-watch.ts";
import { startEventDispatch } from "../../../../src/management/events/delivery/dispatch.ts";
import { createEventMetrics, type EventMetrics } from "../../../../src/management/events/delivery/metrics.ts";
import { createOutageWatch } from "../../../../src/platform/database/outages/outage-watch.ts";
import { newId } from "../../../../src/platform/ids.ts";
import { createLog } from "../../../../src/platform/observing/log.ts";
import { createTestApi, type TestApi, type TestUser } from "../../../support/api.ts";
import { putAnswer, putEndpoint, startReceiver, testSecrets } from "../../../support/events.ts";
import { outsideFetch } from "../../../support/outside.ts";
import { createVirtualClock } from "../../../support/virtual-clock.ts";
import { waitFor } from "../../../support/wait.ts";

let api: TestApi;
let admin: TestUser;
let workspaceId: string;
let mails: Letter[] = [];
const log = createLog("silent");
const ends: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  api = await createTestApi();
  admin = await api.makeUser();
  const member = await api.makeUser();
  workspaceId = await api.makeWorkspace(admin, { [member.userId]: "MEMBER" });
});
afterAll(() => api.close());
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
  mails = [];
  await api.deps.sql`truncate event_deliveries, event_endpoints, event_lanes`;
});

/** Starts the watch of a node. `look` starts one more check. */
function startWatch({ delivery = "sent" }: { delivery?: "sent" | "failed" } = {}) {
  const clock = createVirtualClock();
  const metrics = createEventMetrics();
  const looks = { begun: 0, count: 0 };
  let failure: unknown;
  const sql = new Proxy(api.deps.sql, {
    apply(target, self, given) {
      // Counts the query of a check, but not the fragments of the query.
      if (String(given[0]).includes("oldest_seconds")) looks.begun++;
      return Reflect.apply(target, self, given);
    },
  });
  const watch = startBacklogWatch({
    sql,
    log,
    clock,
    mailer: {
      async send(mail) {
        mails.push(mail);
        return delivery === "sent" ? { kind: "sent" } : { kind: "failed", reason: "no server", isRetryable: false };
      },
    },
    metrics: {
      ...metrics,
      setBacklog(backlog) {
        metrics.setBacklog(backlog);
        looks.count++;
      },
    },
    outage: {
      failed(error) {
        failure = error;
      },
    },
  });
  ends.push(watch.stop);
  return {
    metrics,
    looks,
    clock,
    async look() {
      const before = looks.count;
      watch.wake();
      await waitFor(async () => {
        await clock.advance(1_000);
        if (failure) throw failure;
        return looks.count > before;
      });
    },
  };
}

async function makeOld(seconds: number): Promise<void> {
  await api.deps.sql`
    update event_deliveries
    set created_at = clock() - make_interval(secs => ${seconds}),
      give_up_at = clock() + interval '3 days' - make_interval(secs => ${seconds})`;
}

async function endpointAt(endpointId: string) {
  const answer = await api.client.get(`/api/v1/workspaces/${workspaceId}/event-endpoints/${endpointId}`, admin);
  return {
    isFallingBehind: answer.at("eventEndpoint.fallingBehindSince") !== null,
    pending: answer.at("eventEndpoint.pendingCount"),
    oldest: answer.at("eventEndpoint.oldestPendingAt"),
  };
}

async function figure(metrics: EventMetrics, name: string): Promise<number | undefined> {
  const text = await metrics.registry.metrics();
  const line = text.split("\n").find((candidate) => candidate.startsWith(`${name} `));
  return line === undefined ? undefined : Number(line.split(" ").at(-1));
}

test("ADMINs get one mail when an endpoint falls behind", async () => {
  const { endpointId } = await putEndpoint(api.deps.sql, { url: "https://receiver.example/", workspaceId });
  for (const content of ["1", "2"]) await putAnswer(api.deps.sql, { endpointId, sessionId: newId(), content });
  const nodes = [startWatch(), startWatch()];
  const look = async () => {
    for (const node of nodes) await node.look();
  };

  await makeOld(limits.events.fallingBehindSeconds - 60);
  await look();
  expect([mails.length, await endpointAt(endpointId)]).toEqual([
    0,
    { isFallingBehind: false, pending: 2, oldest: expect.any(String) },
  ]);

  await makeOld(limits.events.fallingBehindSeconds + 1);
  await look();
  await look();
  expect(mails.map(({ to, subject }) => [to, subject])).toEqual([
    [[admin.email], "An event endpoint is falling behind: receiver.example"],
  ]);
  expect(Object(mails[0]?.body).text).toContain(
    "Events that wait for this endpoint: 2. The oldest event has waited for 10 minutes.",
  );
  expect(await endpointAt(endpointId)).toMatchObject({ isFallingBehind: true });

  await makeOld(3 * 86_400 - limits.events.givingUpHours * 3_600 + 60);
  await look();
  await look();
  expect(mails.map(({ subject }) => subject).slice(1)).toEqual([
    "Events of an endpoint will soon be dropped: receiver.example",
  ]);

  await api.deps.sql`update event_deliveries set status = 'delivered'`;
  await look();
  expect(await endpointAt(endpointId)).toEqual({ isFallingBehind: false, pending: 0, oldest: null });
  await putAnswer(api.deps.sql, { endpointId, sessionId: newId(), content: "3" });
  await makeOld(limits.events.fallingBehindSeconds + 1);
  await look();
  expect(mails).toHaveLength(3);
});

test("a disabled endpoint does not fall behind", async () => {
  const { endpointId } = await putEndpoint(api.deps.sql, { url: "https://receiver.example/", workspaceId });
  await putAnswer(api.deps.sql, { endpointId, sessionId: newId(), content: "1" });
  await makeOld(3_600);
  await api.deps.sql`update event_endpoints set is_enabled = false`;
  const node = startWatch({ delivery: "failed" });

  await node.look();
  expect(await endpointAt(endpointId)).toMatchObject({ isFallingBehind: false, pending: 1 });
  await api.deps.sql`update event_endpoints set is_enabled = true`;
  await node.look();

  expect(await endpointAt(endpointId)).toMatchObject({ isFallingBehind: true, pending: 1 });
});

test("metrics contain the backlog of events", async () => {
  const server = await startReceiver(({ body }) => (body.includes('"bad"') ? 400 : 200));
  ends.push(server.close);
  const { endpointId } = await putEndpoint(api.deps.sql, { url: server.url(), workspaceId });
  for (const content of ["a", "bad", "b"]) await putAnswer(api.deps.sql, { endpointId, sessionId: newId(), content });
  await makeOld(100);
  const node = startWatch();

  await node.look();
  expect(await figure(node.metrics, "parley_events_pending")).toBe(3);
  expect(await figure(node.metrics, "parley_events_oldest_pending_seconds")).toBeGreaterThanOrEqual(100);
  expect(await figure(node.metrics, "parley_events_endpoints_falling_behind")).toBe(0);
  const { metrics } = node;
  const { sql } = api.deps;
  const outage = createOutageWatch(sql, log);
  const dispatch = startEventDispatch({ sql, log, outage, metrics, safeFetch: outsideFetch(), secrets: testSecrets });
  ends.push(dispatch.stop);
  await waitFor(async () => (await sql`select from event_deliveries where attempts = 1`).length === 3);
  await dispatch.stop();
  await node.look();

  expect(await figure(metrics, 'parley_events_attempts_total{outcome="delivered"}')).toBe(2);
  expect(await figure(metrics, 'parley_events_attempts_total{outcome="retried"}')).toBe(1);
  expect(await figure(metrics, "parley_events_pending")).toBe(1);
});

test("a node stops checking the backlog when no event is pending", async () => {
  const { looks, clock, look } = startWatch();
  /** Advances half a minute, in which a check would finish. */
  const pass = async () => {
    await clock.advance(30_000);
    await waitFor(async () => {
      await clock.settle();
      return looks.count === looks.begun;
    });
  };
  await look();
  for (let round = 0; round < 3; round++) await pass();
  const before = looks.count;

  for (let round = 0; round < 5; round++) await pass();

  expect([looks.count, looks.begun, clock.timers()]).toEqual([before, before, 0]);
});
