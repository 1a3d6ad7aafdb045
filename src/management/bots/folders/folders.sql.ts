import type postgres from "postgres";
import type { Position } from "../../../platform/database/owned-rows.sql.ts";
import { andSeen } from "../../../platform/database/seen.sql.ts";
import { first, type Sql } from "../../../platform/database/sql.ts";
import type { Role } from "../../access/access.sql.ts";

/** The pool, or the single connection of a transaction. */
type Connection = Sql | postgres.TransactionSql;

export type FolderRow = {
  readonly id: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly name: string;
  readonly parentFolderId: string | null;
  readonly workspaceId: string;
};

/**
 * Returns a folder with the user's role in its workspace, or undefined if there is no such folder or its workspace is
 * in the bin. Searches the folders in the bin if `isDeleted` is true, and the other folders otherwise.
 */
export async function findFolderAccess(
  sql: Sql,
  { folderId, userId, isDeleted = false }: { folderId: string; userId: string; isDeleted?: boolean },
): Promise<(FolderRow & { readonly role: Role | null }) | undefined> {
  return first(sql<(FolderRow & { role: Role | null })[]>`
    select
      members.role,
      ${folderColumns(sql)}
    from folders
    join workspaces on workspaces.id = folders.workspace_id and workspaces.deleted_at is null
    left join members on members.workspace_id = folders.workspace_id and members.user_id = ${userId}
    where folders.id = ${folderId}
      and folders.deleted_at is ${isDeleted ? sql`not null` : sql`null`}`);
}

/** Returns up to `limit` folders of a workspace, at any depth, newest first. */
export async function listAllFolders(
  sql: Sql,
  { workspaceId, after, limit }: { workspaceId: string; after: Position | undefined; limit: number },
): Promise<FolderRow[]> {
  return sql<FolderRow[]>`
    select ${folderColumns(sql)}
    from folders
    where workspace_id = ${workspaceId}
      and deleted_at is null
      ${after ? sql`and (created_at, id) < (${after.createdAt}, ${after.id})` : sql``}
    order by created_at desc, id desc
    limit ${limit}`;
}

/**
 * Returns the direct children of a folder, or of the workspace if `parentFolderId` is null, newest first. The sort
 * order includes the parent, which is equal in all rows. Otherwise PostgreSQL would sort all folders without a parent
 * instead of reading the index.
 */
export async function listFolders(
  sql: Sql,
  list: { workspaceId: string; parentFolderId: string | null; after: Position | undefined; limit: number },
): Promise<FolderRow[]> {
  const { workspaceId, parentFolderId, after, limit } = list;
  return sql<FolderRow[]>`
    select ${folderColumns(sql)}
    from folders
    where workspace_id = ${workspaceId}
      and deleted_at is null
      and parent_folder_id ${parentFolderId === null ? sql`is null` : sql`= ${parentFolderId}`}
      ${after ? sql`and (created_at, id) < (${after.createdAt}, ${after.id})` : sql``}
    order by parent_folder_id, created_at desc, id desc
    limit ${limit}`;
}

/** Inserts a folder. Returns undefined if its parent is not a folder of the same workspace. */
export async function insertFolder(
  sql: Sql,
  folder: { id: string; workspaceId: string; parentFolderId: string | null; name: string },
): Promise<FolderRow | undefined> {
  const { id, workspaceId, parentFolderId, name } = folder;
  return first(sql<FolderRow[]>`
    insert into folders (id, workspace_id, parent_folder_id, name)
    select ${id}::uuid, ${workspaceId}::uuid, ${parentFolderId}::uuid, ${name}::text
    where ${isFolderOf(sql, workspaceId, parentFolderId)}
    returning ${folderColumns(sql)}`);
}

/**
 * Locks a workspace's folders until the transaction ends. Other transactions that call this function for the workspace
 * wait.
 */
export async function lockFolders(sql: postgres.TransactionSql, workspaceId: string): Promise<void> {
  await sql`
    select 1
    from workspaces
    where id = ${workspaceId}
    for no key update`;
}

/** Whether a folder is the outer folder itself or lies inside it. */
export async function liesInside(
  sql: Connection,
  { folderId, outerFolderId }: { folderId: string; outerFolderId: string },
): Promise<boolean> {
  const [row] = await sql`
    with recursive above (id, parent_folder_id) as (
      select id, parent_folder_id
      from folders
      where id = ${folderId}
      union
      select folders.id, folders.parent_folder_id
      from folders
      join above on folders.id = above.parent_folder_id
    )
    select 1
    from above
    where id = ${outerFolderId}`;
  return row !== undefined;
}

/**
 * Writes the given fields and increases `updatedAt`. Returns undefined if there is no such folder, if its new parent is
 * not a folder of the same workspace, or if its `updatedAt` is not in `seen`.
 */
export async function updateFolder(
  sql: Connection,
  folder: { id: string; workspaceId: string },
  changes: {
    name?: string | undefined;
    parentFolderId?: string | null | undefined;
    seen?: readonly Date[] | undefined;
  },
): Promise<FolderRow | undefined> {
  const { name, parentFolderId, seen } = changes;
  return first(sql<FolderRow[]>`
    update folders
    set updated_at = greatest(clock(), updated_at + interval '1 millisecond')
      ${name === undefined ? sql`` : sql`, name = ${name}`}
      ${parentFolderId === undefined ? sql`` : sql`, parent_folder_id = ${parentFolderId}`}
    where id = ${folder.id}
      and deleted_at is null
      ${andSeen(sql, seen)}
      and ${isFolderOf(sql, folder.workspaceId, parentFolderId ?? null)}
    returning ${folderColumns(sql)}`);
}

function isFolderOf(sql: Connection, workspaceId: string, folderId: string | null) {
  if (folderId === null) return sql`true`;
  return sql`exists (
    select 1
    from folders as parents
    where parents.id = ${folderId}
      and parents.workspace_id = ${workspaceId}
      and parents.deleted_at is null
    for share
  )`;
}

/** The columns of a `FolderRow`. */
export function folderColumns(sql: Connection) {
  return sql`
    folders.id,
    folders.created_at,
    folders.updated_at,
    folders.name,
    folders.parent_folder_id,
    folders.workspace_id`;
}
