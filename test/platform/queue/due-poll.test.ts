import { afterAll, afterEach, beforeAll, expect, spyOn, test } from "bun:test";
import { addDueStep } from "../../../src/chat/saves/added-steps.sql.ts";
import { createOutageWatch } from "../../../src/platform/database/outages/outage-watch.ts";
import { connect, type Sql } from "../../../src/platform/database/sql.ts";
import { newId } from "../../../src/platform/ids.ts";
import { createLog } from "../../../src/platform/observing/log.ts";
import { duePollMs, startDuePoll } from "../../../src/platform/queue/due-poll.ts";
import { pauseQueue, resumeQueue } from "../../../src/platform/queue/paused-queues.sql.ts";
import { findDueWork } from "../../../src/platform/queue/queue-tables.sql.ts";
import { handedOver } from "../../../src/platform/queue/relay.ts";
import { openDatabaseProxy } from "../../support/database-proxy.ts";
import { putAnswer, putEndpoint } from "../../support/events.ts";
import { createTestQueue, putMail, startTestJobs, type TestQueue } from "../../support/queue.ts";
import { createReadCounter } from "../../support/reads.ts";
import { putResult } from "../../support/results.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";
import { waitFor } from "../../support/wait.ts";

let tested: TestQueue;
const botId = newId();
let resultId: string;
const ends: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  tested = await createTestQueue();
  ({ resultId } = await putResult(tested.sql, botId));
});
afterAll(() => tested.close());
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
  await tested.clear();
  await tested.sql`truncate outbox, mails, paused_queues, event_deliveries, event_lanes, event_endpoints`;
});

const queues = ["email", "clean-up"] as const;

/**
 * Counts the statements that a pool sends. Fragments of other statements are not awaited, and therefore not counted.
 */
function counting() {
  let asked = 0;
  const sql = new Proxy(tested.sql, {
    apply(target, self, words) {
      const query = Reflect.apply(target, self, words);
      const send = query.then.bind(query);
      // A query is sent when it is awaited.
      Reflect.set(query, "then", (...given: Parameters<typeof send>) => {
        asked++;
        return send(...given);
      });
      return query;
    },
  });
  return { sql, asked: () => asked };
}

/** Starts a poll whose turns follow the clock, and records the callers that it wakes. */
function start(parts: { readonly sql?: Sql; readonly answerMs?: number } = {}) {
  const clock = createVirtualClock();
  const { sql, asked } = counting();
  const woken: string[] = [];
  const waking = (name: string) => ({ wake: () => void woken.push(name) });
  const poll = startDuePoll({
    sql,
    outage: createOutageWatch(tested.sql, createLog("silent")),
    clock,
    watch: { confirm: () => void woken.push("confirmed") },
    clockWatch: { read: (ask) => ask(), mend: async () => {} },
    relay: waking("relay"),
    events: waking("events"),
    dueSteps: waking("due steps"),
    channels: waking("channels"),
    workers: { email: waking("email"), "clean-up": waking("clean-up") },
    ...parts,
  });
  ends.push(poll.stop);
  return {
    asked,
    clock,
    woken,
    async turn(): Promise<string[]> {
      // The timer of the poll starts when the last turn is done.
      await waitFor(() => clock.timers() === 1);
      woken.splice(0);
      const before = asked();
      await clock.advance(duePollMs);
      await waitFor(() => asked() > before && clock.timers() === 1);
      return woken.toSorted();
    },
  };
}

test("an idle node sends one query per poll", async () => {
  const clock = createVirtualClock();
  const { sql, asked } = counting();
  const ofQueue = spyOn(tested.queue.boss.getDb(), "executeSql");
  const jobs = await startTestJobs(
    { sql, queue: tested.queue },
    { send: () => Promise.reject(new Error("No mail")) },
    clock,
  );
  ends.push(jobs.stop);
  await waitFor(() => clock.timers() === 1);
  const [before, ofQueueBefore] = [asked(), ofQueue.mock.calls.length];

  for (let turn = 1; turn <= 20; turn++) {
    await clock.advance(duePollMs);
    await waitFor(() => asked() === before + turn && clock.timers() === 1);
  }

  expect(asked() - before).toBe(20);
  expect(ofQueue.mock.calls.length - ofQueueBefore).toBe(0);
  ofQueue.mockRestore();
});

test("a poll query that gets no response is followed by another query", async () => {
  const proxy = await openDatabaseProxy(tested.database.url);
  ends.push(proxy.close);
  const sql = connect(proxy.url, { connections: 2 });
  ends.push(() => sql.end({ timeout: 0 }));
  const silent = proxy.inject({ statement: /as has_outbox_rows/, kind: "silence", times: 1 });
  const { endpointId } = await putEndpoint(tested.sql, { url: "https://example.com" });
  await putAnswer(tested.sql, { endpointId, sessionId: newId(), content: "Ana" });
  const { clock, woken } = start({ sql, answerMs: 250 });

  await waitFor(async () => {
    await clock.advance(100);
    return woken.includes("events");
  });

  expect(silent.met()).toBe(1);
});

