import type { Mailer } from "../effects/email.ts";
import type { StepLog } from "../interpreter/outcome.ts";
import { limits } from "../limits.ts";
import type { Log } from "../log.ts";
import { appendLogs } from "../store/logs.ts";
import { postponeJob, removeJob, type TakenJob, takeJobs } from "../store/outbox.ts";
import type { Sql } from "../store/sql.ts";

/** Delivers what saved steps left in the outbox. */
export type Outbox = {
  /** Says that there may be something new: it is looked for at once instead of at the next turn of the clock. */
  wake(): void;
  /** Takes nothing more and waits for deliveries under way, within a bound: what is cut off is taken again later. */
  stop(): Promise<void>;
};

/**
 * Starts delivering, and goes on until it is stopped. A small relay of our own, meant to be replaced by a queue with a board:
 * all it promises is that each job is delivered at least once or given up after its retries, with a word in the result's
 * log, and that no database connection is held meanwhile. A job whose process died is taken again when its lease is over.
 */
export function startOutbox({ sql, log, mailer }: { sql: Sql; log: Log; mailer: Mailer }): Outbox {
  const underWay = new Set<Promise<void>>();
  const bell = createBell(limits.outboxPollMs);
  let isStopped = false;
  let isFailing = false;

  const begin = (job: TakenJob): void => {
    const delivery = deliver({ sql, mailer }, job)
      .catch((error: unknown) => log.error("A job of the outbox is left for later", { error, jobId: job.id }))
      .finally(() => {
        underWay.delete(delivery);
        bell.ring();
      });
    underWay.add(delivery);
  };
  const look = async (): Promise<void> => {
    const limit = limits.outboxAtOnce - underWay.size;
    if (limit === 0) return;
    try {
      const jobs = await takeJobs(sql, { queues: ["email"], limit, leaseSeconds: limits.outboxLeaseSeconds });
      isFailing = false;
      jobs.forEach(begin);
    } catch (error) {
      // Said once: the next looks come every second.
      if (!isFailing) log.warn("The outbox cannot be read at the moment", { error });
      isFailing = true;
    }
  };
  const run = async (): Promise<void> => {
    while (!isStopped) {
      await look();
      await bell.wait();
    }
    await Promise.all(underWay);
  };
  const ended = run();
  return {
    wake: bell.ring,
    async stop() {
      isStopped = true;
      bell.ring();
      const impatience = Promise.withResolvers<void>();
      const timer = setTimeout(impatience.resolve, limits.drainMs);
      await Promise.race([ended, impatience.promise]);
      clearTimeout(timer);
    },
  };
}

async function deliver({ sql, mailer }: { sql: Sql; mailer: Mailer }, job: TakenJob): Promise<void> {
  const delivery = await mailer.send(job.data, job.id);
  if (delivery.kind === "sent") return finish(sql, job, { status: "success", description: "Email successfully sent" });
  const seconds = limits.outboxRetrySeconds[job.attempts - 1];
  if (delivery.mayPass && seconds !== undefined) return postponeJob(sql, { id: job.id, seconds });
  return finish(sql, job, { status: "error", description: "Email not sent", details: delivery.reason });
}

async function finish(sql: Sql, { id, data }: TakenJob, said: StepLog): Promise<void> {
  await removeJob(sql, id);
  const { resultId, botId } = data;
  await appendLogs(sql, { resultId, botId, logs: [{ ...said, context: "While sending email" }] });
}

/** Waits for a ring or for the time; a ring while nobody waits is heard by the next one who does. */
function createBell(everyMs: number): { ring(): void; wait(): Promise<void> } {
  let isRung = false;
  let awaken = (): void => {};
  return {
    ring() {
      isRung = true;
      awaken();
    },
    async wait() {
      if (!isRung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, everyMs);
          awaken = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      isRung = false;
      awaken = () => {};
    },
  };
}
