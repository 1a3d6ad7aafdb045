import type { Sql } from "../../platform/database/sql.ts";
import type { Transaction } from "../../platform/database/turns.sql.ts";
import { newId, shardOf } from "../../platform/ids.ts";

/** The name of the task that ends the chats of deleted bots. */
export const chatsOfDeletedBotsTask = "chats-of-deleted-bots";

/** Bots in the bin, selected by their ids, by their workspace, or by the folder with which they were deleted. */
export type DeletedBots =
  | { readonly botIds: readonly string[] }
  | { readonly workspaceId: string; readonly deletedWith?: string };

/**
 * Ends up to `limit` open chats of deleted bots, so that none of their steps is saved afterwards. The chats also
 * expire, so that visitors can no longer go back in them. A chat that is being saved is left for the next call. Chats
 * of bots that were restored meanwhile continue. `open` is the number of open chats, up to `limit`.
 */
export async function endSomeChats(
  sql: Sql,
  which: DeletedBots,
  { limit }: { limit: number },
): Promise<{ readonly open: number; readonly ended: number }> {
  const [row] = await sql<[{ open: number; ended: number }]>`
    with open as materialized (
      select chat.shard, chat.id
      from bots
      cross join lateral (
        select shard, id
        from sessions
        where sessions.bot_id = bots.id
          and not sessions.is_ended
        limit ${limit}
      ) chat
      where bots.ends_chats
        and ${named(sql, which)}
      limit ${limit}
    ),
    locked as (
      -- In the order of their ids, as saves lock them.
      select sessions.shard, sessions.id
      from open
      join sessions on sessions.shard = open.shard and sessions.id = open.id
      order by sessions.id
      for update of sessions skip locked
    ),
    ended as (
      update sessions
      set is_ended = true,
        state = '',
        expires_at = least(expires_at, clock()),
        updated_at = greatest(clock(), sessions.updated_at + interval '1 millisecond')
      from locked
      where sessions.shard = locked.shard
        and sessions.id = locked.id
      returning sessions.id
    )
    select
      (select count(*) from open)::integer as open,
      (select count(*) from ended)::integer as ended`;
  return row;
}

function named(sql: Sql, which: DeletedBots) {
  if ("botIds" in which) return sql`bots.id = any(${[...which.botIds]}::uuid[])`;
  const { workspaceId, deletedWith } = which;
  return sql`bots.workspace_id = ${workspaceId} ${deletedWith === undefined ? sql`` : sql`and bots.deleted_with = ${deletedWith}`}`;
}

/**
 * Returns the part of a statement that queues a job to end the chats of the deleted bots. The job is needed if this
 * process dies before it has ended them.
 */
export function endingJob(sql: Sql | Transaction, { using }: { using: string }) {
  return sql`
    insert into outbox (id, queue, data)
    select ${newId()}::uuid, 'clean-up', json_build_object('task', ${chatsOfDeletedBotsTask}::text)
    where exists (select from ${sql(using)})`;
}

/**
 * Ends a chat that was saved after its bot was deleted. `isInBin` is false if the bot is already erased. Returns
 * undefined if the bot is not deleted, or if there is no such chat.
 */
export async function endChatOfDeletedBot(
  sql: Sql,
  { sessionId, botId }: { sessionId: string; botId: string },
): Promise<{ readonly isInBin: boolean } | undefined> {
  const [row] = await sql<[{ isInBin: boolean }?]>`
    update sessions
    set is_ended = true,
      state = '',
      expires_at = least(expires_at, clock()),
      updated_at = greatest(clock(), sessions.updated_at + interval '1 millisecond')
    where shard = ${shardOf(sessionId)}
      and id = ${sessionId}
      and not exists (select from bots where bots.id = ${botId} and bots.deleted_at is null)
    returning exists (select from bots where bots.id = ${botId}) as is_in_bin`;
  return row;
}
