import type { JobWithMetadata } from "pg-boss";
import { limits } from "../limits.ts";
import type { Log } from "../log.ts";
import { isOutage } from "../store/database/outage.ts";
import type { Sql } from "../store/database/sql.ts";
import { appendJobLogs } from "../store/jobs/job-logs.ts";
import { isPaused } from "../store/jobs/paused-queues.ts";
import { createBell } from "./bell.ts";
import type { Outage } from "./outage.ts";
import type { Queue } from "./queue.ts";
import type { QueueName } from "./queues.ts";

/** What a handler is given of a job. */
export type WaitingJob = {
  /** The queue's name for it. */
  readonly id: string;
  readonly data: unknown;
  /** Ends when this process is to stop: long work breaks off where it can be taken up again. */
  readonly signal: AbortSignal;
};

/** What came of a job. `says` is kept with the job and shown on the board, so it holds no secret. */
export type JobOutcome =
  | { readonly kind: "done"; readonly says: string }
  /** Tried again later where that may help and tries are left; otherwise it is given up, once `onGivenUp` is done. */
  | { readonly kind: "failed"; readonly says: string; readonly mayPass: boolean; onGivenUp?(): Promise<void> };

/** Does one job. What it throws is a bug or an outage: it is logged, and the job is tried again later. */
export type Handler = (job: WaitingJob) => Promise<JobOutcome>;

/** Does the jobs of one queue in this process. */
export type Worker = {
  /** Says that there may be something new: it is looked for at once instead of at the next turn of the clock. */
  wake(): void;
  /** Takes nothing more and waits for jobs under way, within a bound: what is cut off comes back when its time is over. */
  stop(): Promise<void>;
};

/** What all workers of a process share. */
export type WorkerParts = {
  readonly sql: Sql;
  readonly queue: Queue;
  readonly log: Log;
  readonly outage: Outage;
};

type WorkerOptions = {
  readonly name: QueueName;
  /** Jobs under way in this process at once. */
  readonly atOnce: number;
  readonly pollMs: number;
  readonly handler: Handler;
};

type Job = JobWithMetadata<unknown>;

/**
 * Starts doing the jobs of a queue, and goes on until it is stopped. Written upon pg-boss' `fetch`, `complete` and `fail` instead of
 * its `work`: that polls once for each job that may be under way, does one job a poll, and cannot pause.
 */
export function startWorker(parts: WorkerParts, { name, atOnce, pollMs, handler }: WorkerOptions): Worker {
  const { sql, queue, log, outage } = parts;
  const underWay = new Set<Promise<void>>();
  const bell = createBell(pollMs);
  const stopping = new AbortController();
  let isMoreWaiting = false;

  const begin = (job: Job): void => {
    const work = perform(parts, name, job, handler, stopping.signal)
      .catch((error: unknown) =>
        log.error("A job is left until its time is over", { error, queue: name, jobId: job.id }),
      )
      .finally(() => {
        underWay.delete(work);
        if (isMoreWaiting) bell.ring();
      });
    underWay.add(work);
  };
  const look = async (): Promise<void> => {
    const free = atOnce - underWay.size;
    if (free === 0) return;
    try {
      if (await isPaused(sql, name)) return;
      const jobs = await queue.boss.fetch<unknown>(name, { batchSize: free, includeMetadata: true });
      outage.passed();
      isMoreWaiting = jobs.length === free;
      jobs.forEach(begin);
    } catch (error) {
      outage.failed(error);
    }
  };
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await look();
      await bell.wait();
    }
    await Promise.all(underWay);
  };
  const ended = run();
  return {
    wake: bell.ring,
    async stop() {
      stopping.abort();
      bell.ring();
      const impatience = Promise.withResolvers<void>();
      const timer = setTimeout(impatience.resolve, limits.process.drainMs);
      await Promise.race([ended, impatience.promise]);
      clearTimeout(timer);
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
    const outcome = await handler({ id: job.id, data: job.data, signal }).catch((error: unknown): JobOutcome => {
      if (isOutage(error)) outage.failed(error);
      else log.error("A job failed", { error, queue: name, jobId: job.id });
      return { kind: "failed", says: error instanceof Error ? error.message : String(error), mayPass: true };
    });
    await settle(parts, name, job, outcome);
  } finally {
    clearInterval(heartbeat);
  }
}

/** Tells the queue now and then that the job is under way, where it wants to know. */
function startHeartbeat({ boss }: Queue, name: QueueName, job: Job): ReturnType<typeof setInterval> | undefined {
  if (job.heartbeatSeconds === null) return undefined;
  // One that cannot be sent is no reason to break off: the next one may.
  return setInterval(() => boss.touch(name, job).catch(() => {}), (job.heartbeatSeconds * 1000) / 3);
}

/**
 * Ends this attempt, unless another one has taken the job over meanwhile. What a crash in between leaves undone is done by the
 * next attempt.
 */
async function settle({ sql, queue }: WorkerParts, name: QueueName, job: Job, outcome: JobOutcome): Promise<void> {
  const { boss } = queue;
  const attempt = `Attempt ${job.retryCount + 1}`;
  if (outcome.kind === "done") {
    await boss.complete(name, job, { says: outcome.says });
    await appendJobLogs(sql, [job.id], `${attempt}: ${outcome.says}`);
    return;
  }
  const isLast = job.retryCount >= job.retryLimit;
  const isGivenUp = isLast || !outcome.mayPass;
  if (isGivenUp) await outcome.onGivenUp?.();
  const problem = { message: outcome.says };
  const isMine = isSettled(await boss.fail(name, job, problem));
  if (isMine && isGivenUp && !isLast) {
    // It waits for a retry now: without any left, failing once more is final, and takes it to the dead letters. The retry's time
    // stays: were it due, another process could take it in between.
    await boss.update(name, undefined, { id: job.id, retryLimit: job.retryCount });
    await boss.fail(name, job.id, problem);
  }
  await appendJobLogs(sql, [job.id], `${attempt} failed${isGivenUp ? ", given up" : ""}: ${outcome.says}`);
}

/** pg-boss tells how many jobs an ending concerned, though not in its types. */
function isSettled(response: object): boolean {
  return "affected" in response && response.affected === 1;
}
