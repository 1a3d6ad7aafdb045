import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import type { Delivery, Mailer } from "../../../src/effects/mail/email.ts";
import { newId } from "../../../src/platform/ids.ts";
import { endOldFuture } from "../../../src/platform/queue/queue-tables.sql.ts";
import type { Jobs } from "../../../src/service/jobs.ts";
import { isLong } from "../../support/campaigns.ts";
import { putAnswer, putEndpoint } from "../../support/events.ts";
import { moveClock } from "../../support/moved-clock.ts";
import { createTestQueue, putMail, startTestJobs, type TestQueue } from "../../support/queue.ts";
import { putResult } from "../../support/results.ts";
import { waitFor } from "../../support/wait.ts";

let tested: TestQueue;
let resultId: string;
const botId = newId();
const started: Jobs[] = [];

beforeAll(async () => {
  tested = await createTestQueue();
  ({ resultId } = await putResult(tested.sql, botId));
});
afterAll(() => tested.close());
afterEach(async () => {
  for (const jobs of started.splice(0)) await jobs.stop();
  await moveClock(tested.sql, 0);
  await tested.clear();
});

describe.each(isLong ? [600, 3_600, 86_400] : [3_600])("a database clock that was set back by %d s", (seconds) => {
  test("waiting mails are sent after the clock is set back", async () => {
    const { sql } = tested;
    const outcomes: Delivery[] = [{ kind: "failed", reason: "later", isRetryable: true }];
    const sent: string[] = [];
    const mailer: Mailer = {
      async send(_, id) {
        const outcome = outcomes.shift() ?? { kind: "sent" };
        if (outcome.kind === "sent") sent.push(id);
        return outcome;
      },
    };
    const failed = await putMail(sql, { subject: "fails first", resultId, botId });
    started.push(await startTestJobs(tested, mailer));
    await waitFor(async () => (await tested.jobs("email")).some(({ state }) => state === "retry"));
    await tested.queue.boss.send("email", { mailId: newId(), botId }, { startAfter: 30 });

    await moveClock(sql, -seconds);
    const early = await putMail(sql, { subject: "sent at once", resultId, botId });

    await waitFor(() => sent.includes(early));
    const waits = await waitFor(async () => {
      const [row] = await sql<{ seconds: number; others: number }[]>`
        select
          max(extract(epoch from start_after - pgboss.job_now())) filter (where state = 'retry')::float8 as seconds,
          count(*) filter (where state = 'created' and start_after > pgboss.job_now())::integer as others
        from pgboss.job
        where name = 'email'`;
      return row && row.seconds <= 20 && row;
    });
    expect(waits.others).toBe(0);
    expect(sent).not.toContain(failed);
  });

  test("earlier events are attempted again after the clock is set back", async () => {
    const { sql } = tested;
    // Each attempt fails immediately, because calls to private addresses are not permitted.
    const { endpointId } = await putEndpoint(sql, { url: "http://127.0.0.1:9/" });
    const attemptsOf = async (id: string) => {
      const [row] = await sql<{ attempts: number }[]>`select attempts from event_deliveries where id = ${id}`;
      return row?.attempts ?? 0;
    };
    const put = (content: string) => putAnswer(sql, { endpointId, sessionId: newId(), content });
    const tried = await put("tried");
    started.push(await startTestJobs(tested, { send: async () => ({ kind: "sent" }) }));
    await waitFor(async () => (await attemptsOf(tried)) > 0);
    await sql`update event_deliveries set next_attempt_at = clock() + interval '1 minute'`;
    await sql`update event_endpoints set paused_until = clock() + interval '1 minute', unreachable_jobs = 0`;
    const written = await put("written");

    await moveClock(sql, -seconds);

    await waitFor(async () => (await attemptsOf(tried)) > 1 && (await attemptsOf(written)) > 0);
    await sql`truncate event_deliveries, event_endpoints, event_lanes`;
  });

  test("scheduled work continues after the clock is set back", async () => {
    const { sql, queue } = tested;
    const id = await queue.boss.send("email", { mailId: newId(), botId });
    await queue.boss.fetch("email");
    await queue.boss.supervise("email");
    await sql`update pgboss.version set cron_on = pgboss.job_now()`;

    await moveClock(sql, -seconds);
    await endOldFuture(queue.sql);

    const [ahead] = await sql<{ jobs: number; passes: number; queues: number }[]>`
      select
        (select count(*) from pgboss.job where greatest(created_on, started_on, heartbeat_on) > pgboss.job_now())::int as jobs,
        (select count(*) from pgboss.version where greatest(cron_on, monitor_backoff_on) > pgboss.job_now())::int as passes,
        (
          select count(*)
          from pgboss.queue
          where greatest(monitor_claim_on, monitor_on, maintain_on) > pgboss.job_now()
        )::int as queues`;
    expect(ahead).toEqual({ jobs: 0, passes: 0, queues: 0 });
    await moveClock(sql, 30 - seconds);
    await queue.boss.supervise("email");
    expect((await tested.jobs("email")).find((job) => job.id === id)?.state).toBe("retry");
  });
});
