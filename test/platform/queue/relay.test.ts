import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import type { Db } from "pg-boss";
import { callJob } from "../../../src/management/credentials/jobs/deferred-calls.job.ts";
import { deliverMails, mailJob } from "../../../src/management/credentials/jobs/email.job.ts";
import { exportJob } from "../../../src/management/results/exports/result-exports.job.ts";
import type { PollLoop } from "../../../src/platform/concurrency/poll-loop.ts";
import { createOutageWatch } from "../../../src/platform/database/outages/outage-watch.ts";
import { connect } from "../../../src/platform/database/sql.ts";
import { fromUuid, newId, toUuid } from "../../../src/platform/ids.ts";
import { createLog } from "../../../src/platform/observing/log.ts";
import { openQueue } from "../../../src/platform/queue/queue.sql.ts";
import { outboxBatch, startRelay } from "../../../src/platform/queue/relay.ts";
import { testSecrets } from "../../support/events.ts";
import { moveClock } from "../../support/moved-clock.ts";
import { createTestQueue, putMail as putMailOf, type TestQueue } from "../../support/queue.ts";
import { putResult } from "../../support/results.ts";
import { waitFor } from "../../support/wait.ts";

let tested: TestQueue;
const botId = newId();
let resultId: string;
const started: PollLoop[] = [];

beforeAll(async () => {
  tested = await createTestQueue();
  ({ resultId } = await putResult(tested.sql, botId));
});
afterAll(() => tested.close());
afterEach(async () => {
  for (const relay of started.splice(0)) await relay.stop();
  await tested.clear();
  await tested.sql`truncate outbox, mails`;
});

function start({ queue = tested.queue, outage = createOutageWatch(tested.sql, createLog("silent")) } = {}): PollLoop {
  const relay = startRelay({
    sql: tested.sql,
    queue,
    outage,
    pollMs: 20,
    jobsOf: { email: mailJob, calls: callJob, exports: exportJob },
    onHandedOver() {},
  });
  started.push(relay);
  return relay;
}

const putMail = (subject: string) => putMailOf(tested.sql, { subject, resultId, botId });
const rows = () => tested.sql`select from outbox`;
const mailIds = async () => (await tested.sql<{ id: string }[]>`select id from mails`).map(({ id }) => id);
const jobs = async () => (await tested.jobs("email")).map((job) => ({ ...job, id: fromUuid(job.id) }));
const untilEmpty = () => waitFor(async () => (await rows()).length === 0);

test("a row of the outbox becomes a job with the row's id", async () => {
  const id = await putMail("one");

  start();
  await untilEmpty();

  expect(await jobs()).toMatchObject([{ id, state: "created", data: { mailId: id, botId } }]);
  expect(await mailIds()).toEqual([id]);
});

test("a row written before the clock was set back is relayed", async () => {
  await moveClock(tested.sql, 3_600);
  const id = await putMail("of the hour that came twice");
  await moveClock(tested.sql, 0);

  start();
  await untilEmpty();

  expect(await jobs()).toMatchObject([{ id, state: "created" }]);
});

test("a row that is relayed twice creates one job", async () => {
  const id = await putMail("one");
  const copies = await tested.sql`select * from outbox`;
  start();
  await untilEmpty();

  await tested.sql`insert into outbox ${tested.sql(copies)}`;
  await untilEmpty();

  expect(await jobs()).toMatchObject([{ id }]);
  expect(await mailIds()).toEqual([id]);
});

test("a row that is relayed again after the end of its job causes no further job", async () => {
  const id = await putMail("one");
  const copies = await tested.sql`select * from outbox`;
  start();
  await untilEmpty();
  await tested.queue.boss.fetch("email");
  await tested.queue.boss.complete("email", toUuid(id));

  await tested.sql`insert into outbox ${tested.sql(copies)}`;
  await untilEmpty();

  expect(await jobs()).toMatchObject([{ id, state: "completed" }]);
});

test("a task that is both requested and scheduled gets a single job", async () => {
  const task = "chats-of-deleted-bots";
  const { sql, queue } = tested;
  for (const id of [newId(), newId()]) {
    await sql`insert into outbox (id, queue, data) values (${id}, 'clean-up', ${JSON.stringify({ task })}::text::json)`;
  }
  start();
  await untilEmpty();
  await queue.boss.send("clean-up", { task }, { singletonKey: task });

  expect(await tested.jobs("clean-up")).toMatchObject([{ state: "created", data: { task }, singletonKey: task }]);
});

test("four concurrent relays relay each row once, in more than one batch", async () => {
  const count = outboxBatch + 100;
  const { sql } = tested;
  await sql`
    insert into outbox (id, queue, data)
    select gen_random_uuid(), 'email', json_build_object('resultId', ${resultId}::text, 'botId', ${botId}::text)
    from generate_series(1, ${count}::int)`;

  for (let relay = 0; relay < 4; relay++) start();
  await untilEmpty();

  expect(await jobs()).toHaveLength(count);
  expect(await mailIds()).toHaveLength(count);
});

test("a relay whose connection is lost changes nothing", async () => {
  const id = await putMail("one");
  const { sql, database } = tested;
  const dying = await openQueue({ url: database.url, log: createLog("silent") });
  // Another transaction locks the job's key, so that the statement hangs between its two halves.
  const holder = connect(database.url, { connections: 1 });
  await holder`begin`;
  const db: Db = { executeSql: async (text, values) => ({ rows: await holder.unsafe(text, values?.map(String)) }) };
  await tested.queue.boss.insert("email", [{ id: toUuid(id), data: {} }], { db });

  const relay = start({ queue: dying });
  const [waiting] = await waitFor(async () => {
    const found = await sql<{ pid: number }[]>`
      select pid
      from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%delete from outbox%'`;
    return found.length > 0 && found;
  });
  await sql`select pg_terminate_backend(${waiting?.pid ?? 0})`;
  await relay.stop();
  await dying.stop();
  await holder`rollback`;
  await holder.end();
  expect(await rows()).toHaveLength(1);
  expect(await mailIds()).toEqual([]);
  expect(await jobs()).toEqual([]);

  start();
  await untilEmpty();
  expect(await jobs()).toMatchObject([{ id }]);
  expect(await mailIds()).toEqual([id]);
});

test("a row of an uncommitted transaction is not relayed", async () => {
  const handOverAll = start();
  await tested.sql.begin(async (transaction) => {
    await transaction`
      insert into outbox (id, queue, data)
      values (${newId()}, 'email', json_build_object('resultId', ${resultId}::text, 'botId', ${botId}::text))`;
    handOverAll.wake();
    await waitFor(async () => (await rows()).length === 0);
    expect(await jobs()).toHaveLength(0);
  });

  await waitFor(async () => (await tested.jobs("email")).length === 1);
});

test("a relay that stops reads no more rows", async () => {
  const relay = start();
  await relay.stop();

  await putMail("too late");
  relay.wake();

  expect(await rows()).toHaveLength(1);
  expect(await jobs()).toHaveLength(0);
});

test("a mail whose content was removed is skipped, not retried endlessly", async () => {
  const handler = deliverMails({
    sql: tested.sql,
    storage: { read: async () => undefined },
    mailer: { send: () => Promise.reject(new Error("never asked")) },
    workspaceMailer: { send: () => Promise.reject(new Error("never asked")) },
    secrets: testSecrets,
  });

  const outcome = await handler({
    id: toUuid(newId()),
    data: { mailId: newId(), botId },
    signal: AbortSignal.timeout(1_000),
  });

  expect(outcome).toMatchObject({ kind: "done" });
});