test("a poll that finds no due work wakes no worker", async () => {
  expect(await start().turn()).toEqual(["confirmed"]);
});

test("a row in the outbox wakes the relay", async () => {
  const { turn } = start();
  await putMail(tested.sql, { subject: "now", resultId, botId });

  expect(await turn()).toEqual(["confirmed", "relay"]);
});

test("a due step wakes the worker of due steps", async () => {
  const { turn } = start();
  const row = { sessionId: newId(), botId, kind: "call", content: {} };
  await addDueStep(tested.sql, row);
  const wokenNow = await turn();
  await tested.sql`update due_steps set held_until = clock() + interval '1 minute'`;
  const wokenLater = await turn();
  await tested.sql`truncate due_steps`;

  expect([wokenNow, wokenLater]).toEqual([["confirmed", "due steps"], ["confirmed"]]);
});

test("a pending event wakes the delivery of events", async () => {
  const { turn } = start();
  const { endpointId } = await putEndpoint(tested.sql, { url: "https://example.com" });
  await putAnswer(tested.sql, { endpointId, sessionId: newId(), content: "Ana" });

  expect(await turn()).toEqual(["confirmed", "events"]);
});

test("a due job wakes the worker of its queue, unless the queue is paused", async () => {
  const { turn } = start();
  const { boss } = tested.queue;
  await boss.send("email", { mailId: "m", botId }, { startAfter: 600 });
  await boss.send("clean-up", { task: "any" });
  expect(await turn()).toEqual(["clean-up", "confirmed"]);

  const id = await boss.send("email", { mailId: "m", botId });
  await pauseQueue(tested.sql, "email");
  expect(await turn()).toEqual(["clean-up", "confirmed"]);

  await resumeQueue(tested.sql, "email");
  expect(await turn()).toEqual(["clean-up", "confirmed", "email"]);

  await boss.fetch("email");
  await boss.complete("email", id ?? "");
  expect(await turn()).toEqual(["clean-up", "confirmed"]);
});

test("a poll takes over the job of a process that has stopped responding", async () => {
  const { queue, jobs } = tested;
  const job = async (state: { secondsAgo: number; attempts?: number }) => {
    const id = (await queue.boss.send("email", { mailId: "m", botId }, { group: handedOver })) ?? "";
    await queue.boss.fetch("email");
    await queue.sql`
      update pgboss.job
      set heartbeat_on = pgboss.job_now() - make_interval(secs => ${state.secondsAgo}), retry_count = ${state.attempts ?? 0}
      where id = ${id}`;
    return id;
  };
  const dead = await job({ secondsAgo: 11 });
  const alive = await job({ secondsAgo: 8 });
  const last = await job({ secondsAgo: 11, attempts: 11 });
  const [taken] = (await jobs("email")).filter(({ id }) => id === dead);
  const { turn } = start();

  await turn();

  expect(await turn()).toContain("email");
  const states = Object.fromEntries((await jobs("email")).map(({ id, state }) => [id, state]));
  expect(states).toEqual({ [dead]: "retry", [alive]: "active", [last]: "active" });
  // The unresponsive process can no longer end the job, and the process that takes over counts one more attempt.
  await queue.boss.complete("email", taken ?? "", {});
  expect(await queue.boss.fetch("email", { includeMetadata: true })).toMatchObject([{ id: dead, retryCount: 1 }]);
});

test.each(["force_custom_plan", "force_generic_plan"] as const)(
  "the query for due work reads at most 20 rows among thousands of stored rows, with plan_cache_mode %s",
  async (mode) => {
    const { sql, database, queue } = tested;
    const { endpointId } = await putEndpoint(sql, { url: "https://example.com" });
    await queue.sql`
      insert into pgboss.job (name, data, state, start_after, completed_on)
      select 'email', '{}', 'completed', now(), now() from generate_series(1, 20000)`;
    await sql`
      insert into outbox (id, queue, data)
      select gen_random_uuid(), 'email', '{}' from generate_series(1, 5000)`;
    await putAnswer(sql, { endpointId, sessionId: newId(), content: "Ana" });
    await sql`update event_deliveries set status = 'delivered'`;
    await sql`analyze`;
    const counter = createReadCounter(database.url, mode);
    ends.push(counter.close);

    expect(await counter.rowsRead((counted) => findDueWork(counted, queues))).toBeLessThanOrEqual(20);
  },
);
