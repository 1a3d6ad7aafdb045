import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import type { Delivery, Mailer } from "../../src/effects/email.ts";
import { newId, toUuid } from "../../src/ids.ts";
import type { Mail } from "../../src/interpreter/job.ts";
import { type Outbox, startOutbox } from "../../src/jobs/outbox.ts";
import { limits } from "../../src/limits.ts";
import { createLog } from "../../src/log.ts";
import { takeJobs } from "../../src/store/outbox.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { putResult } from "../support/results.ts";
import { waitFor } from "../support/wait.ts";

let database: TestDatabase;
let botId: string;
let resultId: string;
const started: Outbox[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  botId = newId();
  ({ resultId } = await putResult(database.sql, botId));
});
afterEach(async () => {
  for (const outbox of started.splice(0)) await outbox.stop();
  await database.sql`delete from outbox`;
});

/** A mailer that answers with these deliveries in turn, then with success. */
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

function start(mailer: Mailer): Outbox {
  const outbox = startOutbox({ sql: database.sql, log: createLog("silent"), mailer });
  started.push(outbox);
  return outbox;
}

async function putMail(subject: string): Promise<string> {
  const id = newId();
  const data: Mail = {
    credentialsId: "c",
    to: ["a@b.co"],
    cc: [],
    bcc: [],
    subject,
    body: { text: "" },
    resultId,
    botId,
  };
  await database.sql`
    insert into outbox (id, queue, data)
    values (${toUuid(id)}, 'email', ${JSON.stringify(data)}::text::json)`;
  return id;
}

const rows = () => database.sql<{ attempts: number; dueIn: number }[]>`
  select attempts, extract(epoch from run_at - clock())::float as "dueIn"
  from outbox`;
const logs = async () => {
  const found = await database.sql<{ status: string; description: string; details: string | null; context: string }[]>`
    select status, description, details, context
    from logs
    where bot_id = ${toUuid(botId)} and description <> 'A note'`;
  return [...found];
};
const untilEmpty = () => waitFor(async () => (await rows()).length === 0);
const makeDue = () => database.sql`update outbox set run_at = clock()`;

test("what lies there when the relay starts is delivered, under the job's id, and the result's log says so", async () => {
  const id = await putMail("first");
  const mailer = mailerThat();

  start(mailer);
  await untilEmpty();

  expect(mailer.sent).toEqual([{ subject: "first", id }]);
  await waitFor(async () => (await logs()).length > 0);
  expect(await logs()).toEqual([
    { status: "success", description: "Email successfully sent", details: null, context: "While sending email" },
  ]);
});

test("what comes later is delivered at once when the relay is woken", async () => {
  const mailer = mailerThat();
  const outbox = start(mailer);

  const begun = performance.now();
  for (const subject of ["1", "2", "3", "4", "5"]) {
    await putMail(subject);
    outbox.wake();
    await untilEmpty();
  }

  // Five turns of the clock would take much longer.
  expect(performance.now() - begun).toBeLessThan(2 * limits.outboxPollMs);
  expect(mailer.sent).toHaveLength(5);
});

test("what becomes due later is found without being woken, at a turn of the clock", async () => {
  await putMail("later");
  await database.sql`update outbox set run_at = clock() + interval '200 milliseconds'`;
  const mailer = mailerThat();

  start(mailer);
  await untilEmpty();

  expect(mailer.sent).toHaveLength(1);
});

test("a failure that may pass is tried again later, and forgotten once it went well", async () => {
  await putMail("greylisted");
  const mailer = mailerThat({ kind: "failed", reason: "later", mayPass: true });
  const outbox = start(mailer);

  const [row] = await waitFor(async () => {
    const found = await rows();
    const [first = limits.outboxLeaseSeconds] = limits.outboxRetrySeconds;
    return found[0] && found[0].attempts === 1 && found[0].dueIn <= first && found;
  });
  expect(row?.dueIn).toBeGreaterThan(1);
  expect(await logs()).toEqual([]);

  await makeDue();
  outbox.wake();
  await untilEmpty();
  expect(mailer.sent).toHaveLength(2);
  expect(mailer.sent[0]?.id).toBe(mailer.sent[1]?.id ?? "");
});

