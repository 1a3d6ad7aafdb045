import type { Mail } from "../../core/interpreter/program/job.ts";
import type { FailureReason } from "../../core/interpreter/program/outcome.ts";
import { limits } from "../../limits/index.ts";
import type { Fragment } from "../../platform/database/fragment.sql.ts";
import { first, type Sql } from "../../platform/database/sql.ts";
import { truncate } from "../../platform/database/truncate.ts";
import { newId } from "../../platform/ids.ts";
import { recountFailing } from "../counts/counted-results.sql.ts";

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
    ${logRow(sql, { from: sql`closed`, status: "success", description: "Email successfully sent" })}`;
}

/** Logs once in its result that a mail was given up. The mail stays for a while, because it may be queued again. */
export async function giveUpMail(sql: Sql, id: string, reason: string): Promise<void> {
  await sql`
    with failing as (
      update mails
      set given_up_at = clock()
      where id = ${id}
        and given_up_at is null
      returning shard, result_id, bot_id
    ),
    ${recountFailing(sql)}
    ${logRow(sql, { from: sql`failing`, status: "error", description: "Email not sent", details: reason, reason: "mail" })}`;
}

type MailLog = {
  readonly from: ReturnType<Fragment>;
  readonly status: string;
  readonly description: string;
  readonly details?: string;
  readonly reason?: FailureReason;
};

function logRow(sql: Sql, { from, status, description, details, reason }: MailLog) {
  return sql`
    insert into logs (shard, result_id, id, bot_id, status, description, details, context, reason)
    select mail.shard, mail.result_id, ${newId()}, mail.bot_id, ${status}, ${description},
      ${details === undefined ? null : truncate(details, limits.logs.detailsCharacters)}, 'While sending email', ${reason ?? null}
    from ${from} as mail
    join results on results.shard = mail.shard and results.id = mail.result_id
    where not results.is_archived`;
}
