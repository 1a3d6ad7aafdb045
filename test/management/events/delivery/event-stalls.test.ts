import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { type EventDispatch, startEventDispatch } from "../../../../src/management/events/delivery/dispatch.ts";
import type { Clock } from "../../../../src/platform/concurrency/clock.ts";
import { createOutageWatch } from "../../../../src/platform/database/outages/outage-watch.ts";
import { connect, type Sql } from "../../../../src/platform/database/sql.ts";
import { newId } from "../../../../src/platform/ids.ts";
import { createLog } from "../../../../src/platform/observing/log.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/database.ts";
import { type DatabaseProxy, openDatabaseProxy } from "../../../support/database-proxy.ts";
import { putAnswer, putEndpoint, type Receiver, startReceiver, testSecrets } from "../../../support/events.ts";
import { outsideFetch } from "../../../support/outside.ts";
import { createVirtualClock } from "../../../support/virtual-clock.ts";
import { waitFor } from "../../../support/wait.ts";

let database: TestDatabase;
let proxy: DatabaseProxy;
/** A connection through the proxy. */
let sql: Sql;
const log = createLog("silent");
const ends: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  proxy = await openDatabaseProxy(database.url);
});
afterAll(async () => {
  await proxy.close();
  await database.close();
});
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
  proxy.thaw();
  await database.sql`truncate event_deliveries, event_endpoints, event_lanes`;
});

async function receiver(...given: Parameters<typeof startReceiver>): Promise<Receiver> {
  const server = await startReceiver(...given);
  ends.push(server.close);
  return server;
}

/**
 * Starts the part of a node that delivers events, through the proxy. A node with a given clock is not stopped at the
 * end of the test.
 */
function startNode(
  options: { clock?: Clock; answerMs?: number; failed?: (error: unknown) => void } = {},
): EventDispatch {
  const { failed, ...given } = options;
  sql = connect(proxy.url, { connections: 12 });
  ends.push(() => sql.end({ timeout: 0 }));
  const outage = createOutageWatch(database.sql, log);
  const dispatch = startEventDispatch({
    ...{ sql, log, safeFetch: outsideFetch(), secrets: testSecrets },
    outage: { ...outage, ...(failed && { failed }) },
    ...given,
  });
  if (!options.clock) ends.push(dispatch.stop);
  return dispatch;
}

async function put(
  server: Receiver,
  { sessions, contents, maxConcurrency }: { sessions: number; contents: readonly string[]; maxConcurrency: number },
): Promise<string> {
  const { endpointId } = await putEndpoint(database.sql, { url: server.url() });
  await database.sql`update event_endpoints set max_concurrency = ${maxConcurrency}`;
  for (let session = 0; session < sessions; session++) {
    const sessionId = newId();
    for (const content of contents) await putAnswer(database.sql, { endpointId, sessionId, content });
  }
  return endpointId;
}

const count = async (status: "pending" | "delivered") =>
  (await database.sql`select from event_deliveries where status = ${status}`).length;
const allDelivered = async () => (await count("pending")) === 0;
const areLanesFree = async () => (await database.sql`select from event_lanes where holder is not null`).length === 0;

async function endPauses(): Promise<void> {
  await database.sql`update event_deliveries set next_attempt_at = clock() where status = 'pending'`;
  await database.sql`update event_endpoints set paused_until = null`;
}

test("deliveries continue after a failed read of due events", async () => {
  const atOnce = 8;
  const answers: (() => void)[] = [];
  let isHolding = true;
  const server = await receiver((_, response) => {
    if (!isHolding) return 200;
    answers.push(() => response.writeHead(200).end());
    return undefined;
  });
  await put(server, { sessions: atOnce, contents: ["1", "2", "3"], maxConcurrency: atOnce });
  const clock = createVirtualClock();
  let failures = 0;
  startNode({ clock, failed: () => void failures++ });
  const settled = (isSo: () => boolean | Promise<boolean>) =>
    waitFor(async () => {
      await clock.settle();
      return await isSo();
    });
  await settled(() => answers.length === atOnce);

  proxy.inject({ statement: /with firsts as materialized/, kind: "error", sqlState: "53300", times: 1 });
  await clock.advance(1_000);
  await settled(() => failures === 1);
  isHolding = false;
  for (const answer of answers) answer();
  await settled(async () => (await count("delivered")) === atOnce);
  await waitFor(
    async () => {
      await clock.advance(100);
      return await allDelivered();
    },
    { what: "the rest to be delivered" },
  );

  expect(server.requests).toHaveLength(3 * atOnce);
});

