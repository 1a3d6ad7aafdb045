import type { Sql } from "../database/sql.ts";

/** Whether a queue is paused. No node starts jobs of a paused queue. */
export async function isPaused(sql: Sql, queue: string): Promise<boolean> {
  const rows = await sql`
    select
    from paused_queues
    where queue = ${queue}`;
  return rows.length > 0;
}

/** Pauses a queue on every node within seconds. Running jobs are finished. Pausing a paused queue has no effect. */
export async function pauseQueue(sql: Sql, queue: string): Promise<void> {
  await sql`
    insert into paused_queues (queue)
    values (${queue})
    on conflict do nothing`;
}

export async function resumeQueue(sql: Sql, queue: string): Promise<void> {
  await sql`
    delete from paused_queues
    where queue = ${queue}`;
}
