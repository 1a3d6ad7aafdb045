import { limits } from "../../limits/index.ts";
import type { Sql, Statements } from "../database/sql.ts";
import { truncate } from "../database/truncate.ts";

/** An event in the history of a job, by the database's clock. */
export type JobLogRow = { readonly at: Date; readonly line: string };

/**
 * Adds a line to the history of each job, for example the reason why an attempt failed. `jobIds` are the queue's uuids.
 * Long lines are truncated.
 */
export async function appendJobLogs(statements: Statements, jobIds: readonly string[], line: string): Promise<void> {
  await statements`
    insert into job_logs (job_id, line)
    select job_id, ${truncate(line, limits.jobs.logCharacters)}
    from unnest(${[...jobIds]}::text[]::uuid[]) as jobs (job_id)`;
}

/** Returns the newest `limits.jobs.shownLogs` events of a job, in chronological order. */
export async function listJobLogs(sql: Sql, jobId: string): Promise<JobLogRow[]> {
  const rows = await sql<JobLogRow[]>`
    select at, line
    from job_logs
    where job_id = ${jobId}::text::uuid
    order by id desc
    limit ${limits.jobs.shownLogs}`;
  return rows.reverse();
}
