import { afterAll, afterEach, beforeAll, expect, spyOn, test } from "bun:test";
import { createOutageWatch } from "../../../src/platform/database/outages/outage-watch.ts";
import { createLog } from "../../../src/platform/observing/log.ts";
import { listJobLogs } from "../../../src/platform/queue/job-logs.sql.ts";
import { pauseQueue, resumeQueue } from "../../../src/platform/queue/paused-queues.sql.ts";
import { openQueue } from "../../../src/platform/queue/queue.sql.ts";
import { type Handler, startWorker, type Worker } from "../../../src/platform/queue/workers.ts";
import { createTestQueue, type TestQueue } from "../../support/queue.ts";
import { waitFor } from "../../support/wait.ts";

let tested: TestQueue;
const started: Worker[] = [];

beforeAll(async () => {
  tested = await createTestQueue();
});
afterAll(() => tested.close());
afterEach(async () => {
  for (const worker of started.splice(0)) await worker.stop();
  await tested.clear();
});

function start(handler: Handler, { atOnce = 2, queue = tested.queue } = {}): Worker {
  const log = createLog("silent");
  const worker = startWorker(
    { sql: tested.sql, queue, log, outage: createOutageWatch(tested.sql, log) },
    { name: "email", atOnce, pollMs: 50, handler },
  );
  started.push(worker);
  return worker;
}

async function send(options = {}): Promise<string> {
  return (await tested.queue.boss.send("email", { mailId: "m", botId: "b" }, options)) ?? "";
}

const job = async (id: string) => (await tested.jobs("email")).find((found) => found.id === id);
const until = (id: string, state: string) =>
  waitFor(
    async () => {
      const found = await job(id);
      return found?.state === state && found;
    },
    { what: `the job to be ${state}` },
  );

test("a finished job stores its handler's result", async () => {
  const id = await send();

  start(async () => ({ kind: "done", message: "All well" }));

  expect(await until(id, "completed")).toMatchObject({ output: { message: "All well" } });
  await waitFor(async () => (await listJobLogs(tested.sql, id)).length > 0);
  expect(await listJobLogs(tested.sql, id)).toMatchObject([{ line: "Attempt 1: All well" }]);
});

test("a failed job is retried and then succeeds", async () => {
  const id = await send();
  let attempts = 0;

  start(async () =>
    ++attempts === 1 ? { kind: "failed", message: "Not yet", isRetryable: true } : { kind: "done", message: "Now" },
  );

  expect(await until(id, "retry")).toMatchObject({ output: { message: "Not yet" } });
  await tested.makeDue("email", id);
  expect(await until(id, "completed")).toMatchObject({ retryCount: 1, output: { message: "Now" } });
});

test("a job fails after its last attempt, and only this failure is reported", async () => {
  const id = await send({ retryLimit: 1 });
  const givenUp: string[] = [];
  start(async (given) => ({
    kind: "failed",
    message: "Never",
    isRetryable: true,
    onGivenUp: async () => void givenUp.push(given.id),
  }));

  await until(id, "retry");
  expect(givenUp).toEqual([]);
  await tested.makeDue("email", id);
  await until(id, "failed");

  expect(givenUp).toEqual([id]);
  expect(await tested.jobs("email-dead")).toMatchObject([{ sourceId: id, sourceOutput: { message: "Never" } }]);
});

test("a job that cannot succeed fails after one attempt", async () => {
  const id = await send();
  let attempts = 0;
  start(async () =>
    ++attempts === 1
      ? { kind: "failed", message: "Refused", isRetryable: false }
      : { kind: "done", message: "Corrected" },
  );

  await until(id, "failed");
  expect(await tested.jobs("email-dead")).toMatchObject([{ sourceId: id }]);
  await tested.queue.boss.retry("email", id);
  await tested.makeDue("email", id);

  expect(await until(id, "completed")).toMatchObject({ output: { message: "Corrected" } });
});

