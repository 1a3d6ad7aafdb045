import { afterAll, beforeAll, expect, test } from "bun:test";
import { createLog } from "../../../src/platform/observing/log.ts";
import { openQueue, type Queue } from "../../../src/platform/queue/queue.sql.ts";
import { queueNames, queueOptions, queues } from "../../../src/platform/queue/queues.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { openDatabaseProxy } from "../../support/database-proxy.ts";
import { waitFor } from "../../support/wait.ts";

let database: TestDatabase;
let queue: Queue;
const log = createLog("silent");

beforeAll(async () => {
  database = await createTestDatabase();
  queue = await openQueue({ url: database.url, log });
});
afterAll(async () => {
  await queue.stop();
  await database.close();
});

test("four nodes that start simultaneously create each queue once", async () => {
  const fresh = await createTestDatabase();
  const opened = await Promise.all(Array.from({ length: 4 }, () => openQueue({ url: fresh.url, log })));

  const names = (await opened[0]?.boss.getQueues())?.map(({ name }) => name);
  expect(names?.filter((name) => !name.startsWith("__")).toSorted()).toEqual([...queueNames].toSorted());
  for (const one of opened) await one.stop();
  await fresh.close();
});

test("a queue of an earlier release gets this release's options", async () => {
  await queue.boss.updateQueue("email", { retryLimit: 1, deadLetter: null, heartbeatSeconds: null });

  const again = await openQueue({ url: database.url, log });

  for (const [name, options] of queueOptions()) expect(await again.boss.getQueue(name)).toMatchObject(options);
  await again.stop();
});

test("mails and calls are attempted as often as the operator configured", async () => {
  const few = await openQueue({ url: database.url, log, attempts: 3 });

  for (const name of ["email", "calls"] as const) {
    expect(await few.boss.getQueue(name)).toMatchObject({ retryLimit: 2 });
    const id = await few.boss.send(name, {});
    expect(await few.boss.getJobById(name, id ?? "")).toMatchObject({ retryLimit: 2 });
    await few.boss.deleteJob(name, id ?? "");
  }
  expect(await few.boss.getQueue("exports")).toMatchObject({ retryLimit: queues.exports.retryLimit });
  await few.stop();
  const again = await openQueue({ url: database.url, log });
  expect(await again.boss.getQueue("email")).toMatchObject({ retryLimit: 11 });
  await again.stop();
});

test("the heartbeat or time limit of a queue is at most five minutes", () => {
  for (const [, options] of queueOptions()) {
    const seconds = options.heartbeatSeconds ?? options.expireInSeconds;
    if (seconds !== undefined) expect(seconds).toBeLessThanOrEqual(300);
  }
  for (const name of ["email", "exports"] as const) expect(queues[name].heartbeatSeconds).toBe(10);
});

test("the queue works without prepared statements", async () => {
  const url = `${database.url}${database.url.includes("?") ? "&" : "?"}prepare=false`;
  const other = await openQueue({ url, log });

  const id = await other.boss.send("email", { mailId: "m", botId: "b" });
  const jobs = await other.boss.fetch("email", { batchSize: 5, includeMetadata: true });
  expect(jobs).toMatchObject([{ id, data: { mailId: "m", botId: "b" }, retryCount: 0 }]);
  await other.boss.complete("email", jobs[0] ?? "", { message: "done" });

  expect(await other.boss.findJobs("email", { id: id ?? "" })).toMatchObject([
    { state: "completed", output: { message: "done" } },
  ]);
  await other.stop();
});

test("a job is found by its data", async () => {
  const id = await queue.boss.send("email-dead", { botId: "searched" });

  expect(await queue.boss.findJobs("email-dead", { data: { botId: "searched" } })).toMatchObject([{ id }]);
  expect(await queue.boss.findJobs("email-dead", { data: { botId: "another" } })).toEqual([]);
});

test("one transaction can contain statements of the service and of the queue", async () => {
  const id = await queue.transaction(async (statements, db) => {
    await statements`insert into paused_queues (queue) values ('email')`;
    return queue.boss.send("email-dead", { botId: "whole" }, { db });
  });

  expect(await database.sql`delete from paused_queues returning queue`).toHaveLength(1);
  expect(await queue.boss.findJobs("email-dead", { id: id ?? "" })).toHaveLength(1);
});

test("a transaction whose work fails changes nothing", async () => {
  const work = queue.transaction(async (statements, db) => {
    await statements`insert into paused_queues (queue) values ('email')`;
    await queue.boss.send("email-dead", { botId: "half" }, { db });
    throw new Error("no more");
  });

  await expect(work).rejects.toThrow("no more");
  expect(await database.sql`select from paused_queues`).toHaveLength(0);
  expect(await queue.boss.findJobs("email-dead", { data: { botId: "half" } })).toEqual([]);
});

test("a transaction executes nothing more after its connection is lost", async () => {
  const work = queue.transaction(async (statements, db) => {
    const [row] = await statements<[{ pid: number }]>`select pg_backend_pid() as pid`;
    await queue.boss.send("email-dead", { botId: "lost" }, { db });
    await database.sql`select pg_terminate_backend(${row.pid})`;
    await waitFor(async () => (await database.sql`select from pg_stat_activity where pid = ${row.pid}`).length === 0);
    await queue.boss.send("email-dead", { botId: "lost" }, { db });
    await statements`insert into paused_queues (queue) values ('email')`;
  });

  await expect(work).rejects.toThrow();
  expect(await database.sql`select from paused_queues`).toHaveLength(0);
  expect(await queue.boss.findJobs("email-dead", { data: { botId: "lost" } })).toEqual([]);
  expect(await queue.transaction(async () => "done")).toBe("done");
});

test("a failed script closes its transaction, and the queue continues", async () => {
  const script = queue.boss
    .getDb()
    .executeSql("begin; insert into paused_queues values ('email'); select 1 / 0; commit");
  await expect(script).rejects.toThrow("division by zero");

  expect(await database.sql`select from paused_queues`).toHaveLength(0);
  const id = await queue.boss.send("email-dead", { botId: "after" });
  expect(await queue.boss.findJobs("email-dead", { id: id ?? "" })).toHaveLength(1);
  const open = await database.sql`
    select
    from pg_stat_activity
    where datname = current_database() and state like 'idle in transaction%'`;
  expect(open).toHaveLength(0);
});

test("the job queue reopens lost connections", async () => {
  await database.sql`
    select pg_terminate_backend(pid)
    from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`;

  const id = await waitFor(() => queue.boss.send("email-dead", { botId: "again" }).catch(() => undefined));
  expect(typeof id).toBe("string");
});

test("stopping the job queue does not wait for running maintenance", async () => {
  const proxy = await openDatabaseProxy(database.url);
  const other = await openQueue({ url: proxy.url, log });
  const fault = proxy.inject({ kind: "silence", statement: /pgboss/ });
  other.boss.supervise().catch(() => {});
  await waitFor(() => fault.met() > 0);
  await other.stop();
  await proxy.close();
});
