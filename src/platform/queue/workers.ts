import type { JobWithMetadata } from "pg-boss";
import { limits } from "../../limits/index.ts";
import type { Clock } from "../concurrency/clock.ts";
import { type PollLoop, startPollLoop } from "../concurrency/poll-loop.ts";
import { within } from "../concurrency/within.ts";
import type { OutageWatch } from "../database/outages/outage-watch.ts";
import { boundAnswers } from "../database/primary/answer-bound.ts";
import { isOutage } from "../database/primary/outage.ts";
import type { Sql } from "../database/sql.ts";
import type { Log } from "../observing/log.ts";
import { reasonOf } from "../thrown.ts";
import { appendJobLogs } from "./job-logs.sql.ts";
import type { JobMetrics } from "./metrics.ts";
import { isPaused } from "./paused-queues.sql.ts";
import type { Queue } from "./queue.sql.ts";
import type { QueueName } from "./queues.ts";

/** The properties of a job that its handler receives. */
export type WaitingJob = {
  /** The id of the job in the queue. */
  readonly id: string;
  readonly data: unknown;
  /** Whether an earlier attempt failed or its process died. */
  readonly isRepeated?: boolean;
  /** Aborted when this process stops. Long work then ends at a point where the next run can continue. */
  readonly signal: AbortSignal;
};

/** The outcome of a job. `message` is stored with the job and shown on the board, so it must not contain secrets. */
export type JobOutcome =
  | { readonly kind: "done"; readonly message: string }
  /**
   * The job is retried later if `isRetryable` is set and retries are left. Otherwise, the job fails permanently after
   * `onGivenUp`.
   */
  | { readonly kind: "failed"; readonly message: string; readonly isRetryable: boolean; onGivenUp?(): Promise<void> };

/** Runs one job. A thrown error is a bug or an outage; it is logged, and the job is retried later. */
export type Handler = (job: WaitingJob) => Promise<JobOutcome>;

/** Runs the jobs of one queue in this process. */
export type Worker = {
  /** Polls immediately, because there may be a new job. */
  wake(): void;
  /**
   * Starts no more jobs and waits for the running jobs, up to a time limit. A job that is still running afterwards is
   * retried after a missed heartbeat or when it expires.
   */
  stop(): Promise<void>;
};

/** The dependencies that all workers of a process share. */
export type WorkerParts = {
  readonly sql: Sql;
  readonly queue: Queue;
  readonly log: Log;
  readonly outage: OutageWatch;
  readonly metrics?: Pick<JobMetrics, "count">;
  readonly clock?: Clock;
};

type WorkerOptions = {
  readonly name: QueueName;
  /** The maximum number of concurrent jobs in this process. */
  readonly atOnce: number;
  /** If absent, the worker runs only when woken. */
  readonly pollMs?: number;
  readonly handler: Handler;
};

type Job = JobWithMetadata<unknown>;

/**
 * Runs the jobs of a queue until the worker is stopped. The worker uses pg-boss's `fetch`, `complete` and `fail`
 * instead of `work`, which polls separately for each concurrent job, runs one job per poll, and cannot pause.
 *
 * The loop fetches as many jobs as may start (none while the queue is paused), and does not wait for them. When a job
 * ends and the last fetch was full, the loop is woken, because there may be more jobs.
 */
