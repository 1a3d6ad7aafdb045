import type { Clock } from "../concurrency/clock.ts";
import type { Dependencies } from "../dependencies.ts";
import type { Mailer } from "../effects/email.ts";
import { limits } from "../limits.ts";
import { startEventDispatch } from "./event-dispatch.ts";
import { type CleanUp, cleanUp } from "./handlers/clean-up.ts";
import { brokenOffErasures, deletedBots } from "./handlers/deleted-bots.ts";
import { deliverMails, mailJob } from "./handlers/email.ts";
import { deliverEventJobs } from "./handlers/events.ts";
import { forgottenFlows } from "./handlers/forgotten-flows.ts";
import { oldRows } from "./handlers/old-rows.ts";
import { uploadedFiles } from "./handlers/uploads.ts";
import { createOutage } from "./outage.ts";
import type { Queue } from "./queue.ts";
import { startRelay } from "./relay.ts";
import { scheduleCleanUps } from "./schedules.ts";
import { startWorker } from "./workers.ts";

/** How often an idle process asks a queue for jobs. Its own steps wake it at once. */
const pollMs = 2_000;
/** The clock puts clean-up jobs into their queue, and no step of this process: nothing wakes it for them. */
const cleanUpPollMs = 10_000;

/** All that this process does afterwards and by the clock. */
export type Jobs = {
  /** Says that a step was saved that leaves jobs behind. */
  wake(): void;
  /** Takes nothing more and waits for jobs under way, within a bound; the queue itself stays open. */
  stop(): Promise<void>;
};

/** Starts the relay, the workers and the schedules of this process. */
export async function startJobs(
  { sql, log, storage, safeFetch, secrets }: Pick<Dependencies, "sql" | "log" | "storage" | "safeFetch" | "secrets">,
  { queue, mailer, clock }: { queue: Queue; mailer: Mailer; clock?: Clock },
): Promise<Jobs> {
  const parts = { sql, queue, log, outage: createOutage(log), ...(clock && { clock }) };
  const tasks: readonly CleanUp[] = [
    ...oldRows(sql),
    forgottenFlows(sql),
    brokenOffErasures(sql),
    deletedBots(sql),
    ...uploadedFiles(sql, storage),
  ];
  await scheduleCleanUps(queue.boss, tasks);

  const mails = startWorker(parts, {
    name: "email",
    atOnce: limits.mails.atOnce,
    pollMs,
    handler: deliverMails({ sql, mailer }),
  });
  const cleanUps = startWorker(parts, {
    name: "clean-up",
    // A long one keeps the others waiting on no node.
    atOnce: 2,
    pollMs: cleanUpPollMs,
    handler: cleanUp(tasks),
  });
  let lookForEvents = (): void => {};
  const events = startWorker(parts, {
    name: "events",
    atOnce: limits.events.jobsAtOnce,
    pollMs,
    handler: deliverEventJobs({ sql, log, safeFetch, secrets }, { onMore: () => lookForEvents() }),
  });
  const dispatch = startEventDispatch({ ...parts, onJobs: events.wake });
  lookForEvents = dispatch.wake;
  const relay = startRelay({ ...parts, jobsOf: { email: mailJob }, onHandedOver: mails.wake });
  return {
    wake: relay.wake,
    async stop() {
      await Promise.all([relay.stop(), dispatch.stop(), mails.stop(), events.stop(), cleanUps.stop()]);
    },
  };
}
