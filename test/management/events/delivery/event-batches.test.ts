import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { limits } from "../../../../src/limits/index.ts";
import { type EventDispatch, startEventDispatch } from "../../../../src/management/events/delivery/dispatch.ts";
import { createOutageWatch } from "../../../../src/platform/database/outages/outage-watch.ts";
import { newId } from "../../../../src/platform/ids.ts";
import { createLog } from "../../../../src/platform/observing/log.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/database.ts";
import {
  putAnswer,
  putEndpoint,
  type Receiver,
  receivedBatches,
  startReceiver,
  testSecrets,
} from "../../../support/events.ts";
import { outsideFetch } from "../../../support/outside.ts";
import { waitFor } from "../../../support/wait.ts";

let database: TestDatabase;
const log = createLog("silent");
const ends: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
  await database.sql`truncate event_deliveries, event_endpoints, event_lanes`;
});

function startNode(): EventDispatch {
  const { sql } = database;
  const parts = { sql, log, outage: createOutageWatch(sql, log), safeFetch: outsideFetch(), secrets: testSecrets };
  const dispatch = startEventDispatch(parts);
  ends.push(dispatch.stop);
  return dispatch;
}

async function put(...[answer]: Parameters<typeof startReceiver>): Promise<{ server: Receiver; endpointId: string }> {
  const server = await startReceiver(answer);
  ends.push(server.close);
  const { endpointId } = await putEndpoint(database.sql, { url: server.url() });
  await database.sql`update event_endpoints set batch_size = 10`;
  return { server, endpointId };
}

const contentsOf = (batches: ReturnType<typeof receivedBatches>) =>
  batches.map(({ events }) => events.map(({ data }) => Object(data["answer"]).content));
const settled = () =>
  waitFor(
    async () =>
      (await database.sql`select from event_deliveries where next_attempt_at <= clock() and status = 'pending'`)
        .length === 0,
  );

test("a signed call can contain events of several sessions", async () => {
  const { server, endpointId } = await put();
  const sessions = Array.from({ length: 25 }, () => newId());
  const ids: string[] = [];
  for (const content of ["1", "2", "3"]) {
    for (const sessionId of sessions) ids.push(await putAnswer(database.sql, { endpointId, sessionId, content }));
  }

  startNode();
  await settled();

  const batches = receivedBatches(server);
  expect(batches.length).toBeLessThan(25);
  const events = batches.flatMap((batch) => batch.events);
  expect(events.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
  expect(Math.max(...batches.map((batch) => batch.events.length))).toBe(10);
  expect(new Set(batches.map(({ id }) => id)).size).toBe(batches.length);
  for (const sessionId of sessions) {
    const own = events.filter(({ data }) => data["sessionId"] === sessionId);
    expect(own.map(({ data }) => Object(data["answer"]).content)).toEqual(["1", "2", "3"]);
  }
});

test("the events of a refused call are retried separately", async () => {
  const { server, endpointId } = await put(({ body }) => (body.includes('"bad"') ? 400 : 200));
  for (const content of ["a", "bad", "b"]) await putAnswer(database.sql, { endpointId, sessionId: newId(), content });

  const node = startNode();
  await waitFor(() => server.requests.length >= 1);
  await settled();
  await database.sql`update event_deliveries set next_attempt_at = clock() where status = 'pending'`;
  node.wake();
  await settled();

  const [first, ...rest] = contentsOf(receivedBatches(server));
  expect(first?.toSorted()).toEqual(["a", "b", "bad"]);
  expect(rest.toSorted()).toEqual([["a"], ["b"], ["bad"]]);
});

test("a call contains no further event once its maximum size is reached", async () => {
  const { server, endpointId } = await put();
  const content = "x".repeat(limits.events.batchBytes / 2);
  for (let index = 0; index < 5; index++) await putAnswer(database.sql, { endpointId, sessionId: newId(), content });

  startNode();
  await settled();

  expect(
    receivedBatches(server)
      .map(({ events }) => events.length)
      .toSorted(),
  ).toEqual([1, 2, 2]);
});
