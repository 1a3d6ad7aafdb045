import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import type { Delivery, Mailer } from "../../../src/effects/mail/email.ts";
import { limits } from "../../../src/limits/index.ts";
import { eraseResults } from "../../../src/management/row-erasure/erasure.sql.ts";
import type { Clock } from "../../../src/platform/concurrency/clock.ts";
import { newId } from "../../../src/platform/ids.ts";
import { queues } from "../../../src/platform/queue/queues.ts";
import type { Jobs } from "../../../src/service/jobs.ts";
import { createTestQueue, putMail as putMailOf, startTestJobs, type TestQueue } from "../../support/queue.ts";
import { putResult } from "../../support/results.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";
import { waitFor } from "../../support/wait.ts";

let tested: TestQueue;
let botId: string;
let resultId: string;
const started: Jobs[] = [];

beforeAll(async () => {
  tested = await createTestQueue();
});
afterAll(() => tested.close());
beforeEach(async () => {
  botId = newId();
  ({ resultId } = await putResult(tested.sql, botId));
});
afterEach(async () => {
  for (const jobs of started.splice(0)) await jobs.stop();
  await tested.clear();
  await tested.sql`truncate outbox, mails`;
});

function mailerThat(...deliveries: readonly Delivery[]): Mailer & { readonly sent: { subject: string; id: string }[] } {
  const left = [...deliveries];
  const sent: { subject: string; id: string }[] = [];
  return {
    sent,
    async send({ subject }, id) {
      sent.push({ subject, id });
      return left.shift() ?? { kind: "sent" };
    },
  };
}

async function start(mailer: Mailer, clock?: Clock): Promise<Jobs> {
  const jobs = await startTestJobs(tested, mailer, clock);
  started.push(jobs);
  return jobs;
}

const putMail = (subject: string) => putMailOf(tested.sql, { subject, resultId, botId });

const untilQuiet = () =>
  waitFor(async () => {
    const rows = await tested.sql`select from outbox`;
    const jobs = await tested.jobs("email");
    return rows.length === 0 && jobs.every(({ state }) => state === "completed" || state === "failed");
  });
const untilRetried = () =>
  waitFor(async () => {
    const [job] = await tested.jobs("email");
    return job?.state === "retry" && job;
  });
const mails = () => tested.sql`select from mails`;
const logs = async () => {
  const found = await tested.sql<{ status: string; description: string; details: string | null; context: string }[]>`
    select status, description, details, context
    from logs
    where bot_id = ${botId} and description <> 'A note'`;
  return [...found];
};

const later: Delivery = { kind: "failed", reason: "later", isRetryable: true };

test("a mail in the outbox is delivered and logged once", async () => {
  const id = await putMail("first");
  const mailer = mailerThat();

  await start(mailer);
  await untilQuiet();

  expect(mailer.sent).toEqual([{ subject: "first", id }]);
  expect(await logs()).toEqual([
    { status: "success", description: "Email successfully sent", details: null, context: "While sending email" },
  ]);
  expect(await mails()).toHaveLength(0);
});

test("a mail is delivered as soon as the jobs are woken, before the next poll", async () => {
  const mailer = mailerThat();
  const jobs = await start(mailer, createVirtualClock());

  for (const subject of ["1", "2", "3", "4", "5"]) {
    await putMail(subject);
    jobs.wake();
    await untilQuiet();
  }

  expect(mailer.sent).toHaveLength(5);
});

test("a mail that is stored without waking the jobs is found by a poll", async () => {
  const mailer = mailerThat();
  await start(mailer);

  await putMail("of another process");
  await untilQuiet();

  expect(mailer.sent).toHaveLength(1);
});

test("a mail that fails temporarily is retried under the same id", async () => {
  await putMail("greylisted");
  const mailer = mailerThat(later);
  const jobs = await start(mailer);

  const { id, startAfter } = await untilRetried();
  expect(startAfter.getTime() - Date.now()).toBeGreaterThan(5_000);
  expect(await logs()).toEqual([]);

  await tested.makeDue("email", id);
  jobs.wake();
  await untilQuiet();
  expect(mailer.sent).toHaveLength(2);
  expect(mailer.sent[0]?.id).toBe(mailer.sent[1]?.id ?? "");
  expect(await logs()).toMatchObject([{ status: "success" }]);
});

test("a mail becomes a dead letter after its last attempt", async () => {
  await putMail("never");
  const mailer = mailerThat(later, later);
  await start(mailer);

  const { id, retryLimit } = await untilRetried();
  expect(retryLimit).toBe(queues.email.retryLimit);
  await tested.queue.boss.update("email", undefined, { id, retryLimit: 1, startAfter: 0 });
  await untilQuiet();

  expect(mailer.sent).toHaveLength(2);
  expect(await logs()).toEqual([
    { status: "error", description: "Email not sent", details: "later", context: "While sending email" },
  ]);
  const [given] = await tested.jobs("email");
  expect(await tested.jobs("email-dead")).toMatchObject([
    { state: "created", sourceName: "email", sourceId: given?.id, data: { botId } },
  ]);
});

test("a permanently failed mail immediately becomes a dead letter", async () => {
  await putMail("refused");
  const outline = "The mail server responded with 550 to RCPT TO";
  const mailer = mailerThat({ kind: "failed", reason: "no such user: ada@b.co", outline, isRetryable: false });

  await start(mailer);
  await untilQuiet();

  expect(mailer.sent).toHaveLength(1);
  expect(await logs()).toMatchObject([{ status: "error", details: "no such user: ada@b.co" }]);
  // The job outlives an erasure of the result, so its output does not quote the server.
  expect(await tested.jobs("email")).toMatchObject([{ state: "failed", output: { message: outline } }]);
  expect(await tested.jobs("email-dead")).toMatchObject([{ sourceName: "email" }]);
});

