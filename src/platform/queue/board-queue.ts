import { BaseAdapter } from "@bull-board/api/dist/queueAdapters/base.js";
import type { JobStatus, Status } from "@bull-board/api/typings/app";
import { AppError } from "../../errors.ts";
import type { Sql } from "../database/sql.ts";
import type { BoardState } from "./board-job.ts";
import { isPaused, pauseQueue, resumeQueue } from "./paused-queues.sql.ts";

/**
 * The base class of all queue adapters for Bull Board. An impossible operation throws `job.not_possible` with a
 * message.
 */
export abstract class BoardQueue extends BaseAdapter {
  readonly #sql: Sql;
  readonly #name: string;
  readonly #states: readonly BoardState[];

  constructor(sql: Sql, name: string, states: readonly BoardState[]) {
    // Bull Board supports two kinds of queues; the kind "bull" has fewer features. A completed job cannot be retried.
    super("bull", { allowCompletedRetries: false });
    this.#sql = sql;
    this.#name = name;
    this.#states = states;
  }

  /** Returns the number of jobs in each state. States without jobs may be omitted. */
  protected abstract countStates(): Promise<readonly { readonly state: BoardState; readonly count: number }[]>;

  getName(): string {
    return this.#name;
  }

  getStatuses(): Status[] {
    return ["latest", ...this.#states];
  }

  getJobStatuses(): JobStatus[] {
    return [...this.#states];
  }

  async getJobCounts(): Promise<Record<Status, number>> {
    const counts = { latest: 0, active: 0, waiting: 0, completed: 0, failed: 0, delayed: 0 };
    for (const { state, count } of await this.countStates()) counts[state] = count;
    return { ...counts, paused: 0, prioritized: 0, "waiting-children": 0 };
  }

  isPaused(): Promise<boolean> {
    return isPaused(this.#sql, this.#name);
  }

  pause(): Promise<void> {
    return pauseQueue(this.#sql, this.#name);
  }

  resume(): Promise<void> {
    return resumeQueue(this.#sql, this.#name);
  }

  getRedisInfo(): Promise<string> {
    throw refusal("Parley does not use Redis.");
  }

  removeJobScheduler(): Promise<boolean> {
    throw refusal("Scheduled work is part of the service.");
  }

  async getGlobalConcurrency(): Promise<null> {
    return null;
  }
}

/** Returns the error for an operation that the board offers but that is impossible. */
export function refusal(message: string, cause?: unknown): AppError {
  return new AppError("job.not_possible", { message, cause });
}
