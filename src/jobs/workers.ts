import type { JobWithMetadata } from "pg-boss";
import type { Clock } from "../concurrency/clock.ts";
import { type PollLoop, startPollLoop } from "../concurrency/poll-loop.ts";
import { limits } from "../limits.ts";
import type { Log } from "../log.ts";
import { isOutage } from "../store/database/outage.ts";
import type { Sql } from "../store/database/sql.ts";
import { appendJobLogs } from "../store/jobs/job-logs.ts";
import { isPaused } from "../store/jobs/paused-queues.ts";
import type { Outage } from "./outage.ts";
import type { Queue } from "./queue.ts";
import type { QueueName } from "./queues.ts";

/** The longest pause after failures, in pauses. */
const maxPauses = 4;

/** What a handler is given of a job. */
export type WaitingJob = {
  /** The queue's name for it. */
  readonly id: string;
  readonly data: unknown;
  /** Ends when this process is to stop: long work breaks off where it can be taken up again. */
  readonly signal: AbortSignal;
};

/** What came of a job. `message` is kept with the job and shown on the board, so it holds no secret. */
export type JobOutcome =
  | { readonly kind: "done"; readonly message: string }
  /** Tried again later where that may help and tries are left; otherwise it is given up, once `onGivenUp` is done. */
  | { readonly kind: "failed"; readonly message: string; readonly mayPass: boolean; onGivenUp?(): Promise<void> };

/** Does one job. What it throws is a bug or an outage: it is logged, and the job is tried again later. */
export type Handler = (job: WaitingJob) => Promise<JobOutcome>;

/** Does the jobs of one queue in this process. */
export type Worker = {
  /** There may be a new job: look now instead of at the next poll. */
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
  /** When queues are polled without a wake-up. */
  readonly clock?: Clock;
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
 * Starts doing the jobs of a queue, and goes on until it is stopped. Built on pg-boss' `fetch`, `complete` and `fail` instead of
 * its `work`: that polls once for each job that may be under way, does one job a poll, and cannot pause.
 *
 * The loop fetches as many jobs as may begin (none while the queue is paused), and does not wait for them. When one ends and the
 * last fetch got all it asked for, there may be more: the loop is woken.
 */
export function startWorker(parts: WorkerParts, { name, atOnce, pollMs, handler }: WorkerOptions): Worker {
  const { sql, queue, log, outage, clock } = parts;
  const underWay = new Set<Promise<void>>();
  const stopping = new AbortController();
  let isMoreWaiting = false;

  const begin = (job: Job): void => {
    const work = perform(parts, name, job, handler, stopping.signal)
      .catch((error: unknown) =>
        log.error("A job is left until its time is over", { error, queue: name, jobId: job.id }),
      )
      .finally(() => {
        underWay.delete(work);
        if (isMoreWaiting) loop.wake();
      });
    underWay.add(work);
  };
  const loop = startPollLoop({
    everyMs: pollMs,
    maxPauseMs: maxPauses * pollMs,
    ...(clock && { clock }),
    onFailure: outage.failed,
    async run() {
      const free = atOnce - underWay.size;
      if (free === 0 || (await isPaused(sql, name))) return;
      const jobs = await queue.boss.fetch<unknown>(name, { batchSize: free, includeMetadata: true });
      outage.passed();
      isMoreWaiting = jobs.length === free;
      jobs.forEach(begin);
    },
  });
  return {
    wake: loop.wake,
    async stop() {
      stopping.abort();
      const impatience = Promise.withResolvers<void>();
      const timer = setTimeout(impatience.resolve, limits.process.drainMs);
      await Promise.race([loop.stop().then(() => Promise.all(underWay)), impatience.promise]);
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
      return { kind: "failed", message: error instanceof Error ? error.message : String(error), mayPass: true };
    });
    await settle(parts, name, job, outcome);
  } finally {
    void heartbeat?.stop();
  }
}

/** Tells the queue again and again that the job is under way, where it wants to know. */
function startHeartbeat({ boss }: Queue, name: QueueName, job: Job): PollLoop | undefined {
  if (job.heartbeatSeconds === null) return undefined;
  return startPollLoop({
    everyMs: (job.heartbeatSeconds * 1_000) / 3,
    startsWaiting: true,
    run: async () => void (await boss.touch(name, job)),
    // One that cannot be sent is no reason to break off: the next one may.
    onFailure: () => {},
  });
}

/**
 * Ends this attempt, unless another one has taken the job over meanwhile. What a crash in between leaves undone is done by the
 * next attempt.
 */
async function settle({ sql, queue }: WorkerParts, name: QueueName, job: Job, outcome: JobOutcome): Promise<void> {
  const { boss } = queue;
  const attempt = `Attempt ${job.retryCount + 1}`;
  if (outcome.kind === "done") {
    await boss.complete(name, job, { message: outcome.message });
    await appendJobLogs(sql, [job.id], `${attempt}: ${outcome.message}`);
    return;
  }
  const isLast = job.retryCount >= job.retryLimit;
  const isGivenUp = isLast || !outcome.mayPass;
  if (isGivenUp) await outcome.onGivenUp?.();
  const problem = { message: outcome.message };
  const isMine = isSettled(await boss.fail(name, job, problem));
  if (isMine && isGivenUp && !isLast) {
    // It waits for a retry now: without any left, failing once more is final, and takes it to the dead letters. The retry's time
    // stays: were it due, another process could take it in between.
    await boss.update(name, undefined, { id: job.id, retryLimit: job.retryCount });
    await boss.fail(name, job.id, problem);
  }
  await appendJobLogs(sql, [job.id], `${attempt} failed${isGivenUp ? ", given up" : ""}: ${outcome.message}`);
}

/** pg-boss tells how many jobs an ending concerned, though not in its types. */
function isSettled(response: object): boolean {
  return "affected" in response && response.affected === 1;
}
