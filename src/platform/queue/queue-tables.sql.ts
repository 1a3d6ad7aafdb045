import type { Sql, Statements } from "../database/sql.ts";
import type { BoardState, JobRow } from "./board-job.ts";
import { freeConnections } from "./free-connections.sql.ts";

/** The PostgreSQL schema that contains pg-boss's tables. */
export const queueSchema = "pgboss";

/** The number of jobs that one statement retries, promotes or removes. */
export const boardBatch = 1_000;

/**
 * Identifies a queue in pg-boss's tables. Only this file uses the tables directly, for the version of pg-boss that a
 * test checks. It contains operations that pg-boss does not offer: a query for all queues, and the board's lists,
 * counts and bulk changes.
 */
export type BoardTable = {
  readonly name: string;
  /** Whether the queue contains dead letters. It then has no worker, and all of its jobs have failed. */
  readonly isDeadLetters: boolean;
};

/** The work that is available to a node. */
export type DueWork = {
  readonly hasOutboxRows: boolean;
  /** Whether events wait for delivery. Some of the events may wait for their next attempt. */
  readonly hasEvents: boolean;
  /** Whether steps of chats are due that no request will run. */
  readonly hasDueSteps: boolean;
  /** Whether connections to messengers have work but no holder. */
  readonly hasFreeConnections: boolean;
  /** The queues that are not paused and have a job that may start. */
  readonly queues: readonly string[];
  /** Whether a job with further attempts has missed its heartbeat. */
  readonly hasMissedJobs: boolean;
  /** The time of the query by the database's clock. */
  readonly now: Date;
  /** Whether the queried server accepts writes. */
  readonly takesWrites: boolean;
};

/** Finds the available work. Every node runs this query continually, so it reads little and locks nothing. */
export async function findDueWork(sql: Sql, queues: readonly string[]): Promise<DueWork> {
  const [due] = await sql<[DueWork]>`
    select
      exists (select from outbox) as has_outbox_rows,
      exists (select from event_deliveries where status = 'pending') as has_events,
      exists (select from due_steps where held_until <= clock()) as has_due_steps,
      exists (${freeConnections(sql)}) as has_free_connections,
      array(
        select known.name
        from unnest(${[...queues]}::text[]) as known (name)
        where not exists (select from paused_queues where queue = known.name)
          and exists (
            select
            from pgboss.job
            where job.name = known.name
              and job.state < 'active'
              and not job.blocked
              and job.start_after <= pgboss.job_now()
          )
      ) as queues,
      exists (
        select
        from pgboss.job
        where name = any(${[...queues]}::text[])
          and state = 'active'
          and group_id is not null
          and heartbeat_on + make_interval(secs => heartbeat_seconds) < pgboss.job_now()
          and retry_count < retry_limit
      ) as has_missed_jobs,
      clock() as now,
      not (pg_is_in_recovery() or current_setting('transaction_read_only')::boolean) as takes_writes`;
  return due;
}

/**
 * Makes the jobs of dead or suspended processes available immediately. pg-boss's supervisor would find these jobs
 * within half a minute and delay them as if they had failed. It still handles jobs without further attempts. A previous
 * attempt that continues can no longer change the job.
 */
export async function takeUpMissedJobs(sql: Sql, queues: readonly string[]): Promise<void> {
  await sql`
    update pgboss.job
    set
      state = 'retry',
      start_after = pgboss.job_now(),
      heartbeat_on = null,
      output = '{"message": "The process that ran it sends no heartbeats any more"}'
    where name = any(${[...queues]}::text[])
      and state = 'active'
      and group_id is not null
      and heartbeat_on + make_interval(secs => heartbeat_seconds) < pgboss.job_now()
      and retry_count < retry_limit`;
}

/** Returns the number of waiting jobs of each queue, including queues without waiting jobs. */
export async function countWaiting(
  sql: Sql,
  queues: readonly string[],
): Promise<readonly { readonly queue: string; readonly count: number }[]> {
  return await sql<{ queue: string; count: number }[]>`
    select queue, count(job.id)::int as count
    from unnest(${[...queues]}::text[]) as queue
    left join pgboss.job on job.name = queue and job.state < 'active'
    group by queue`;
}

