import type { Db } from "pg-boss";
import type { Clock } from "../concurrency/clock.ts";
import { type PollLoop, startPollLoop } from "../concurrency/poll-loop.ts";
import type { OutageWatch } from "../database/outages/outage-watch.ts";
import { boundAnswers } from "../database/primary/answer-bound.ts";
import type { Sql } from "../database/sql.ts";
import { toUuid } from "../ids.ts";
import { handOverRows, listWaitingRows, type OutboxRow, type WaitingRow } from "./outbox.sql.ts";
import type { Queue } from "./queue.sql.ts";

/** The number of rows that one statement moves to the queue. */
export const outboxBatch = 500;

/** The queues whose jobs come from the outbox, in the order in which their rows are moved. */
const fedQueues = ["email", "calls", "exports", "clean-up"] as const satisfies readonly WaitingRow["queue"][];

/** Creates the job data of a row. The data contains ids for the handler, but no text of a user. */
export type JobOf = (row: OutboxRow) => object;

/** The functions that create the job data, by queue. */
export type JobsOf = Readonly<Record<OutboxRow["queue"], JobOf>>;

type Parts = {
  readonly sql: Sql;
  readonly queue: Queue;
  readonly outage: OutageWatch;
  /** If absent, the relay runs only when woken. */
  readonly pollMs?: number;
  readonly clock?: Clock;
  readonly jobsOf: JobsOf;
  /** Called when this process has moved rows to a queue. */
  readonly onHandedOver: (name: WaitingRow["queue"]) => void;
};

/**
 * Moves rows from the outbox to the queue. One statement deletes a row and creates its job, so a crash neither loses
 * nor duplicates a job. A job has the id of its row: if two relays create the job simultaneously, only one job exists.
 */
export function startRelay(parts: Parts): PollLoop {
  const { outage, pollMs, clock, onHandedOver } = parts;
  const answered = boundAnswers();
  const handOverAll = async (name: WaitingRow["queue"], signal: AbortSignal): Promise<void> => {
    for (let hasMore = true; hasMore && !signal.aborted; ) {
      const count = await answered(handOverSome(parts, name));
      if (count > 0) onHandedOver(name);
      hasMore = count === outboxBatch;
    }
  };
  return startPollLoop({
    ...(pollMs !== undefined && { everyMs: pollMs }),
    ...(clock && { clock }),
    onFailure: outage.failed,
    async run(signal) {
      for (const name of fedQueues) await handOverAll(name, signal);
    },
  });
}

/**
 * The group of all jobs from the outbox. pg-boss has an index of running jobs with a group, which finds jobs with
 * missed heartbeats.
 */
export const handedOver = { id: "handed-over" };

/** Moves the oldest rows of a queue. Returns their number, including rows that another process is moving. */
async function handOverSome({ sql, queue, jobsOf }: Parts, name: WaitingRow["queue"]): Promise<number> {
  const rows = await listWaitingRows(sql, { queue: name, limit: outboxBatch });
  if (rows.length === 0) return 0;
  const jobs = rows.map((row) => ({
    ...{ id: toUuid(row.id), group: handedOver },
    // This key is also the key of scheduled jobs, so that a waiting or running task gets no second job.
    ...(row.queue === "clean-up" ? { data: row.data, singletonKey: row.data.task } : { data: jobsOf[row.queue](row) }),
  }));
  const db: Db = {
    executeSql: async (text, values = []) => ({
      rows: await handOverRows(sql, rows, { text, values: values.map(String) }),
    }),
  };
  await queue.boss.insert(name, jobs, { db });
  return rows.length;
}
