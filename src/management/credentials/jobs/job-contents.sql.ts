import type { DeferredCall, Mail } from "../../../core/interpreter/program/job.ts";
import type { FailureReason } from "../../../core/interpreter/program/outcome.ts";
import { limits } from "../../../limits/index.ts";
import type { Fragment } from "../../../platform/database/fragment.sql.ts";
import type { Sql } from "../../../platform/database/sql.ts";
import { truncate } from "../../../platform/database/truncate.ts";
import { newId } from "../../../platform/ids.ts";
import { recountFailing } from "../../counts/counted-results.sql.ts";

/** The tables that contain the content of jobs that steps saved. */
type ContentTable = "mails" | "deferred_calls";

/** Content that is still to be sent, and the workspace that sends it. */
export type FoundContent<Content> = {
  readonly id: string;
  readonly content: Content;
  readonly workspaceId: string | null;
};

/** An entry in a result's log about the outcome of a job. */
export type JobLog = {
  readonly status: "success" | "error";
  readonly description: string;
  readonly details?: string;
  readonly context: string;
  readonly reason?: FailureReason;
};

/**
 * Returns the given mails that must still be sent, because they were neither delivered nor deleted with their results.
 */
export async function findMails(sql: Sql, ids: readonly string[]): Promise<FoundContent<Mail>[]> {
  return sql<FoundContent<Mail>[]>`${waitingIn(sql, "mails", ids)}`;
}

/** Like `findMails`, for calls, oldest first. */
export async function findCalls(sql: Sql, ids: readonly string[]): Promise<FoundContent<DeferredCall>[]> {
  return sql<FoundContent<DeferredCall>[]>`${waitingIn(sql, "deferred_calls", ids)}`;
}

function waitingIn(sql: Sql, table: ContentTable, ids: readonly string[]) {
  return sql`
    select
      waiting.id,
      waiting.content,
      (
        select bots.workspace_id
        from bots
        where bots.id = waiting.bot_id
      ) as workspace_id
    from ${sql(table)} as waiting
    join results on results.shard = waiting.shard and results.id = waiting.result_id
    where waiting.id = any(${[...ids]}::uuid[])
      and not results.is_archived
    order by waiting.id`;
}

/** Deletes delivered contents and records the delivery once in the log of each result, even if called repeatedly. */
export async function closeContents(sql: Sql, table: ContentTable, ids: readonly string[], log: JobLog): Promise<void> {
  await sql`
    with closed as (
      delete from ${sql(table)} as waiting
      using ${withLogIds(sql, ids)} as given
      where waiting.id = given.id
      returning waiting.shard, waiting.result_id, waiting.bot_id, waiting.content ->> 'blockId' as block_id, given.log_id
    )
    ${logRows(sql, { from: sql`closed`, log })}`;
}

/**
 * Records once in the result's log that delivery finally failed. The content remains for some time, because its job may
 * be queued again.
 */
export async function giveUpContent(sql: Sql, table: ContentTable, id: string, log: JobLog): Promise<void> {
  await sql`
    with failing as (
      update ${sql(table)} as waiting
      set given_up_at = clock()
      from ${withLogIds(sql, [id])} as given
      where waiting.id = given.id
        and waiting.given_up_at is null
      returning waiting.shard, waiting.result_id, waiting.bot_id, waiting.content ->> 'blockId' as block_id, given.log_id
    ),
    ${recountFailing(sql)}
    ${logRows(sql, { from: sql`failing`, log })}`;
}

function withLogIds(sql: Sql, ids: readonly string[]) {
  return sql`(
        select *
        from unnest(${[...ids]}::uuid[], ${ids.map(() => newId())}::uuid[]) as named (id, log_id)
      )`;
}

function logRows(sql: Sql, { from, log }: { from: ReturnType<Fragment>; log: JobLog }) {
  const { status, description, details, context, reason = null } = log;
  return sql`
    insert into logs (shard, result_id, id, bot_id, status, description, details, context, reason, block_id)
    select job.shard, job.result_id, job.log_id, job.bot_id, ${status}, ${description},
      ${details === undefined ? null : truncate(details, limits.logs.detailsCharacters)}, ${context}, ${reason},
      job.block_id
    from ${from} as job
    join results on results.shard = job.shard and results.id = job.result_id
    where not results.is_archived`;
}
