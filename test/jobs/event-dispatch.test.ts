import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import type { SafeFetch } from "../../src/effects/safe-fetch.ts";
import { newId } from "../../src/ids.ts";
import { type EventDispatch, startEventDispatch } from "../../src/jobs/events/dispatch.ts";
import { createLog } from "../../src/log.ts";
import { createOutageWatch } from "../../src/store/database/outage-watch.ts";
import { valueAt } from "../support/client.ts";
import { putAnswer, putEndpoint, type Receiver, startReceiver, testSecrets } from "../support/events.ts";
import { outsideFetch } from "../support/outside.ts";
import { createTestQueue, type TestQueue } from "../support/queue.ts";
import { waitFor } from "../support/wait.ts";

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

/** One node's part for events. */
function startNode(safeFetch: SafeFetch = outsideFetch()): EventDispatch {
  const dispatch = startEventDispatch({
    sql: tested.sql,
    log,
    safeFetch,
    secrets: testSecrets,
    outage: createOutageWatch(tested.sql, log),
  });
  ends.push(dispatch.stop);
  return dispatch;
}

async function put(endpointId: string, count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    await putAnswer(tested.sql, { endpointId, sessionId: newId(), content: String(index) });
  }
}

const pending = async () => (await tested.sql`select from event_deliveries where status = 'pending'`).length;

test("what is due at several endpoints arrives, without a job", async () => {
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

test("several nodes deliver each event once, in the order of its session", async () => {
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

test("dead and hanging endpoints delay no other", async () => {
  const dead = await receiver(() => 500);
  const hanging = await receiver(() => undefined);
  const quick = await receiver();
  for (const { url } of [dead, hanging]) {
    for (let index = 0; index < 5; index++) {
      const { endpointId } = await putEndpoint(tested.sql, { url: url() });
      await put(endpointId, 3);
    }
  }
  // Whoever waited for a hanging one would wait for ever.
  const call = outsideFetch();
  startNode((request) => call({ ...request, timeoutMs: 3_600_000 }));
  await waitFor(() => hanging.requests.length >= 5, { what: "the others to be stuck" });
  const { endpointId } = await putEndpoint(tested.sql, { url: quick.url() });
  await put(endpointId, 20);

  await waitFor(() => quick.requests.length === 20, { what: "the quick one to be served" });

  await hanging.close();
});
