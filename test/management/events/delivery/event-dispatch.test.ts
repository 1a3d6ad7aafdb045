import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import type { SafeFetch } from "../../../../src/effects/safe-fetch/safe-fetch.ts";
import { limits } from "../../../../src/limits/index.ts";
import { type EventDispatch, startEventDispatch } from "../../../../src/management/events/delivery/dispatch.ts";
import { laneCount } from "../../../../src/management/events/delivery/lanes.sql.ts";
import type { Clock } from "../../../../src/platform/concurrency/clock.ts";
import { createOutageWatch } from "../../../../src/platform/database/outages/outage-watch.ts";
import { newId } from "../../../../src/platform/ids.ts";
import { createLog } from "../../../../src/platform/observing/log.ts";
import { valueAt } from "../../../support/client.ts";
import { putAnswer, putEndpoint, type Receiver, startReceiver, testSecrets } from "../../../support/events.ts";
import { outsideFetch } from "../../../support/outside.ts";
import { createTestQueue, type TestQueue } from "../../../support/queue.ts";
import { createVirtualClock } from "../../../support/virtual-clock.ts";
import { waitFor } from "../../../support/wait.ts";

let tested: TestQueue;
const log = createLog("silent");
const ends: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  tested = await createTestQueue();
});
afterAll(() => tested.close());
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
  await tested.clear();
  await tested.sql`truncate event_deliveries, event_endpoints, event_lanes`;
});

async function receiver(...given: Parameters<typeof startReceiver>): Promise<Receiver> {
  const started = await startReceiver(...given);
  ends.push(started.close);
  return started;
}

function startNode(safeFetch: SafeFetch = outsideFetch(), clock?: Clock): EventDispatch {
  const parts = { sql: tested.sql, log, safeFetch, secrets: testSecrets, outage: createOutageWatch(tested.sql, log) };
  const dispatch = startEventDispatch({ ...parts, ...(clock && { clock }) });
  if (!clock) ends.push(dispatch.stop);
  return dispatch;
}

async function put(endpointId: string, count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    await putAnswer(tested.sql, { endpointId, sessionId: newId(), content: String(index) });
  }
}

const pending = async () => (await tested.sql`select from event_deliveries where status = 'pending'`).length;

test("due events of several endpoints are delivered without a queue job", async () => {
  const [one, other] = [await receiver(), await receiver()];
  const { endpointId: first } = await putEndpoint(tested.sql, { url: one.url() });
  const { endpointId: second } = await putEndpoint(tested.sql, { url: other.url() });
  await put(first, 400);
  await put(second, 1);

  startNode();
  await waitFor(async () => (await pending()) === 0, { what: "all to be delivered" });

  expect([one.requests.length, other.requests.length]).toEqual([400, 1]);
  expect(await tested.jobs("events")).toEqual([]);
});

test("several nodes deliver each event of a session once and in order", async () => {
  const server = await receiver();
  const { endpointId } = await putEndpoint(tested.sql, { url: server.url() });
  const sessionId = newId();
  const nodes = [startNode(), startNode(), startNode()];

  for (let index = 0; index < 50; index++) {
    await putAnswer(tested.sql, { endpointId, sessionId, content: String(index) });
    for (const { wake } of nodes) wake();
  }
  await waitFor(async () => (await pending()) === 0, { what: "all to be delivered" });

  const order = server.requests.map(({ body }) => Number(valueAt(JSON.parse(body), "data.answer.content")));
  expect(order).toEqual(Array.from({ length: 50 }, (_, index) => index));
});

test("unavailable and hanging endpoints delay no other endpoint", async () => {
  const dead = await receiver(() => 500);
  const hanging = await receiver(() => undefined);
  const quick = await receiver();
  for (const { url } of [dead, hanging]) {
    for (let index = 0; index < 5; index++) {
      const { endpointId } = await putEndpoint(tested.sql, { url: url() });
      await put(endpointId, 3);
    }
  }
  // The timeout is an hour, so that hanging calls do not end during the test.
  const call = outsideFetch();
  startNode((request) => call({ ...request, timeoutMs: 3_600_000 }));
  await waitFor(() => hanging.requests.length >= 5, { what: "the others to be stuck" });
  const { endpointId } = await putEndpoint(tested.sql, { url: quick.url() });
  await put(endpointId, 20);

  await waitFor(() => quick.requests.length === 20, { what: "the quick one to be served" });

  await hanging.close();
});