/** Returns the number of jobs in each state. States without jobs are omitted. */
export async function countJobs(sql: Sql, table: BoardTable): Promise<{ state: BoardState; count: number }[]> {
  return sql<{ state: BoardState; count: number }[]>`
    select ${stateOf(sql, table)} as state, count(*)::integer as count
    from pgboss.job
    where name = ${table.name}
    group by 1`;
}

/**
 * Returns jobs in the given states. If the only state is `waiting` or `delayed`, jobs are sorted by the order in which
 * they will run, otherwise from newest to oldest.
 */
export async function listJobs(
  sql: Sql,
  table: BoardTable,
  { states, offset, limit }: { states: readonly string[]; offset: number; limit: number },
): Promise<JobRow[]> {
  return sql<JobRow[]>`
    select ${columns(sql, table)}
    from pgboss.job
    where name = ${table.name} and ${stateOf(sql, table)} = any(${[...states]}::text[])
    order by ${orderOf(sql, states)}, id
    limit ${limit}
    offset ${offset}`;
}

/** Returns failed jobs, sorted by id. */
export async function listFailedJobs(
  sql: Sql,
  table: BoardTable,
  { afterId, limit }: { afterId: string; limit: number },
): Promise<JobRow[]> {
  return sql<JobRow[]>`
    select ${columns(sql, table)}
    from pgboss.job
    where name = ${table.name} and ${stateOf(sql, table)} = 'failed' and id > ${afterId}::uuid
    order by id
    limit ${limit}`;
}

export async function findJob(sql: Sql, table: BoardTable, id: string): Promise<JobRow | undefined> {
  const [row] = await sql<JobRow[]>`
    select ${columns(sql, table)}
    from pgboss.job
    where name = ${table.name} and id = ${id}::uuid`;
  return row;
}

/** Makes delayed jobs due now: one batch, or only the job `id`. Returns the number of changed jobs. */
export async function promoteJobs(sql: Sql, table: BoardTable, id?: string): Promise<number> {
  const { count } = await sql`
    update pgboss.job
    set start_after = now()
    where name = ${table.name}
      and id in (
        select id
        from pgboss.job
        where name = ${table.name}
          and ${stateOf(sql, table)} = 'delayed'
          ${id === undefined ? sql`` : sql`and id = ${id}::uuid`}
        limit ${boardBatch}
        for update skip locked
      )`;
  return count;
}

/** Makes the given jobs due now, even if they were delayed to a later time. */
export async function startJobsNow(statements: Statements, { name, ids }: { name: string; ids: readonly string[] }) {
  await statements`
    update pgboss.job
    set start_after = now()
    where name = ${name} and id = any(${[...ids]}::uuid[]) and state < 'active' and start_after > now()`;
}

/**
 * After the clock was set back, replaces times in the future with the current time where they would delay work. Jobs
 * start at the latest after their own delay, jobs of dead processes are found after their usual time, and pg-boss's
 * scheduled work continues.
 */
export async function endOldFuture(sql: Sql): Promise<void> {
  const earlier = (column: string) =>
    sql`${sql(column)} = case when ${sql(column)} > now then now else ${sql(column)} end`;
  await sql`
    with clock as materialized (
      select pgboss.job_now() as now
    ),
    queues as (
      update pgboss.queue
      set ${earlier("monitor_claim_on")}, ${earlier("monitor_on")}, ${earlier("maintain_on")}
      from clock
      where greatest(monitor_claim_on, monitor_on, maintain_on) > now
    ),
    passes as (
      update pgboss.version
      set ${earlier("cron_on")}, ${earlier("bam_on")}, ${earlier("flow_on")}, ${earlier("reindex_on")},
        ${earlier("monitor_backoff_on")}
      from clock
      where greatest(cron_on, bam_on, flow_on, reindex_on, monitor_backoff_on) > now
    ),
    ahead as (
      select name, id
      from pgboss.job
      cross join clock
      where state < 'completed'
        and greatest(created_on, start_after, started_on, heartbeat_on) > now
      for update of job skip locked
    )
    update pgboss.job
    set ${earlier("created_on")}, ${earlier("started_on")}, ${earlier("heartbeat_on")},
      start_after = case
        when job.state <> 'retry' then least(start_after, now)
        when not retry_backoff then least(start_after, now + make_interval(secs => retry_delay))
        else least(
          start_after,
          now + make_interval(secs => least(retry_delay_max, greatest(retry_delay, 1) * 2 ^ least(16, retry_count + 1)))
        )
      end
    from ahead, clock
    where job.name = ahead.name and job.id = ahead.id`;
}

