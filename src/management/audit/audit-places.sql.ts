import { shardedIds } from "../../platform/database/bulk.ts";
import { first, type Sql } from "../../platform/database/sql.ts";

/** Returns the workspace of each of these bots, including bots in the bin. */
export async function findWorkspacesOfBots(
  sql: Sql,
  botIds: readonly string[],
): Promise<{ id: string; workspaceId: string }[]> {
  return sql<{ id: string; workspaceId: string }[]>`
    select id, workspace_id
    from bots
    where id = any(${[...botIds]}::uuid[])
    order by id`;
}

/**
 * Returns the ids of the bots and folders in a folder at any depth. Also returns the bots and folders that the folder's
 * deletion moved to its parent folder, or that were deleted with it.
 */
export async function findInsideFolder(sql: Sql, folderId: string): Promise<{ botIds: string[]; folderIds: string[] }> {
  const [row] = await sql<[{ botIds: string[]; folderIds: string[] }]>`
    with recursive inside (id) as (
      select ${folderId}::uuid
      union
      select folders.id
      from folders
      join inside on folders.parent_folder_id = inside.id
    ),
    lifted as (
      select lifted_folder_ids, lifted_bot_ids
      from folders
      where id = ${folderId}
    )
    select
      array(
        select id
        from bots
        where folder_id in (select id from inside)
          or deleted_with = ${folderId}
          or id = any(coalesce((select lifted_bot_ids from lifted), '{}'))
        order by id
      ) as bot_ids,
      array(
        select id
        from folders
        where id <> ${folderId}
          and (
            id in (select id from inside)
            or deleted_with = ${folderId}
            or id = any(coalesce((select lifted_folder_ids from lifted), '{}'))
          )
        order by id
      ) as folder_ids`;
  return row;
}

/** Returns the ids of the given results that belong to the bot. */
export async function findResultsOfBot(
  sql: Sql,
  { botId, resultIds }: { botId: string; resultIds: readonly string[] },
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select results.id
    from ${shardedIds(sql, resultIds)} as wanted
    join results on results.shard = wanted.shard and results.id = wanted.id
    where results.bot_id = ${botId}
    order by results.id`;
  return rows.map(({ id }) => id);
}

/**
 * Returns the ids of the workspace's member and invitation with this email address. With `botId`, returns the ids of
 * the bot's collaborator and invitation instead. Each id is null if there is no such object.
 */
export async function findByEmail(
  sql: Sql,
  { email, workspaceId, botId }: { email: string; workspaceId: string | undefined; botId: string | undefined },
): Promise<{ userId: string | null; invitationId: string | null }> {
  const [row] = await sql<[{ userId: string | null; invitationId: string | null }]>`
    select
      (
        select user_id
        from (
          select user_id from members where workspace_id = ${workspaceId ?? null} and ${botId === undefined}
          union all
          select user_id from collaborators where bot_id = ${botId ?? null}
        ) as entitled
        join users on users.id = entitled.user_id
        where lower(users.email) = lower(${email})
        limit 1
      ) as user_id,
      (
        select id
        from invitations
        where lower(email) = lower(${email})
          and bot_id is not distinct from ${botId ?? null}::uuid
          and (${botId !== undefined} or workspace_id = ${workspaceId ?? null})
        limit 1
      ) as invitation_id`;
  return row;
}

/** Returns the workspace or bot to which an invitation's code gives access, or undefined for an unknown code. */
export async function findInvitedTo(
  sql: Sql,
  codeHash: Uint8Array,
): Promise<{ workspaceId: string; botId: string | null } | undefined> {
  return first(sql<{ workspaceId: string; botId: string | null }[]>`
    select workspace_id, bot_id
    from invitations
    where code_hash = ${codeHash}`);
}
