import type postgres from "postgres";
import type { Sql } from "../../../platform/database/sql.ts";

type Connection = Sql | postgres.TransactionSql;

export type MovedBotRow = { readonly id: string; readonly lostCustomDomain: string | null };

/**
 * Moves bots to a folder of a workspace, or to no folder if `folderId` is null. Bots from another workspace lose their
 * custom domain, their invitations, and collaborators who are not members of the new workspace. They keep their
 * results, publications and public id. Returns the moved bots. Moves nothing if the folder is not in the workspace, and
 * never moves a bot in the bin.
 */
export async function moveBots(
  sql: Connection,
  { botIds, workspaceId, folderId }: { botIds: readonly string[]; workspaceId: string; folderId: string | null },
): Promise<MovedBotRow[]> {
  return sql<MovedBotRow[]>`
    with target as (
      select id
      from workspaces
      where id = ${workspaceId}
        and deleted_at is null
      for share
    ),
    folder as (
      select id
      from folders
      where id = ${folderId}::uuid
        and workspace_id = ${workspaceId}
        and deleted_at is null
      for share
    ),
    wanted as (
      select bots.id, bots.workspace_id <> target.id as is_foreign, bots.custom_domain
      from bots, target
      where bots.id = any(${[...botIds]}::uuid[])
        and bots.deleted_at is null
        and ${folderId === null ? sql`true` : sql`exists (select from folder)`}
      order by bots.id
      for update of bots
    ),
    moved as (
      update bots
      set workspace_id = ${workspaceId},
        folder_id = ${folderId},
        custom_domain = case when wanted.is_foreign then null else bots.custom_domain end,
        updated_at = greatest(clock(), bots.updated_at + interval '1 millisecond')
      from wanted
      where bots.id = wanted.id
      returning bots.id
    ),
    parted as (
      delete from collaborators
      using wanted
      where collaborators.bot_id = wanted.id
        and wanted.is_foreign
        and not exists (
          select
          from members
          where members.workspace_id = ${workspaceId}
            and members.user_id = collaborators.user_id
        )
    ),
    uninvited as (
      delete from invitations
      using wanted
      where invitations.bot_id = wanted.id
        and wanted.is_foreign
    )
    select moved.id, case when wanted.is_foreign then wanted.custom_domain end as lost_custom_domain
    from moved
    join wanted on wanted.id = moved.id`;
}

/** Locks the bots that are not in the bin, in the order of their ids, and returns them with their workspaces. */
export async function lockBots(
  sql: postgres.TransactionSql,
  botIds: readonly string[],
): Promise<{ id: string; workspaceId: string }[]> {
  return sql<{ id: string; workspaceId: string }[]>`
    select id, workspace_id
    from bots
    where id = any(${[...botIds]}::uuid[])
      and deleted_at is null
    order by id
    for update`;
}
