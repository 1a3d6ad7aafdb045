import type { Sql } from "../../platform/database/sql.ts";
import { shownAnswersDeletedWith } from "../../platform/http/requests/request-keys.sql.ts";
import { removeResults } from "./clean-up.sql.ts";

/**
 * Returns the id of a bot in the bin that has open chats, or undefined. The subquery has its own limit, so that the
 * index finds each bot's chats regardless of the number of chats of other bots.
 */
export async function findBotWithChats(sql: Sql): Promise<string | undefined> {
  const [row] = await sql<{ id: string }[]>`
    select bots.id
    from bots
    cross join lateral (select from sessions where sessions.bot_id = bots.id and not sessions.is_ended limit 1) chat
    where bots.ends_chats
    order by bots.deleted_at
    limit 1`;
  return row?.id;
}

/**
 * Records that the chats of bots have ended, if the bots were deleted at least a minute ago. By then, starts that were
 * running during the deletion have been saved.
 */
export async function noteChatsEnded(sql: Sql): Promise<void> {
  await sql`
    update bots
    set ends_chats = false
    where ends_chats
      and deleted_at <= clock() - interval '1 minute'`;
}

/**
 * Returns a bot whose time in the bin has ended, whether it was deleted separately or with its folder or workspace.
 * Undefined if there is none.
 */
export async function findBotToPurge(sql: Sql): Promise<string | undefined> {
  const [row] = await sql<{ id: string }[]>`
    select id
    from bots
    where erase_after <= clock()
    order by erase_after
    limit 1`;
  return row?.id;
}

/** Deletes the rows that remain of a deleted bot's erased results. Returns the number of results. */
export async function purgeResults(sql: Sql, { botId, limit }: { botId: string; limit: number }): Promise<number> {
  return removeResults(sql, sql`bot_id = ${botId} and is_archived`, limit);
}

/**
 * Deletes a bot whose time in the bin has ended, with its flows, publications and collaborators. Returns the number of
 * deleted bots.
 */
export async function purgeBot(sql: Sql, botId: string): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    with purged as (
      delete from bots
      where id = ${botId}
        and erase_after <= clock()
      returning id, id as bot_id, workspace_id
    ),
    ${shownAnswersDeletedWith(sql, { using: "purged" })}
    flows_gone as (
      delete from flows
      using purged
      where flows.bot_id = purged.id
    ),
    exports_ended as (
      -- A job removes their files.
      update result_exports
      set expires_at = clock()
      from purged
      where result_exports.bot_id = purged.id
        and result_exports.expires_at > clock()
    )
    select count(*)::integer as count
    from purged`;
  return row.count;
}

/**
 * Returns the ids of up to `limit` workspaces whose time in the bin has ended and that have no more bots or connections
 * to messengers.
 */
export async function findWorkspacesToPurge(sql: Sql, { limit }: { limit: number }): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id
    from workspaces
    where erase_after <= clock()
      and workspaces.id is distinct from (
        select workspace_id from bots where workspace_id >= workspaces.id order by workspace_id limit 1
      )
      and not exists (select from channel_connections where channel_connections.workspace_id = workspaces.id)
    limit ${limit}`;
  return rows.map(({ id }) => id);
}

/**
 * Deletes these workspaces with all their content, unless they were restored meanwhile. Returns the number of deleted
 * workspaces. Their files are deleted from the storage afterwards.
 */
export async function purgeWorkspaces(sql: Sql, ids: readonly string[]): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    with purged as (
      delete from workspaces
      where id = any(${[...ids]}::uuid[])
        and erase_after <= clock()
      returning id, null::uuid as bot_id, id as workspace_id
    ),
    ${shownAnswersDeletedWith(sql, { using: "purged" })}
    files_removed as (
      update workspace_files
      set is_removed = true,
        remove_after = clock()
      from purged
      where workspace_files.workspace_id = purged.id
        and not workspace_files.is_removed
    )
    select count(*)::integer as count
    from purged`;
  return row.count;
}