export function startWorker(parts: WorkerParts, { name, atOnce, pollMs, handler }: WorkerOptions): Worker {
  const { sql, queue, log, outage, clock } = parts;
  const answered = boundAnswers();
  const underWay = new Set<Promise<void>>();
  const stopping = new AbortController();
  let hasMoreWaiting = false;

  const begin = (job: Job): void => {
    const work = perform(parts, name, job, handler, stopping.signal)
      .catch((error: unknown) => {
        // The job remains active until it misses its heartbeat or expires.
        if (isOutage(error)) outage.failed(error);
        else log.error("The outcome of a job could not be saved", { error, queue: name, jobId: job.id });
      })
      .finally(() => {
        underWay.delete(work);
        if (hasMoreWaiting) loop.wake();
      });
    underWay.add(work);
  };
  const loop = startPollLoop({
    ...(pollMs !== undefined && { everyMs: pollMs }),
    ...(clock && { clock }),
    onFailure: outage.failed,
    async run() {
      const free = atOnce - underWay.size;
      if (free === 0 || (await answered(isPaused(sql, name)))) return;
      // If the response to a fetch arrives too late, its jobs wait until they miss their heartbeat or expire, as after
      // a crash.
      const fetching = queue.boss.fetch<unknown>(name, { batchSize: free, includeMetadata: true });
      const jobs = await answered(fetching);
      hasMoreWaiting = jobs.length === free;
      jobs.forEach(begin);
    },
  });
  return {
    wake: loop.wake,
    async stop() {
      stopping.abort();
      const ended = loop.stop().then(() => Promise.all(underWay));
      await within<unknown>(limits.process.drainMs, ended, () => undefined);
    },
  };
}

async function perform(
  parts: WorkerParts,
  name: QueueName,
  job: Job,
  handler: Handler,
  signal: AbortSignal,
): Promise<void> {
  const { queue, log, outage } = parts;
  const heartbeat = startHeartbeat(queue, name, job);
  try {
    const outcome = await handler({ id: job.id, data: job.data, isRepeated: job.retryCount > 0, signal }).catch(
      (error: unknown): JobOutcome => {
        if (isOutage(error)) outage.failed(error);
        else log.error("A job failed", { error, queue: name, jobId: job.id });
        return { kind: "failed", message: reasonOf(error), isRetryable: true };
      },
    );
    await endAttempt(parts, name, job, outcome);
  } finally {
    void heartbeat?.stop();
  }
}

/** Sends heartbeats for a job if its queue requires them. */
function startHeartbeat({ boss }: Queue, name: QueueName, job: Job): PollLoop | undefined {
  if (job.heartbeatSeconds === null) return undefined;
  return startPollLoop({
    everyMs: (job.heartbeatSeconds * 1_000) / 3,
    startsWaiting: true,
    run: async () => void (await boss.touch(name, job)),
    // A failed heartbeat does not abort the job, because the next heartbeat may succeed.
    onFailure: () => {},
  });
}

/**
 * Completes or fails this attempt, unless another attempt has started in the meantime. After a crash between the
 * statements, the next attempt completes the rest.
 */
async function endAttempt(
  { sql, queue, metrics }: WorkerParts,
  name: QueueName,
  job: Job,
  outcome: JobOutcome,
): Promise<void> {
  const { boss } = queue;
  const attempt = `Attempt ${job.retryCount + 1}`;
  if (outcome.kind === "done") {
    await boss.complete(name, job, { message: outcome.message });
    metrics?.count(name, "done");
    await appendJobLogs(sql, [job.id], `${attempt}: ${outcome.message}`);
    return;
  }
  const isLast = job.retryCount >= job.retryLimit;
  const isGivenUp = isLast || !outcome.isRetryable;
  if (isGivenUp) await outcome.onGivenUp?.();
  const problem = { message: outcome.message };
  const isMine = isEnded(await boss.fail(name, job, problem));
  if (isMine) metrics?.count(name, isGivenUp ? "given_up" : "retried");
  if (isMine && isGivenUp && !isLast) {
    // The job now waits for a retry. With no retries left, failing it once more is final and moves it to the dead
    // letters. The time of its retry is kept, because another process could fetch a due job in between.
    await boss.update(name, undefined, { id: job.id, retryLimit: job.retryCount });
    await boss.fail(name, job.id, problem);
  }
  await appendJobLogs(sql, [job.id], `${attempt} failed${isGivenUp ? ", no more retries" : ""}: ${outcome.message}`);
}

/**
 * Whether pg-boss has changed one job. pg-boss returns the number of changed jobs, but its types omit this property.
 */
function isEnded(response: object): boolean {
  return "affected" in response && response.affected === 1;
}
