import type { Job } from "../../core/interpreter/program/job.ts";
import type { Sql } from "../database/sql.ts";
import { shardOf } from "../ids.ts";

/** The origin of a row in the outbox: a saved step, or an export of a bot's results, whose id the row has. */
type Waiting = Job | { readonly queue: "exports"; readonly data: { readonly botId: string } };

/** A job that waits in the outbox. Its id is the id of the queue's job, forever. */
export type OutboxRow = Waiting & { readonly id: string };

/** Rows of a queue, the oldest first. All of them are due: one whose time lies ahead was written before the clock stepped back. */
export async function listWaitingRows(
  sql: Sql,
  { queue, limit }: { queue: string; limit: number },
): Promise<OutboxRow[]> {
  return sql<OutboxRow[]>`
    select id, queue, data
    from outbox
    where queue = ${queue}
    order by run_at, id
    limit ${limit}`;
}

/**
 * Takes rows out of the outbox and runs an `insert` of the queue: in one statement, so both or neither. The content of mails among them
 * is kept beside the queue. Rows that another process takes at this moment are its own to remove; the insert must accept that they exist
 * already.
 */
export async function handOverRows(
  sql: Sql,
  rows: readonly OutboxRow[],
  { text, values }: { text: string; values: readonly string[] },
): Promise<unknown[]> {
  const mails = rows.flatMap((row) => (row.queue === "email" ? [row] : []));
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
    ),
    kept as (
      insert into mails (id, shard, result_id, bot_id, content)
      select taken.id, m.shard, m.result_id, m.bot_id, taken.data
      from taken
      join unnest($${first + 1}::uuid[], $${first + 2}::smallint[], $${first + 3}::uuid[], $${first + 4}::uuid[])
        as m (id, shard, result_id, bot_id) on m.id = taken.id
      on conflict do nothing
    )
    ${text}`,
    [
      ...values,
      rows.map(({ id }) => id),
      mails.map(({ id }) => id),
      mails.map(({ data }) => shardOf(data.resultId)),
      mails.map(({ data }) => data.resultId),
      mails.map(({ data }) => data.botId),
    ],
  );
}
