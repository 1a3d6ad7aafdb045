import { createChannelGauges } from "../channels/gauges.ts";
import { createDueGauges } from "../chat/due/due-metrics.ts";
import { endOldFutureOfDueSteps } from "../chat/due/due-steps.sql.ts";
import { paymentChecks } from "../chat/payments/payment-checks.job.ts";
import type { Mailer } from "../effects/mail/email.ts";
import type { WorkspaceMailer } from "../effects/mail/workspace-mail.ts";
import { limits } from "../limits/index.ts";
import { readPauses } from "../limits/retry-settings.ts";
import { chatsOfDeletedBots, emptyBin } from "../management/bin/bin.job.ts";
import { botPictures } from "../management/bots/pictures/pictures.job.ts";
import { callJob, makeDeferredCalls } from "../management/credentials/jobs/deferred-calls.job.ts";
import { deliverMails, mailJob } from "../management/credentials/jobs/email.job.ts";
import { customDomains } from "../management/domains/custom-domains.job.ts";
import { startBacklogWatch } from "../management/events/delivery/backlog-watch.ts";
import { startEventDispatch } from "../management/events/delivery/dispatch.ts";
import { createEventMetrics } from "../management/events/delivery/metrics.ts";
import { endOldFutureOfEvents } from "../management/events/delivery/old-future.sql.ts";
import { startArrivalSweep } from "../management/files/arrival-sweep.ts";
import { createUploadGauges, nearlyFull } from "../management/files/days/upload-days.job.ts";
import { uploadedFiles } from "../management/files/uploads.job.ts";
import { insight } from "../management/insight/insight.job.ts";
import { problemAlarms } from "../management/insight/problems/problem-alarms.job.ts";
import { resultValues } from "../management/insight/result-values.job.ts";
import { endedExports, exportJob, makeExports } from "../management/results/exports/result-exports.job.ts";
import { retention } from "../management/results/retention.job.ts";
import { forgottenFlows } from "../management/row-erasure/forgotten-flows.job.ts";
import type { Clock } from "../platform/concurrency/clock.ts";
import { boundAnswers } from "../platform/database/primary/answer-bound.ts";
import { asStartError } from "../platform/database/primary/start-error.ts";
import type { WriteWatch } from "../platform/database/primary/write-watch.ts";
import type { Registry } from "../platform/observing/prometheus.ts";
import { type CleanUp, cleanUp, scheduleCleanUps } from "../platform/queue/clean-up.ts";
import { createClockWatch } from "../platform/queue/clock-watch.ts";
import { startDuePoll } from "../platform/queue/due-poll.ts";
import { endHousekeeping } from "../platform/queue/end-housekeeping.ts";
import { createJobMetrics } from "../platform/queue/metrics.ts";
import type { Queue } from "../platform/queue/queue.sql.ts";
import { endOldFuture } from "../platform/queue/queue-tables.sql.ts";
import { startRelay } from "../platform/queue/relay.ts";
import { startWorker } from "../platform/queue/workers.ts";
import type { Dependencies } from "./dependencies.ts";
import { oldRows } from "./old-rows.ts";

/**
 * The time limit for repairing due times after the clock was set back. The repair reads all waiting rows. A million
 * rows take some seconds.
 */
const putRightMs = 120_000;

/** The background work of this process: the relay of the outbox, the workers and the schedules. */
export type Jobs = {
  /** Starts the relay after a saved step has added rows to the outbox. */
  wake(): void;
  readonly metrics: readonly Registry[];
  /** Starts no more jobs and waits for running jobs, up to a time limit. The queue itself remains open. */
  stop(): Promise<void>;
};

