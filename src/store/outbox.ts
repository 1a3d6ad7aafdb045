import { fromUuid, toUuid } from "../ids.ts";
import type { Job } from "../interpreter/job.ts";
import type { Sql } from "./sql.ts";

/** A job that somebody has taken: nobody else gets it until its lease is over. */
export type TakenJob = Job & {
  readonly id: string;
  /** How often it has been taken, this time included. */
  readonly attempts: number;
};

/** Takes jobs that are due, the oldest first. Several processes never take the same one at once. */
export async function takeJobs(
  sql: Sql,
  { queues, limit, leaseSeconds }: { queues: readonly Job["queue"][]; limit: number; leaseSeconds: number },
): Promise<TakenJob[]> {
  const rows = await sql<TakenJob[]>`
    with due as (
      select id
      from outbox
      where run_at <= clock() and queue = any(${[...queues]}::text[])
      order by run_at, id
      limit ${limit}
      for update skip locked
    )
    update outbox
    set run_at = clock() + make_interval(secs => ${leaseSeconds}),
      attempts = outbox.attempts + 1
    from due
    where outbox.id = due.id
    returning outbox.id, outbox.queue, outbox.data, outbox.attempts`;
  return rows.map((row) => ({ ...row, id: fromUuid(row.id) }));
}

/** Forgets a job that is done or given up. */
export async function removeJob(sql: Sql, id: string): Promise<void> {
  await sql`
    delete from outbox
    where id = ${toUuid(id)}`;
}

/** Puts a job back, to be taken again later. */
export async function postponeJob(sql: Sql, { id, seconds }: { id: string; seconds: number }): Promise<void> {
  await sql`
    update outbox
    set run_at = clock() + make_interval(secs => ${seconds})
    where id = ${toUuid(id)}`;
}
