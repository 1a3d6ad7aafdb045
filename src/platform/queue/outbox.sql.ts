import type { Job } from "../../core/interpreter/program/job.ts";
import type { Sql } from "../database/sql.ts";
import { shardOf } from "../ids.ts";
import type { CleanUpJob } from "./clean-up.ts";

/** The content of a row in the outbox: a job of a saved step, or an export of a bot's results. */
type Waiting = Job | { readonly queue: "exports"; readonly data: { readonly botId: string } };

/** A job that waits in the outbox. Its id becomes the id of the queue's job. */
export type OutboxRow = Waiting & { readonly id: string };

/** A scheduled task that must run now in addition to its schedule. */
type TaskRow = { readonly id: string; readonly queue: "clean-up"; readonly data: CleanUpJob };

/** A row of the outbox: the job of a saved step, an export, or a scheduled task. */
export type WaitingRow = OutboxRow | TaskRow;

/**
 * Returns the oldest rows of a queue. All rows are due. A row with a time in the future was written before the clock
 * was set back.
 */
export async function listWaitingRows(
  sql: Sql,
  { queue, limit }: { queue: string; limit: number },
): Promise<WaitingRow[]> {
  return sql<WaitingRow[]>`
    select id, queue, data
    from outbox
    where queue = ${queue}
    order by run_at, id
    limit ${limit}`;
}

/** The tables that store the content of jobs outside the queue until the jobs are done. */
const contentTables: Readonly<Record<Job["queue"], string>> = { email: "mails", calls: "deferred_calls" };

/**
 * Moves rows of one queue from the outbox to the queue. A single statement deletes the rows and runs the `insert` in
 * `text`, which must accept rows that already exist. The content that steps have saved is stored outside the queue.
 * Rows that another process is moving are skipped.
 */
export async function handOverRows(
  sql: Sql,
  rows: readonly WaitingRow[],
  { text, values }: { text: string; values: readonly string[] },
): Promise<unknown[]> {
  const saved = rows.flatMap((row) => (row.queue === "exports" || row.queue === "clean-up" ? [] : [row]));
  const table = saved[0] && contentTables[saved[0].queue];
  const first = values.length + 1;
  return sql.unsafe(
    `with due as (
      select id
      from outbox
      where id = any($${first}::uuid[])
      order by id
      for update skip locked
    ),
    taken as (
      delete from outbox
      using due
      where outbox.id = due.id
      returning outbox.id, outbox.data
    )${table === undefined ? "" : keptPart(table, first + 1)}
    ${text}`,
    [
      ...values,
      rows.map(({ id }) => id),
      ...(table === undefined
        ? []
        : [
            saved.map(({ id }) => id),
            saved.map(({ data }) => shardOf(data.resultId)),
            saved.map(({ data }) => data.resultId),
            saved.map(({ data }) => data.botId),
          ]),
    ],
  );
}

/** Returns the part of the statement that stores the content of the rows. Its parameters are numbered from `first`. */
function keptPart(table: string, first: number): string {
  return `,
    kept as (
      insert into ${table} (id, shard, result_id, bot_id, content)
      select taken.id, saved.shard, saved.result_id, saved.bot_id, taken.data
      from taken
      join unnest($${first}::uuid[], $${first + 1}::smallint[], $${first + 2}::uuid[], $${first + 3}::uuid[])
        as saved (id, shard, result_id, bot_id) on saved.id = taken.id
      on conflict do nothing
    )`;
}