/** Removes jobs in the given states: one batch, or only the job `id`. A running job is never removed. */
export async function removeJobs(
  sql: Sql,
  table: BoardTable,
  { states, id }: { states: readonly BoardState[]; id?: string },
): Promise<number> {
  const { count } = await sql`
    delete from pgboss.job
    where name = ${table.name}
      and id in (
        select id
        from pgboss.job
        where name = ${table.name}
          and state <> 'active'
          and ${stateOf(sql, table)} = any(${[...states]}::text[])
          ${id === undefined ? sql`` : sql`and id = ${id}::uuid`}
        limit ${boardBatch}
        for update skip locked
      )`;
  return count;
}

/** Replaces the data of a job, unless the job is running or completed. Returns whether the data was replaced. */
export async function replaceData(sql: Sql, table: BoardTable, job: { id: string; data: object }): Promise<boolean> {
  const { count } = await sql`
    update pgboss.job
    set data = ${JSON.stringify(job.data)}::text::jsonb
    where name = ${table.name} and id = ${job.id}::uuid and state in ('created', 'retry', 'failed', 'cancelled')`;
  return count > 0;
}

/** Removes the dead letters of the given jobs. */
export async function removeDeadLetters(statements: Statements, jobs: readonly JobRow[]): Promise<void> {
  await statements`
    delete from pgboss.job
    where name = any(${jobs.map(({ deadLetter }) => deadLetter)}::text[])
      and source_id = any(${jobs.map(({ id }) => id)}::uuid[])
      and state < 'active'`;
}

/**
 * Finds the given dead letters whose failed job still exists with the same data. Returns each dead letter's id with its
 * failed job.
 */
export async function findFailedSources(
  statements: Statements,
  name: string,
  ids: readonly string[],
): Promise<{ letterId: string; queue: string; id: string }[]> {
  return statements<{ letterId: string; queue: string; id: string }[]>`
    select letters.id as "letterId", failed.name as queue, failed.id
    from pgboss.job as letters
    join pgboss.job as failed on failed.name = letters.source_name and failed.id = letters.source_id
    where letters.name = ${name}
      and letters.id = any(${[...ids]}::uuid[])
      and failed.state = 'failed'
      and failed.data is not distinct from letters.data`;
}

/** Renders a job's state as defined by the board. */
function stateOf(sql: Sql, { isDeadLetters }: BoardTable) {
  return sql`case
    when state = 'active' then 'active'
    when state = 'completed' then 'completed'
    when state in ('failed', 'cancelled') or ${isDeadLetters} then 'failed'
    when start_after > now() then 'delayed'
    else 'waiting'
  end`;
}

function columns(sql: Sql, table: BoardTable) {
  return sql`
    id, name as queue, state, ${stateOf(sql, table)} as "boardState", data, output, priority,
    retry_limit as "retryLimit", retry_count as "retryCount", retry_delay as "retryDelay", retry_backoff as "retryBackoff",
    expire_seconds as "expireSeconds", singleton_key as "singletonKey", dead_letter as "deadLetter",
    start_after as "startAfter", created_on as "createdOn", started_on as "startedOn", completed_on as "completedOn",
    source_name as "sourceName", source_id as "sourceId", source_created_on as "sourceCreatedOn",
    source_retry_count as "sourceRetryCount", source_output as "sourceOutput"`;
}

function orderOf(sql: Sql, states: readonly string[]) {
  if (states.length === 1 && states.includes("waiting")) return sql`priority desc, created_on`;
  if (states.length === 1 && states.includes("delayed")) return sql`start_after`;
  return sql`coalesce(completed_on, started_on, created_on) desc`;
}
