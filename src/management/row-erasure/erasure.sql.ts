import { erasedColumns } from "../../core/results/result-fields.ts";
import { shardedIds } from "../../platform/database/bulk.ts";
import { contentDeletedWith, deletedWith } from "../../platform/database/deleted.sql.ts";
import type { Position } from "../../platform/database/owned-rows.sql.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { shownAnswersDeletedWith } from "../../platform/http/requests/request-keys.sql.ts";
import { wakeResults } from "../counts/counted-results.sql.ts";
import { botEvents } from "../events/bot-events.sql.ts";

export type ResultPlace = { readonly id: string; readonly createdAt: Date };

/** Returns the given results that belong to the bot and are not archived. */
export async function findResultPlaces(
  sql: Sql,
  { botId, resultIds }: { botId: string; resultIds: readonly string[] },
): Promise<ResultPlace[]> {
  return sql<ResultPlace[]>`
    select results.id, results.created_at
    from ${shardedIds(sql, resultIds)} as wanted
    join results on results.shard = wanted.shard and results.id = wanted.id
    where results.bot_id = ${botId}
      and not results.is_archived`;
}

/**
 * Returns the bot's next results that are not archived, newest first. `after` skips the results of the previous call
 * and their dead index entries.
 */
export async function listResultPlaces(
  sql: Sql,
  { botId, after, limit }: { botId: string; after: Position | undefined; limit: number },
): Promise<ResultPlace[]> {
  return sql<ResultPlace[]>`
    select id, created_at
    from results
    where bot_id = ${botId}
      and not is_archived
      ${after ? sql`and (created_at, id) < (${after.createdAt}, ${after.id})` : sql``}
    order by created_at desc, id desc
    limit ${limit}`;
}

/**
 * Ends the chats of these results. This is a separate statement before the erasure, so that no step can add content
 * that the erasure would miss. The chats also expire, so that visitors can no longer go back in them.
 */
export async function endSessionsOfResults(sql: Sql, resultIds: readonly string[]): Promise<void> {
  await sql`
    with locked as (
      -- Whatever the plan, two erasures that meet lock in the same order.
      select sessions.shard, sessions.id
      from ${shardedIds(sql, resultIds)} as wanted
      join sessions on sessions.shard = wanted.shard and sessions.result_id = wanted.id
      order by sessions.id
      for update of sessions
    )
    update sessions
    set is_ended = true,
      state = '',
      expires_at = least(expires_at, clock()),
      updated_at = clock()
    from locked
    where sessions.shard = locked.shard
      and sessions.id = locked.id`;
}

/**
 * Archives these results and erases visitors' content in them, including waiting mails and responses stored for keys,
 * in a single statement. Includes results in the bin; with `isBinned`, erases only these. Returns the number of erased
 * results.
 */
