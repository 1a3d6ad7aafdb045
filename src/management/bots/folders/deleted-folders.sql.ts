import type postgres from "postgres";
import { limits } from "../../../limits/index.ts";
import { first, type Sql } from "../../../platform/database/sql.ts";
import { binBots, livingFolder } from "../deleted-bots.sql.ts";
import { type FolderRow, folderColumns } from "./folders.sql.ts";

type Transaction = postgres.TransactionSql;

// Functions of this file that change folders run in a transaction that holds `lockFolders`, so that only one request at
// a time changes a tree of folders.

/**
 * Moves a folder to the bin, and its content to its parent folder. Records the moved objects, so that restoring the
 * folder moves them back. The bots in it are not deleted. Returns undefined if the folder does not exist or is already
 * in the bin.
 */
export async function binFolder(
  sql: Transaction,
  folderId: string,
): Promise<{ folder: FolderRow; botIds: string[] } | undefined> {
  const [folder] = await lockTree(sql, { folderId, isWhole: false });
  if (!folder) return undefined;
  const folders = await sql<{ id: string }[]>`
    update folders
    set parent_folder_id = ${folder.parentFolderId},
      updated_at = greatest(clock(), updated_at + interval '1 millisecond')
    where parent_folder_id = ${folderId}
      and deleted_at is null
    returning id`;
  const bots = await sql<{ id: string }[]>`
    update bots
    set folder_id = ${folder.parentFolderId},
      updated_at = greatest(clock(), updated_at + interval '1 millisecond')
    where folder_id = ${folderId}
      and deleted_at is null
    returning id`;
  await sql`
    update folders
    set ${binned(sql)},
      lifted_folder_ids = ${folders.map(({ id }) => id)}::uuid[],
      lifted_bot_ids = ${bots.map(({ id }) => id)}::uuid[]
    where id = ${folderId}`;
  return { folder, botIds: [] };
}

/**
 * Moves a folder with all its content to the bin. Returns the folder and the ids of its bots; undefined if the folder
 * does not exist or is already in the bin.
 */
export async function binFolderWithContent(
  sql: Transaction,
  folderId: string,
): Promise<{ folder: FolderRow; botIds: string[] } | undefined> {
  const tree = await lockTree(sql, { folderId, isWhole: true });
  const folder = tree.find(({ id }) => id === folderId);
  if (!folder) return undefined;
  const ids = tree.map(({ id }) => id);
  const bots = await sql<{ id: string }[]>`
    select id
    from bots
    where folder_id = any(${ids}::uuid[])
      and deleted_at is null
    for update`;
  const botIds = bots.map(({ id }) => id);
  await binBots(sql, { botIds, deletedWith: folderId });
  await sql`
    update folders
    set ${binned(sql)},
      deleted_with = case when id <> ${folderId} then ${folderId}::uuid end
    where id = any(${ids}::uuid[])`;
  return { folder, botIds };
}

/**
 * Restores a folder from the bin, with the folders that were deleted with it. Moves its former content back into the
 * folder, except for content that was moved elsewhere meanwhile. The folder returns to its former parent, or to the
 * nearest existing folder above. Returns false if the folder is not in the bin, is being erased, or belongs to a
 * workspace in the bin.
 */
export async function restoreFolder(sql: Transaction, folderId: string): Promise<boolean> {
  const [folder] = await sql<{ parentFolderId: string | null; liftedFolderIds: string[]; liftedBotIds: string[] }[]>`
    select
      ${livingFolder(sql, sql`binned.parent_folder_id`)} as parent_folder_id,
      coalesce(lifted_folder_ids, '{}') as lifted_folder_ids,
      coalesce(lifted_bot_ids, '{}') as lifted_bot_ids
    from folders as binned
    where id = ${folderId}
      and erase_after > clock()
      and exists (select from workspaces where workspaces.id = binned.workspace_id and workspaces.deleted_at is null)
    for update`;
  if (!folder) return false;
  const { parentFolderId, liftedFolderIds, liftedBotIds } = folder;
  await sql`
    update folders
    set ${restored(sql)},
      parent_folder_id = case when id = ${folderId} then ${parentFolderId}::uuid else parent_folder_id end
    where id = ${folderId}
      or deleted_with = ${folderId}`;
  await sql`
    update folders
    set parent_folder_id = ${folderId},
      updated_at = greatest(clock(), updated_at + interval '1 millisecond')
    where id = any(${liftedFolderIds}::uuid[])
      and parent_folder_id is not distinct from ${parentFolderId}
      and deleted_at is null`;
  await sql`
    update bots
    set folder_id = ${folderId},
      updated_at = greatest(clock(), updated_at + interval '1 millisecond')
    where id = any(${liftedBotIds}::uuid[])
      and folder_id is not distinct from ${parentFolderId}
      and workspace_id = (select workspace_id from folders where id = ${folderId})
      and deleted_at is null`;
  return true;
}

/**
 * Erases a folder of the bin. Objects that were deleted with it become due for erasure, and content that was moved to
 * the parent folder remains there. Returns false if the folder is not in the bin.
 */
export async function eraseFolder(sql: Transaction, folderId: string): Promise<boolean> {
  const [folder] = await sql<{ parentFolderId: string | null }[]>`
    select parent_folder_id
    from folders
    where id = ${folderId}
      and deleted_at is not null
    for update`;
  if (!folder) return false;
  await sql`update bots set erase_after = clock() where deleted_with = ${folderId} and erase_after > clock()`;
  await sql`update folders set erase_after = clock() where deleted_with = ${folderId} and erase_after > clock()`;
  await sql`update bots set folder_id = ${folder.parentFolderId} where folder_id = ${folderId}`;
  await sql`update folders set parent_folder_id = ${folder.parentFolderId} where parent_folder_id = ${folderId}`;
  await sql`delete from folders where id = ${folderId}`;
  return true;
}

/** Returns a folder whose time in the bin has ended; undefined if there is none. */
export async function findFolderToErase(sql: Sql): Promise<{ id: string; workspaceId: string } | undefined> {
  return first(sql<{ id: string; workspaceId: string }[]>`
    select id, workspace_id
    from folders
    where erase_after <= clock()
    order by erase_after
    limit 1`);
}

/**
 * Locks and returns a folder and, with `isWhole`, all folders in it. Until the transaction ends, no other request can
 * change these folders or add a bot to them.
 */
async function lockTree(
  sql: Transaction,
  { folderId, isWhole }: { folderId: string; isWhole: boolean },
): Promise<FolderRow[]> {
  return sql<FolderRow[]>`
    with recursive inside (id) as (
      select id
      from folders
      where id = ${folderId}
        and deleted_at is null
      ${isWhole ? sql`union select folders.id from folders join inside on folders.parent_folder_id = inside.id and folders.deleted_at is null` : sql``}
    )
    select ${folderColumns(sql)}
    from folders
    where folders.id in (select id from inside)
    order by folders.id
    for update of folders`;
}

function binned(sql: Transaction) {
  return sql`
    deleted_at = clock(),
    erase_after = clock() + make_interval(days => ${limits.erasure.graceDays}),
    updated_at = greatest(clock(), updated_at + interval '1 millisecond')`;
}

function restored(sql: Transaction) {
  return sql`
    deleted_at = null,
    erase_after = null,
    deleted_with = null,
    lifted_folder_ids = null,
    lifted_bot_ids = null,
    updated_at = greatest(clock(), updated_at + interval '1 millisecond')`;
}
