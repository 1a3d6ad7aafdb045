import type { JobCleanStatus, JobStatus, QueueJob, QueueJobOptions } from "@bull-board/api/typings/app";
import type { Db } from "pg-boss";
import { AppError } from "../../errors.ts";
import { limits } from "../../limits/index.ts";
import type { Sql, Statements } from "../database/sql.ts";
import { violatedConstraint } from "../database/violations.ts";
import { type BoardState, boardJob, boardLogs, boardStates, type JobRow } from "./board-job.ts";
import { BoardQueue, refusal } from "./board-queue.ts";
import { listJobLogs } from "./job-logs.sql.ts";
import type { Queue } from "./queue.sql.ts";
import {
  type BoardTable,
  boardBatch,
  countJobs,
  findFailedSources,
  findJob,
  listFailedJobs,
  listJobs,
  promoteJobs,
  removeDeadLetters,
  removeJobs,
  replaceData,
  startJobsNow,
} from "./queue-tables.sql.ts";

type Options = BoardTable & {
  readonly sql: Sql;
  readonly queue: Queue;
};

/**
 * Adapts a queue of Parley for Bull Board. Retrying a dead letter returns it to the queue in which it failed. An
 * impossible operation throws `job.not_possible` with a message.
 */
export class BoardAdapter extends BoardQueue {
  readonly #options: Options;
  readonly #sql: Sql;

  constructor(options: Options) {
    super(options.sql, options.name, boardStates);
    this.#options = options;
    this.#sql = options.sql;
  }