describe("lanes of an endpoint", () => {
  const lanes = async () => {
    const rows = await tested.sql<{ holder: string | null }[]>`select holder from event_lanes order by lane`;
    return rows.map(({ holder }) => holder);
  };
  /** Moves the leases `seconds` closer to their end. */
  const letPass = (seconds: number) =>
    tested.sql`update event_lanes set held_until = held_until - make_interval(secs => ${seconds})`;

  async function putDue(): Promise<{ endpointId: string; server: Receiver }> {
    const server = await receiver();
    const { endpointId } = await putEndpoint(tested.sql, { url: server.url() });
    await put(endpointId, 40);
    return { endpointId, server };
  }

  test("overdue events are delivered when two nodes request an endpoint's only lane", async () => {
    const answers: (() => void)[] = [];
    const server = await receiver((_, response) => {
      if (answers.length === 1) return 200;
      answers.push(() => response.writeHead(200).end());
      return undefined;
    });
    const { endpointId } = await putEndpoint(tested.sql, { url: server.url() });
    const sessionId = newId();
    for (let index = 0; index < 5; index++) {
      await putAnswer(tested.sql, { endpointId, sessionId, content: String(index) });
    }
    await tested.sql`update event_deliveries set next_attempt_at = clock() - interval '1 minute'`;
    const [one, other] = [createVirtualClock(), createVirtualClock()];
    startNode(outsideFetch(), one);
    await waitFor(async () => {
      await one.settle();
      return answers.length === 1;
    });
    await tested.sql`delete from event_lanes where lane <> event_lane(${sessionId})`;
    startNode(outsideFetch(), other);
    let turns = 0;
    const pass = async () => {
      for (const clock of [one, other]) await clock.advance(100);
      return ++turns;
    };
    // Both nodes have checked, and renewed their leases.
    await waitFor(async () => (await pass()) === 40);
    for (const answer of answers) answer();

    await waitFor(
      async () => {
        await pass();
        return (await pending()) === 0;
      },
      { what: "all to be delivered" },
    );
  });

  test("the event lanes of a hanging node are taken over", async () => {
    const answers: (() => void)[] = [];
    const server = await receiver((_, response) => {
      if (answers.length >= 8) return 200;
      answers.push(() => response.writeHead(200).end());
      return undefined;
    });
    const { endpointId } = await putEndpoint(tested.sql, { url: server.url() });
    await put(endpointId, 40);
    // The node's clock does not advance, so the node renews no lease, and does not notice that its lease has expired.
    const clock = createVirtualClock();
    const still = startNode(outsideFetch(), clock);
    await waitFor(async () => {
      await clock.settle();
      return answers.length === 8;
    });
    await letPass(limits.events.leaseSeconds);

    startNode();
    await waitFor(async () => (await pending()) === 0, { what: "all to be delivered by the other" });
    const attempts = async () => (await tested.sql`select from event_deliveries where attempts > 1`).length;
    for (const answer of answers) answer();
    const stopped = still.stop();
    await waitFor(async () => {
      await clock.advance(1_000);
      return (await Promise.race([stopped.then(() => true), Bun.sleep(1).then(() => false)])) || undefined;
    });

    expect(server.requests).toHaveLength(48);
    expect(await attempts()).toBe(0);
  });

  test("lanes of an endpoint are released after some time without due events", async () => {
    const { server } = await putDue();
    const clock = createVirtualClock();
    startNode(outsideFetch(), clock);
    await waitFor(async () => {
      await clock.settle();
      return (await pending()) === 0;
    });
    expect((await lanes()).filter((holder) => holder !== null)).toHaveLength(laneCount);

    await waitFor(async () => {
      await clock.advance(500);
      return (await lanes()).every((holder) => holder === null);
    });

    expect(server.requests).toHaveLength(40);
  });
});

test("a second node takes over a part of a backlog", async () => {
  const server = await receiver((_, response) => {
    setTimeout(() => response.writeHead(200).end(), 5);
    return undefined;
  });
  const { endpointId } = await putEndpoint(tested.sql, { url: server.url() });
  await tested.sql`update event_endpoints set max_concurrency = 4`;
  const sessions = Array.from({ length: 60 }, () => newId());
  for (let index = 0; index < 10; index++) {
    for (const sessionId of sessions) await putAnswer(tested.sql, { endpointId, sessionId, content: String(index) });
  }
  await tested.sql`update event_deliveries set next_attempt_at = clock() - interval '1 minute'`;
  const clocks = [createVirtualClock(), createVirtualClock()];
  for (const clock of clocks) startNode(outsideFetch(), clock);
  const holders = new Set<string>();

  await waitFor(async () => {
    for (const clock of clocks) await clock.advance(100);
    const rows = await tested.sql<
      { holder: string }[]
    >`select distinct holder from event_lanes where holder is not null`;
    if (rows.length === 2) for (const { holder } of rows) holders.add(holder);
    return (await pending()) === 0;
  });

  expect(holders.size).toBe(2);
  expect(server.requests).toHaveLength(600);
  const orders = Map.groupBy(server.events(), ({ data }) => data["sessionId"]);
  for (const events of orders.values()) {
    expect(events.map(({ data }) => valueAt(data, "answer.content"))).toEqual(
      Array.from({ length: 10 }, (_, index) => String(index)),
    );
  }
});
