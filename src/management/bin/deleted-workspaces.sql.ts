import type { Position } from "../../platform/database/owned-rows.sql.ts";
import type { Sql } from "../../platform/database/sql.ts";

export type BinEntryRow = {
  readonly kind: "bot" | "folder";
  readonly id: string;
  readonly name: string;
  readonly deletedAt: Date;
  readonly erasedAt: Date;
  /** The folder with which the bot or folder was deleted. Null if it was deleted separately. */
  readonly deletedWith: string | null;
};

/** Returns the bots and folders in the bin of a workspace, in the order of deletion, newest first. */
export async function listBin(
  sql: Sql,
  { workspaceId, after, limit }: { workspaceId: string; after: Position | undefined; limit: number },
): Promise<BinEntryRow[]> {
  const part = (kind: BinEntryRow["kind"]) => sql`
    (
      select ${kind}::text as kind, id, name, deleted_at, erase_after as erased_at, deleted_with
      from ${kind === "bot" ? sql`bots` : sql`folders`}
      where workspace_id = ${workspaceId}
        and deleted_at is not null
        and erase_after > clock()
        ${after ? sql`and (deleted_at, id) < (${after.createdAt}, ${after.id})` : sql``}
      order by deleted_at desc, id desc
      limit ${limit}
    )`;
  return sql<BinEntryRow[]>`
    select *
    from (${part("bot")} union all ${part("folder")}) as entries
    order by deleted_at desc, id desc
    limit ${limit}`;
}

export type BinnedWorkspaceRow = {
  readonly id: string;
  readonly name: string;
  readonly icon: string | null;
  readonly deletedAt: Date;
  readonly erasedAt: Date;
};

/**
 * Returns the deleted workspaces of which the user is ADMIN, in the order of deletion, newest first. With
 * `workspaceId`, returns only this workspace.
 */
export async function listBinnedWorkspaces(
  sql: Sql,
  list: { userId: string; workspaceId: string | undefined; after: Position | undefined; limit: number },
): Promise<BinnedWorkspaceRow[]> {
  const { userId, workspaceId, after, limit } = list;
  return sql<BinnedWorkspaceRow[]>`
    select id, name, icon, deleted_at, erase_after as erased_at
    from workspaces
    where id in (select workspace_id from members where user_id = ${userId} and role = 'ADMIN')
      and deleted_at is not null
      and erase_after > clock()
      ${workspaceId === undefined ? sql`` : sql`and id = ${workspaceId}`}
      ${after ? sql`and (deleted_at, id) < (${after.createdAt}, ${after.id})` : sql``}
    order by deleted_at desc, id desc
    limit ${limit}`;
}

/**
 * Restores a workspace from the bin, and enables the channel connections that its deletion disabled. Its domains must
 * be verified again, and its bots are restored separately. Returns false if the workspace is not in the bin or is being
 * erased.
 */
export async function restoreWorkspace(sql: Sql, workspaceId: string): Promise<boolean> {
  const rows = await sql`
    with restored as (
      update workspaces
      set deleted_at = null,
        erase_after = null,
        updated_at = greatest(clock(), updated_at + interval '1 millisecond')
      where id = ${workspaceId}
        and erase_after > clock()
      returning id
    ),
    claimed as (
      update custom_domains
      set state = 'pending',
        problem = null,
        unproved_since = clock(),
        next_check_at = clock(),
        updated_at = greatest(clock(), custom_domains.updated_at + interval '1 millisecond')
      from restored
      where custom_domains.workspace_id = restored.id
    ),
    talking as (
      update channel_connections
      set is_enabled = true,
        disabled_reason = null,
        updated_at = greatest(clock(), channel_connections.updated_at + interval '1 millisecond')
      from restored
      where channel_connections.workspace_id = restored.id
        and channel_connections.disabled_reason = 'workspace_deleted'
    )
    select id
    from restored`;
  return rows.length === 1;
}

/**
 * Marks a workspace in the bin so that neither the workspace nor its bots can be restored. A job erases them later.
 * Returns false if the workspace is not in the bin.
 */
export async function giveUpWorkspace(sql: Sql, workspaceId: string): Promise<boolean> {
  const rows = await sql`
    with given_up as (
      update workspaces
      set erase_after = clock()
      where id = ${workspaceId}
        and deleted_at is not null
      returning id
    ),
    bots_given_up as (
      update bots
      set erase_after = clock()
      from given_up
      where bots.workspace_id = given_up.id
        and bots.erase_after > clock()
    )
    select id
    from given_up`;
  return rows.length === 1;
}