  protected countStates() {
    return countJobs(this.#options.queue.sql, this.#options);
  }

  /** Returns the jobs from index `start` to index `end`, inclusive. */
  async getJobs(states: JobStatus[], start?: number, end?: number): Promise<QueueJob[]> {
    const rows = await listJobs(this.#options.queue.sql, this.#options, { states, ...pageOf(start, end) });
    return rows.map((row) => this.#job(row));
  }

  async getJob(id: string): Promise<QueueJob | undefined> {
    const row = await this.#find(id);
    return row && this.#job(row);
  }

  async getJobLogs(id: string): Promise<string[]> {
    const row = await this.#find(id);
    if (!row) throw new AppError("job.not_found");
    return boardLogs(row, await listJobLogs(this.#sql, row.sourceId ?? row.id));
  }

  async addJob(_name: string, data: unknown, options: QueueJobOptions = {}): Promise<QueueJob> {
    const { queue, name, isDeadLetters } = this.#options;
    if (isDeadLetters) throw refusal("This queue has no workers: its jobs failed in another queue.");
    const id = await queue.boss.send(name, objectOf(data), sendOptions(options)).catch((cause: unknown) => {
      throw refusal("This queue does not accept a job like this.", cause);
    });
    const job = id === null ? undefined : await this.getJob(id);
    if (!job) throw refusal("This queue already has such a job.");
    return job;
  }

  /** Removes the jobs that are ready to run. */
  empty(): Promise<void> {
    return this.#removeAll(["waiting"]);
  }

  /** Removes every job that is not running. The queue itself is part of the service and is not removed. */
  obliterate(): Promise<void> {
    return this.#removeAll(boardStates.filter((state) => state !== "active"));
  }

  /**
   * Removes all jobs in a state. Bull Board would keep the most recent jobs, but the administrator has seen them in the
   * list.
   */
  async clean(state: JobCleanStatus): Promise<void> {
    if (state === "active") throw refusal("A running job cannot be removed.");
    await this.#removeAll([state === "wait" ? "waiting" : state]);
  }

  async promoteAll(): Promise<void> {
    while ((await promoteJobs(this.#options.queue.sql, this.#options)) === boardBatch);
  }

  /** Retries every failed job. A rejected job does not stop the others. */
  async retryAll(): Promise<void> {
    let afterId = "00000000-0000-0000-0000-000000000000";
    for (let hasMore = true; hasMore; ) {
      const rows = await listFailedJobs(this.#options.queue.sql, this.#options, { afterId, limit: boardBatch });
      if (rows.length > 0 && !(await this.#isRetried(rows))) for (const row of rows) await this.#isRetried([row]);
      afterId = rows.at(-1)?.id ?? afterId;
      hasMore = rows.length === boardBatch;
    }
  }

  setGlobalConcurrency(): Promise<void> {
    throw refusal("The service sets the number of concurrent jobs.");
  }

  #job(row: JobRow): QueueJob {
    const { id } = row;
    return {
      opts: {},
      toJSON: () => boardJob(row),
      getState: async () => row.boardState,
      promote: async () => {
        if (!(await promoteJobs(this.#options.queue.sql, this.#options, id)))
          throw refusal("Only a delayed job can be promoted.");
      },
      remove: async () => {
        const count = await removeJobs(this.#options.queue.sql, this.#options, { states: boardStates, id });
        if (count === 0) throw refusal("A running job cannot be removed.");
      },
      retry: async () => {
        if (!(await this.#isRetried([row]))) throw refusal("Another job of its kind is waiting or running.");
      },
      updateData: async (data) => {
        const isReplaced = await replaceData(this.#options.queue.sql, this.#options, { id, data: objectOf(data) });
        if (!isReplaced) throw refusal("The data of a job that is running or completed cannot be changed.");
      },
    };
  }

  async #find(id: string): Promise<JobRow | undefined> {
    return isUuid.test(id) ? await findJob(this.#options.queue.sql, this.#options, id) : undefined;
  }

  async #removeAll(states: readonly BoardState[]): Promise<void> {
    while ((await removeJobs(this.#options.queue.sql, this.#options, { states })) === boardBatch);
  }

  /**
   * Retries failed jobs, all or none. Returns false if a queue rejects a job because it allows only one job of a kind.
   */
  async #isRetried(rows: readonly JobRow[]): Promise<boolean> {
    const { queue, isDeadLetters } = this.#options;
    const ids = rows.map(({ id }) => id);
    try {
      await queue.transaction((statements, db) =>
        isDeadLetters ? this.#putBack(statements, db, ids) : this.#runAgain(statements, db, rows),
      );
      return true;
    } catch (error) {
      if (violatedConstraint(error) === undefined) throw error;
      return false;
    }
  }

  /** Retries failed jobs and removes their dead letters. A remaining dead letter could run its job a second time. */
  async #runAgain(statements: Statements, db: Db, rows: readonly JobRow[]): Promise<void> {
    const { queue, name } = this.#options;
    const cancelled = rows.filter(({ state }) => state === "cancelled").map(({ id }) => id);
    const failed = rows.filter(({ state }) => state === "failed").map(({ id }) => id);
    if (cancelled.length > 0) await queue.boss.resume(name, cancelled, { db });
    if (failed.length > 0) await queue.boss.retry(name, failed, { db });
    await startJobsNow(statements, { name, ids: [...cancelled, ...failed] });
    await removeDeadLetters(statements, rows);
  }

  /**
   * Retries the failed job under its own id if the job still exists with the same data. Otherwise, its dead letter
   * becomes a new job.
   */
  async #putBack(statements: Statements, db: Db, ids: readonly string[]): Promise<void> {
    const { queue, name } = this.#options;
    const sources = await findFailedSources(statements, name, ids);
    for (const [source, jobs] of Map.groupBy(sources, (job) => job.queue)) {
      const failed = jobs.map(({ id }) => id);
      await queue.boss.retry(source, failed, { db });
      await startJobsNow(statements, { name: source, ids: failed });
    }
    const letters = sources.map(({ letterId }) => letterId);
    if (letters.length > 0) await queue.boss.deleteJob(name, letters, { db });
    const others = ids.filter((id) => !letters.includes(id));
    if (others.length > 0) await queue.boss.redrive(name, { ids: others, limit: others.length, db });
  }
}

/** PostgreSQL accepts a far larger offset, but nobody requests that many pages. */
const maxOffset = 1_000_000_000;

/** Converts the index range to an offset and a limit, within the allowed range. */
export function pageOf(start = 0, end = start + limits.jobs.pageSize - 1): { offset: number; limit: number } {
  return { offset: wholeUpTo(start, maxOffset), limit: wholeUpTo(end - start + 1, limits.jobs.pageSize) };
}

function wholeUpTo(number: number, max: number): number {
  return Math.floor(Math.min(Math.max(0, number || 0), max));
}

const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function sendOptions({ delay, attempts }: QueueJobOptions) {
  return {
    ...(typeof delay === "number" && { startAfter: Math.ceil(delay / 1000) }),
    ...(typeof attempts === "number" && { retryLimit: Math.max(0, Math.floor(attempts) - 1) }),
  };
}

function objectOf(data: unknown): object {
  if (data === null || typeof data !== "object") throw refusal("The data of a job must be an object.");
  return data;
}
