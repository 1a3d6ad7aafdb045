import type { Mail } from "../../core/interpreter/program/job.ts";
import { limits } from "../../limits/index.ts";
import { first, type Sql } from "../../platform/database/sql.ts";
import { truncate } from "../../platform/database/truncate.ts";
import { newId } from "../../platform/ids.ts";

/** A mail that is still to be sent, neither delivered nor erased with its result, and the workspace that sends it. */
export async function findMail(
  sql: Sql,
  id: string,
): Promise<{ readonly content: Mail; readonly workspaceId: string | null } | undefined> {
  return first(sql<{ content: Mail; workspaceId: string | null }[]>`
    select
      mails.content,
      (
        select bots.workspace_id
        from bots
        where bots.id = mails.bot_id
      ) as workspace_id
    from mails
    join results on results.shard = mails.shard and results.id = mails.result_id
    where mails.id = ${id}
      and not results.is_archived`);
}

/** Deletes a delivered mail, and says so in its result's log: once, however often it is called. */
export async function closeMail(sql: Sql, id: string): Promise<void> {
  await sql`
    with closed as (
      delete from mails
      where id = ${id}
      returning shard, result_id, bot_id
    )
    ${logRow(sql, { status: "success", description: "Email successfully sent", details: null })}`;
}

/** Logs once in its result that a mail was given up. The mail stays for a while, because it may be queued again. */
export async function giveUpMail(sql: Sql, id: string, reason: string): Promise<void> {
  await sql`
    with closed as (
      update mails
      set given_up_at = clock()
      where id = ${id}
        and given_up_at is null
      returning shard, result_id, bot_id
    )
    ${logRow(sql, { status: "error", description: "Email not sent", details: reason })}`;
}

function logRow(sql: Sql, log: { status: string; description: string; details: string | null }) {
  return sql`
    insert into logs (shard, result_id, id, bot_id, status, description, details, context)
    select closed.shard, closed.result_id, ${newId()}, closed.bot_id, ${log.status}, ${log.description},
      ${log.details && truncate(log.details, limits.logs.detailsCharacters)}, 'While sending email'
    from closed
    join results on results.shard = closed.shard and results.id = closed.result_id
    where not results.is_archived`;
}