test("a mail that is refused for some recipients is not sent again", async () => {
  await putMail("several");
  const mailer = mailerThat({ kind: "sent", refused: ["ben@example.com", "eve@example.com"] });

  await start(mailer);
  await untilQuiet();

  expect(mailer.sent).toHaveLength(1);
  expect(await logs()).toMatchObject([
    {
      status: "error",
      description: "Email sent, but not to every recipient",
      details: "The mail server refused ben@example.com, eve@example.com",
    },
  ]);
  expect(await tested.jobs("email-dead")).toEqual([]);
});

test("a dead letter that is queued again is delivered under its original id", async () => {
  const id = await putMail("corrected");
  const mailer = mailerThat({ kind: "failed", reason: "no server", isRetryable: false });
  const jobs = await start(mailer);
  await untilQuiet();

  expect(await tested.queue.boss.redrive("email-dead")).toBe(1);
  jobs.wake();
  await waitFor(() => mailer.sent.length === 2);
  await untilQuiet();

  expect(mailer.sent.map((sent) => sent.id)).toEqual([id, id]);
  expect(await mails()).toHaveLength(0);
});

test("a delivered mail is not sent again when its job is retried", async () => {
  await putMail("once");
  const mailer = mailerThat();
  const jobs = await start(mailer);
  await untilQuiet();

  const [job] = await tested.jobs("email");
  await tested.queue.boss.insert("email", [{ data: job?.data ?? {} }]);
  jobs.wake();
  await waitFor(async () => (await tested.jobs("email")).length === 2);
  await untilQuiet();

  expect(mailer.sent).toHaveLength(1);
  expect(await logs()).toHaveLength(1);
});

test("two processes deliver each mail exactly once", async () => {
  const subjects = Array.from({ length: 60 }, (_, index) => `mail ${index}`);
  for (const subject of subjects) await putMail(subject);
  const mailers = [mailerThat(), mailerThat()] as const;

  for (const mailer of mailers) await start(mailer);
  await untilQuiet();

  const sent = mailers.flatMap((mailer) => mailer.sent.map(({ subject }) => subject));
  expect(sent.toSorted()).toEqual(subjects.toSorted());
  expect(await logs()).toHaveLength(60);
});

test("the number of concurrent deliveries is limited, and further mails wait", async () => {
  const open: (() => void)[] = [];
  let most = 0;
  const mailer: Mailer = {
    async send({ subject }) {
      if (subject === "slow") await new Promise<void>((resolve) => (most = Math.max(most, open.push(resolve))));
      return { kind: "sent" };
    },
  };
  for (let index = 0; index < limits.mails.atOnce + 5; index++) await putMail("slow");

  await start(mailer);
  await waitFor(() => open.length === limits.mails.atOnce);
  await putMail("quick");
  for (const end of open.splice(0)) end();
  await waitFor(() => open.length === 5);
  for (const end of open) end();

  await untilQuiet();
  expect(most).toBe(limits.mails.atOnce);
});

test("a stopping process finishes its running deliveries and starts no others", async () => {
  const ending = Promise.withResolvers<void>();
  let begun = 0;
  await putMail("begun");
  const jobs = await start({
    async send() {
      begun++;
      await ending.promise;
      return { kind: "sent" };
    },
  });
  await waitFor(() => begun === 1);

  const stopped = jobs.stop();
  await putMail("too late");
  ending.resolve();
  await stopped;

  expect(begun).toBe(1);
  expect(await tested.jobs("email")).toMatchObject([{ state: "completed" }]);
  expect(await tested.sql`select from outbox`).toHaveLength(1);
});

test("a job is retried later if the mailer throws", async () => {
  await putMail("breaks");
  let calls = 0;
  await start({
    send() {
      calls++;
      return Promise.reject(new TypeError("a bug"));
    },
  });

  expect(await untilRetried()).toMatchObject({ output: { message: "a bug" } });
  expect(calls).toBe(1);
  expect(await logs()).toEqual([]);
});

test("the mails of an erased result are not sent from the outbox or the queue", async () => {
  const mailer = mailerThat(later);
  await putMail("in the queue");
  const jobs = await start(mailer);
  const { id } = await untilRetried();
  await jobs.stop();
  await putMail("in the outbox");

  await eraseResults(tested.sql, { botId, resultIds: [resultId] });
  expect(await tested.sql`select from outbox`).toHaveLength(0);
  expect(await mails()).toHaveLength(0);
  await tested.makeDue("email", id);
  await start(mailer);
  await untilQuiet();

  expect(mailer.sent).toEqual([{ subject: "in the queue", id: expect.any(String) }]);
  expect(await logs()).toEqual([]);
});

test("a mail queued during the erasure of its result is not sent", async () => {
  await tested.sql`update results set is_archived = true where bot_id = ${botId}`;
  await putMail("late");
  const mailer = mailerThat();

  await start(mailer);
  await untilQuiet();

  expect(mailer.sent).toEqual([]);
  expect(await mails()).toHaveLength(0);
  expect(await logs()).toEqual([]);
});

test("a queued job contains neither the text of a mail nor the id of its result", async () => {
  await putMail("My secret wish");
  await start(mailerThat(later));
  const job = await untilRetried();

  expect(JSON.stringify(job)).not.toContain("secret wish");
  expect(JSON.stringify(job)).not.toContain(resultId);
});