/** Starts the relay, the workers and the schedules of this process. */
export async function startJobs(
  {
    sql,
    log,
    config,
    outage,
    storage,
    safeFetch,
    resolveTxt,
    secrets,
    providers,
    google,
  }: Pick<
    Dependencies,
    "sql" | "log" | "config" | "outage" | "storage" | "safeFetch" | "resolveTxt" | "secrets" | "providers" | "google"
  >,
  given: {
    queue: Queue;
    mailer: Mailer;
    workspaceMailer: WorkspaceMailer;
    watch?: WriteWatch;
    clock?: Clock;
    callsAtOnce?: number;
    dueSteps: { wake(): void };
    channels: { wake(): void };
  },
): Promise<Jobs> {
  const { queue, mailer, workspaceMailer, watch, clock, callsAtOnce, dueSteps, channels } = given;
  const jobMetrics = createJobMetrics(queue);
  const parts = { sql, queue, log, outage, ...(clock && { clock }) };
  const workerParts = { ...parts, metrics: jobMetrics };
  const putRight = async (): Promise<void> => {
    const mended = [endOldFuture(queue.sql), endOldFutureOfEvents(sql), endOldFutureOfDueSteps(sql)];
    await boundAnswers(putRightMs)(Promise.all(mended));
  };
  const clockWatch = createClockWatch({ log, putRight });
  const tasks: readonly CleanUp[] = [
    ...oldRows(sql),
    forgottenFlows(sql),
    ...resultValues(sql),
    insight(sql),
    problemAlarms(sql),
    botPictures(sql),
    chatsOfDeletedBots(sql),
    retention(sql),
    emptyBin(sql),
    ...uploadedFiles(sql, storage),
    nearlyFull({ sql, log, mailer, config }),
    endedExports(sql, storage),
    ...paymentChecks({ sql, secrets, safeFetch, providers }),
    customDomains({ sql, log, safeFetch, resolveTxt, mailer }),
  ];
  await boundAnswers()(scheduleCleanUps(queue.boss, tasks)).catch((error: unknown) => {
    throw asStartError(error);
  });

  const mails = startWorker(workerParts, {
    name: "email",
    atOnce: limits.mails.atOnce,
    handler: deliverMails({ sql, storage, mailer, secrets, workspaceMailer }),
  });
  const calls = startWorker(workerParts, {
    name: "calls",
    atOnce: limits.deferredCalls.atOnce,
    handler: makeDeferredCalls({ sql, secrets, safeFetch, providers, google }),
  });
  const cleanUps = startWorker(workerParts, {
    name: "clean-up",
    // Several tasks run concurrently, so that a long task does not block the others.
    atOnce: 3,
    handler: cleanUp(tasks, clockWatch),
  });
  const metrics = createEventMetrics();
  const backlog = startBacklogWatch({ ...parts, mailer, metrics });
  const events = startEventDispatch({
    ...parts,
    metrics,
    safeFetch,
    secrets,
    idlePollMs: Number.POSITIVE_INFINITY,
    retrySeconds: readPauses(config.EVENT_RETRY_SECONDS),
    ...(callsAtOnce !== undefined && { callsAtOnce }),
  });
  const exports = startWorker(workerParts, {
    name: "exports",
    // Each export reads all results of a bot while visitors use the database, so exports run one at a time.
    atOnce: 1,
    handler: makeExports({ sql, log, storage }),
  });
  const arrivals = startArrivalSweep({ storage, log });
  const workers = { email: mails, calls, exports, "clean-up": cleanUps };
  const relay = startRelay({
    ...parts,
    jobsOf: { email: mailJob, calls: callJob, exports: exportJob },
    onHandedOver: (name) => workers[name].wake(),
  });
  const poll = startDuePoll({
    ...parts,
    ...(watch && { watch }),
    clockWatch,
    relay,
    events: {
      wake() {
        events.wake();
        backlog.wake();
      },
    },
    dueSteps,
    channels,
    workers,
  });
  return {
    wake: relay.wake,
    metrics: [
      ...[metrics.registry, jobMetrics.registry, createDueGauges(sql), createChannelGauges(sql, outage)],
      createUploadGauges(sql),
    ],
    async stop() {
      await Promise.all([
        endHousekeeping(log, [poll.stop(), relay.stop(), backlog.stop(), arrivals.stop()]),
        mails.stop(),
        calls.stop(),
        events.stop(),
        exports.stop(),
        cleanUps.stop(),
      ]);
    },
  };
}