test("after its last retry a mail is given up, with the reason in the log", async () => {
  await putMail("never");
  await database.sql`update outbox set attempts = ${limits.outboxRetrySeconds.length}`;

  start(mailerThat({ kind: "failed", reason: "still no", mayPass: true }));
  await untilEmpty();

  await waitFor(async () => (await logs()).length > 0);
  expect(await logs()).toEqual([
    { status: "error", description: "Email not sent", details: "still no", context: "While sending email" },
  ]);
});

test("a failure that will not pass is not tried again", async () => {
  await putMail("refused");
  const mailer = mailerThat({ kind: "failed", reason: "no such user", mayPass: false });

  start(mailer);
  await untilEmpty();

  expect(mailer.sent).toHaveLength(1);
  await waitFor(async () => (await logs()).length > 0);
  expect(await logs()).toMatchObject([{ status: "error", details: "no such user" }]);
});

test("a job whose process died is taken again when its lease is over, and not before", async () => {
  const id = await putMail("left behind");
  const take = () => takeJobs(database.sql, { queues: ["email"], limit: 5, leaseSeconds: 60 });

  expect(await take()).toMatchObject([{ id, attempts: 1, data: { subject: "left behind" } }]);
  expect(await take()).toEqual([]);
  await makeDue();
  expect(await take()).toMatchObject([{ id, attempts: 2 }]);
});

test("a job is taken by one process only, however many ask at once", async () => {
  const ids = await Promise.all(Array.from({ length: 40 }, (_, index) => putMail(`mail ${index}`)));

  const taken = await Promise.all(
    Array.from({ length: 8 }, () => takeJobs(database.sql, { queues: ["email"], limit: 40, leaseSeconds: 60 })),
  );

  expect(taken.flatMap((jobs) => jobs.map(({ id }) => id)).toSorted()).toEqual(ids.toSorted());
});

test("two relays share the work, and deliver nothing twice", async () => {
  const subjects = Array.from({ length: 60 }, (_, index) => `mail ${index}`);
  for (const subject of subjects) await putMail(subject);
  const mailers = [mailerThat(), mailerThat()] as const;

  for (const mailer of mailers) start(mailer);
  await untilEmpty();

  const sent = mailers.flatMap((mailer) => mailer.sent.map(({ subject }) => subject));
  expect(sent.toSorted()).toEqual(subjects.toSorted());
});

test("slow deliveries are bounded in number, and the others go on", async () => {
  const open: (() => void)[] = [];
  let most = 0;
  const mailer: Mailer = {
    async send({ subject }) {
      if (subject === "slow") await new Promise<void>((resolve) => (most = Math.max(most, open.push(resolve))));
      return { kind: "sent" };
    },
  };
  for (let index = 0; index < limits.outboxAtOnce + 5; index++) await putMail("slow");

  start(mailer);
  await waitFor(() => open.length === limits.outboxAtOnce);
  await putMail("quick");
  for (const end of open.splice(0)) end();
  await waitFor(() => open.length === 5);
  for (const end of open) end();

  await untilEmpty();
  expect(most).toBe(limits.outboxAtOnce);
});

test("a relay that stops finishes what it has begun and takes nothing more", async () => {
  const ending = Promise.withResolvers<void>();
  let begun = 0;
  await putMail("begun");
  const outbox = start({
    async send() {
      begun++;
      await ending.promise;
      return { kind: "sent" };
    },
  });
  await waitFor(() => begun === 1);

  const stopped = outbox.stop();
  await putMail("too late");
  ending.resolve();
  await stopped;

  expect(begun).toBe(1);
  expect(await rows()).toHaveLength(1);
});

test("a mailer that breaks leaves its job for later", async () => {
  await putMail("breaks");
  let calls = 0;
  start({
    send() {
      calls++;
      return Promise.reject(new TypeError("a bug"));
    },
  });

  await waitFor(() => calls === 1);
  expect(await rows()).toMatchObject([{ attempts: 1 }]);
});

test("an erased result gets no log", async () => {
  await putMail("late");
  await database.sql`update results set is_archived = true where bot_id = ${toUuid(botId)}`;

  start(mailerThat());
  await untilEmpty();
  for (const outbox of started.splice(0)) await outbox.stop();

  expect(await logs()).toEqual([]);
});