test("a failed job is not claimed while its failure is being written", async () => {
  const { boss } = tested.queue;
  const fail = boss.fail.bind(boss);
  const taken: unknown[] = [];
  const spy = spyOn(boss, "fail").mockImplementation(async (...ending: Parameters<typeof fail>) => {
    taken.push(...(await boss.fetch("email")));
    return fail(...ending);
  });
  const id = await send();
  start(async () => ({ kind: "failed", message: "Refused", isRetryable: false }));

  await until(id, "failed");
  spy.mockRestore();

  expect(taken).toEqual([]);
});

test("a job of a dead process is claimed again", async () => {
  const id = await send();
  const [taken] = await tested.queue.boss.fetch("email");
  await tested.queue.sql`update pgboss.job set heartbeat_on = now() - interval '10 minutes' where id = ${id}`;
  await tested.queue.boss.supervise("email");
  await until(id, "retry");
  await tested.makeDue("email", id);

  let release = (): void => {};
  const ending = new Promise<void>((resolve) => (release = resolve));
  start(async () => {
    await ending;
    return { kind: "done", message: "By the living" };
  });
  await until(id, "active");
  if (taken) await tested.queue.boss.complete("email", taken, { message: "By the dead" });
  expect(await job(id)).toMatchObject({ state: "active", retryCount: 1 });
  release();

  expect(await until(id, "completed")).toMatchObject({ output: { message: "By the living" } });
});

test("a long job renews its heartbeat", async () => {
  const id = await send({ heartbeatSeconds: 10 });
  const ending = Promise.withResolvers<void>();
  start(async () => {
    await ending.promise;
    return { kind: "done", message: "At last" };
  });
  const { heartbeatOn: first } = await until(id, "active");

  await waitFor(async () => {
    const heartbeatOn = (await job(id))?.heartbeatOn;
    return heartbeatOn && first && heartbeatOn > first;
  });
  ending.resolve();

  await until(id, "completed");
});

test("a paused queue keeps its jobs until it is resumed", async () => {
  await pauseQueue(tested.sql, "email");
  const id = await send();
  let looks = 0;
  // The worker checks the pause before it queries the queue. Each check is a turn of the worker's clock.
  const counting = new Proxy(tested.sql, {
    apply(target, self, words) {
      looks++;
      return Reflect.apply(target, self, words);
    },
  });
  const log = createLog("silent");
  started.push(
    startWorker(
      { sql: counting, queue: tested.queue, log, outage: createOutageWatch(tested.sql, log) },
      { name: "email", atOnce: 1, pollMs: 20, handler: async () => ({ kind: "done", message: "Resumed" }) },
    ),
  );

  await waitFor(() => looks > 3);
  expect(await job(id)).toMatchObject({ state: "created" });
  await resumeQueue(tested.sql, "email");

  await until(id, "completed");
});

test("a backlog is processed without waiting for the next poll", async () => {
  const log = createLog("silent");
  await tested.queue.boss.insert(
    "email",
    Array.from({ length: 50 }, () => ({ data: {} })),
  );
  const worker = startWorker(
    { sql: tested.sql, queue: tested.queue, log, outage: createOutageWatch(tested.sql, log) },
    { name: "email", atOnce: 3, pollMs: 60_000, handler: async () => ({ kind: "done", message: "One of many" }) },
  );
  started.push(worker);

  await waitFor(async () => (await tested.jobs("email")).every(({ state }) => state === "completed"));
});

test("a running job is notified when its worker stops", async () => {
  const id = await send();
  const worker = start(async ({ signal }) => {
    // The process may already be stopping at this point, because the job is active as soon as it is fetched.
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve));
    return { kind: "done", message: "Broken off" };
  });
  await until(id, "active");

  await worker.stop();

  expect(await job(id)).toMatchObject({ state: "completed", output: { message: "Broken off" } });
});

test("jobs continue after connections were lost", async () => {
  const queue = await openQueue({ url: tested.database.url, log: createLog("silent") });
  const worker = start(async () => ({ kind: "done", message: "Survived" }), { queue });
  const first = await send();
  await until(first, "completed");

  await tested.sql`
    select pg_terminate_backend(pid)
    from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`;
  const id = await waitFor(() => send().catch(() => undefined));

  await until(id, "completed");
  await worker.stop();
  await queue.stop();
});