test("an unavailable receiver gets all events after its recovery", async () => {
  let taken = 0;
  let isBack = false;
  const server = await receiver(() => (isBack || ++taken <= 10 ? 200 : 503));
  await put(server, { sessions: 60, contents: ["x"], maxConcurrency: 4 });

  startNode();
  await waitFor(
    async () => (await database.sql`select from event_endpoints where paused_until > clock()`).length === 1,
    {
      what: "the endpoint to be paused",
    },
  );
  isBack = true;
  await waitFor(
    async () => {
      await endPauses();
      return await allDelivered();
    },
    { what: "all to be delivered" },
  );
});

test("an endpoint counts as failing from its first failure, even after a delivery", async () => {
  let status = 200;
  const server = await receiver(() => status);
  const endpointId = await put(server, { sessions: 1, contents: ["x"], maxConcurrency: 4 });
  const node = startNode();
  await waitFor(allDelivered);

  status = 400;
  await putAnswer(database.sql, { endpointId, sessionId: newId(), content: "y" });
  node.wake();

  await waitFor(
    async () => (await database.sql`select from event_endpoints where failing_since is not null`).length === 1,
    { what: "the endpoint to be known as failing" },
  );
});

test("delivery continues if a database statement is never answered", async () => {
  const server = await receiver();
  await put(server, { sessions: 20, contents: ["1", "2"], maxConcurrency: 8 });
  // Marks the endpoint as failing, so that the first success is stored.
  await database.sql`update event_endpoints set failing_since = clock(), unreachable_jobs = 1`;
  const statements = {
    listDueEndpoints: /as own_lanes/,
    takeLanes: /with candidates as/,
    renewLanes: /as is_wanted\s*$/,
    releaseLanes: /set holder = case/,
    findOpenEndpoint: /as previous_secret,\s+max_concurrency/,
    listDueMessages: /with firsts as materialized/,
    noteEndpoint: /set failing_since = case/,
    saveOutcomes: /with marked as/,
  };
  const injected = Object.entries(statements).map(([name, statement]) => ({
    name,
    fault: proxy.inject({ statement, kind: "silence", times: 1 }),
  }));
  const clock = createVirtualClock();

  startNode({ clock, answerMs: 250 });
  await waitFor(
    async () => {
      await clock.advance(100);
      return injected.every(({ fault }) => fault.met() === 1) && (await allDelivered());
    },
    { what: () => `all to be asked and delivered: ${injected.map(({ name, fault }) => `${name} ${fault.met()}`)}` },
  );

  expect(injected.map(({ name, fault }) => [name, fault.met()])).toEqual(injected.map(({ name }) => [name, 1]));
  const chats = Map.groupBy(server.events(), ({ data }) => data["sessionId"]);
  expect(chats.size).toBe(20);
  for (const events of chats.values()) {
    const contents = events.map(({ data }) => Object(data["answer"]).content);
    expect(contents).toEqual(contents.toSorted());
  }
});

test("a node that is stopped while it acquires event lanes releases them", async () => {
  const server = await receiver();
  await put(server, { sessions: 4, contents: ["x"], maxConcurrency: 4 });
  const late = proxy.inject({ statement: /with candidates as/, kind: "delay", ms: 300, times: 1 });

  const clock = createVirtualClock();
  const node = startNode({ clock });
  await waitFor(() => late.met() === 1);
  let isStopped = false;
  void node.stop().then(() => {
    isStopped = true;
  });
  // The clock does not advance, so the node can only stop if it releases its lanes without waiting.
  await waitFor(async () => {
    await clock.settle();
    return isStopped;
  });

  expect(await areLanesFree()).toBe(true);
});