export async function eraseResults(
  sql: Sql,
  { botId, resultIds, isBinned = false }: { botId: string; resultIds: readonly string[]; isBinned?: boolean },
): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    with locked_results as (
      select results.shard, results.id
      from ${shardedIds(sql, resultIds)} as wanted
      join results on results.shard = wanted.shard and results.id = wanted.id
      where results.bot_id = ${botId}
        and (${isBinned ? sql`` : sql`not results.is_archived or`} results.erase_after is not null)
      order by results.id
      for update of results
    ),
    archived as (
      update results
      set is_archived = true,
        erase_after = null,
        variables = '[]',
        ${erasedColumns.map((column) => sql`${sql(column)} = null,`)}
        updated_at = greatest(clock(), results.updated_at + interval '1 millisecond')
      from locked_results
      where results.shard = locked_results.shard
        and results.id = locked_results.id
      returning results.shard, results.id, results.bot_id, results.has_started
    ),
    ${wakeResults(sql, { using: "archived" })}
    ${erasedEvents(sql)},
    shown_place as (
      select id as bot_id, workspace_id
      from bots
      where id = ${botId}
        and exists (select from archived)
    ),
    ${shownAnswersDeletedWith(sql, { using: "shown_place" })}
    locked_sessions as (
      select sessions.shard, sessions.id
      from archived
      join sessions on sessions.shard = archived.shard and sessions.result_id = archived.id
      order by sessions.id
      for update of sessions
    ),
    ended as (
      delete from sessions
      using locked_sessions
      where sessions.shard = locked_sessions.shard
        and sessions.id = locked_sessions.id
      returning sessions.shard, sessions.id
    ),
    erased_steps as (${deletedWith(sql, "steps", { using: "ended" })}),
    erased_reports as (${deletedWith(sql, "effect_reports", { using: "ended" })}),
    erased_timers as (${deletedWith(sql, "due_steps", { using: "ended" })}),
    ${messagesErasedWith(sql, { using: "ended" })}
    erased_start_keys as (
      delete from start_keys
      using ended
      where start_keys.session_id = ended.id
    ),
    erased_words_under_way as (
      delete from answers_under_way
      using ended
      where answers_under_way.session_id = ended.id
    ),
    erased_jobs as (
      -- The outbox is short: jobs leave it within seconds.
      delete from outbox
      where data ->> 'resultId' = any(${[...resultIds]}::text[])
    ),
    erased_mails as (${deletedWith(sql, "mails", { using: "archived" })}),
    erased_events as (
      delete from event_deliveries
      using archived
      where event_deliveries.result_id = archived.id
    ),
    ${contentDeletedWith(sql, { using: "archived" })}
    removed_files as (
      -- Nobody opens them from now on; a job has the storage let go of them.
      update files
      set is_removed = true,
        remove_after = clock(),
        name = ''
      from archived
      where files.shard = archived.shard
        and files.result_id = archived.id
        and not files.is_removed
    )
    select count(*)::integer as count
    from archived`;
  return row?.count ?? 0;
}

/**
 * Deletes values that a concurrent statement added to `result_values` while the results were being erased. The erasure
 * waited for that statement, but did not see its rows. No values are added afterwards.
 */
export async function eraseLateValues(sql: Sql, resultIds: readonly string[]): Promise<void> {
  await sql`
    delete from result_values
    using ${shardedIds(sql, resultIds)} as wanted
    join results on results.shard = wanted.shard and results.id = wanted.id
    where result_values.shard = wanted.shard
      and result_values.result_id = wanted.id
      and results.is_archived
      and results.erase_after is null`;
}

/**
 * The erasure deletes the results' events in the same statement. The statement does not see the rows that it inserts,
 * so these new events remain.
 */
function erasedEvents(sql: Sql) {
  return botEvents(sql, {
    type: "result.erased",
    from: sql`(select * from archived where has_started) erased`,
    botId: sql`erased.bot_id`,
    result: { id: sql`erased.id`, sessionId: sql`null::uuid` },
    orderKey: sql`erased.id`,
    content: {},
  });
}

/** Returns the ids of up to `limit` of the bot's sessions. */
export async function listSessionIds(sql: Sql, { botId, limit }: { botId: string; limit: number }): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id
    from sessions
    where bot_id = ${botId}
    limit ${limit}`;
  return rows.map(({ id }) => id);
}

/** Ends these sessions before an erasure, for the same reason as `endSessionsOfResults`. */
export async function endSessions(sql: Sql, sessionIds: readonly string[]): Promise<void> {
  await sql`
    update sessions
    set is_ended = true,
      state = '',
      expires_at = least(expires_at, clock()),
      updated_at = clock()
    from ${shardedIds(sql, sessionIds)} as wanted
    where sessions.shard = wanted.shard
      and sessions.id = wanted.id`;
}

/**
 * Returns the parts of a statement that erase the messages of chats on messengers. The chats are the rows of the part
 * `using`. Rows of received messages remain without their content, so that a message that is received twice is
 * recognized.
 */
function messagesErasedWith(sql: Sql, { using }: { using: string }) {
  return sql`
    erased_messages_in as (
      update channel_inbox
      set content = null,
        decision = null
      from ${sql(using)} as chat
      where channel_inbox.session_id = chat.id
    ),
    erased_messages_out as (
      update channel_sendings
      set message = null,
        choices = null,
        error_detail = null,
        state = case when channel_sendings.state in ('pending', 'sending') then 'dropped' else channel_sendings.state end,
        error_class = case when channel_sendings.state in ('pending', 'sending') then 'erased' else channel_sendings.error_class end
      from ${sql(using)} as chat
      where channel_sendings.session_id = chat.id
    ),
    erased_channel_steps as (
      delete from channel_steps
      using ${sql(using)} as chat
      where channel_steps.shard = chat.shard
        and channel_steps.session_id = chat.id
    ),`;
}

/** Erases these sessions and their content. */
export async function eraseSessions(sql: Sql, sessionIds: readonly string[]): Promise<void> {
  await sql`
    with ended as (
      delete from sessions
      using ${shardedIds(sql, sessionIds)} as wanted
      where sessions.shard = wanted.shard
        and sessions.id = wanted.id
      returning sessions.shard, sessions.id
    ),
    ${messagesErasedWith(sql, { using: "ended" })}
    erased_start_keys as (
      delete from start_keys
      using ended
      where start_keys.session_id = ended.id
    ),
    erased_words_under_way as (
      delete from answers_under_way
      using ended
      where answers_under_way.session_id = ended.id
    ),
    erased_reports as (${deletedWith(sql, "effect_reports", { using: "ended" })}),
    erased_timers as (${deletedWith(sql, "due_steps", { using: "ended" })})
    ${deletedWith(sql, "steps", { using: "ended" })}`;
}
