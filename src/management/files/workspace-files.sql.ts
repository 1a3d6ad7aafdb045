import { limits } from "../../limits/index.ts";
import type { Position } from "../../platform/database/owned-rows.sql.ts";
import { first, type Sql } from "../../platform/database/sql.ts";

/** A file of authors. It is visible once its content is stored. */
export type WorkspaceFileRow = {
  readonly id: string;
  readonly workspaceId: string;
  readonly name: string;
  readonly extension: string;
  readonly type: string;
  readonly bytes: number;
  readonly hash: string;
  readonly createdAt: Date;
};

/** Returns a workspace's files, newest first. */
export async function listWorkspaceFiles(
  sql: Sql,
  { workspaceId, after, limit }: { workspaceId: string; after: Position | undefined; limit: number },
): Promise<WorkspaceFileRow[]> {
  return sql<WorkspaceFileRow[]>`
    select ${columns(sql)}
    from workspace_files
    where workspace_id = ${workspaceId}
      and not is_removed
      and stored_at is not null
      ${after ? sql`and (created_at, id) < (${after.createdAt}, ${after.id})` : sql``}
    order by created_at desc, id desc
    limit ${limit}`;
}

/**
 * Returns a stored file of a workspace that is not in the bin. If the file is a copy, `copiedFrom` is the id of the
 * original file, which flows refer to.
 */
export async function findWorkspaceFile(
  sql: Sql,
  { workspaceId, id }: { workspaceId: string; id: string },
): Promise<(WorkspaceFileRow & { readonly copiedFrom: string | null }) | undefined> {
  return first(sql<(WorkspaceFileRow & { readonly copiedFrom: string | null })[]>`
    select ${columns(sql)}, copied_from
    from workspace_files
    where id = ${id}
      and workspace_id = ${workspaceId}
      and ${isShown(sql)}`);
}

/**
 * Returns the stored file that an address shows: the file with this id, or otherwise its oldest copy. Never returns a
 * file of a workspace in the bin.
 */
export async function findShownFile(sql: Sql, id: string): Promise<WorkspaceFileRow | undefined> {
  return first(sql<WorkspaceFileRow[]>`
    select ${columns(sql)}
    from workspace_files
    where (id = ${id} or copied_from = ${id})
      and ${isShown(sql)}
    order by id = ${id} desc, created_at, id
    limit 1`);
}

/**
 * Returns the given ids that refer neither to a stored file nor to a copy of a stored file. Files of workspaces in the
 * bin count as missing.
 */
export async function findMissingFiles(sql: Sql, ids: readonly string[]): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select named.id
    from unnest(${[...ids]}::uuid[]) as named (id)
    where not exists (
      select
      from workspace_files
      where (workspace_files.id = named.id or workspace_files.copied_from = named.id)
        and ${isShown(sql)}
    )`;
  return rows.map(({ id }) => id);
}

/** Returns the SQL condition that a row of `workspace_files` is visible. */
export function isShown(sql: Sql) {
  return sql`
      not workspace_files.is_removed
        and workspace_files.stored_at is not null
        and exists (
          select
          from workspaces
          where workspaces.id = workspace_files.workspace_id
            and workspaces.deleted_at is null
        )`;
}

/**
 * Inserts a file whose content is about to be stored. Returns false if the workspace is at its limit. Concurrent
 * requests may exceed the limit.
 */
export async function insertWorkspaceFile(
  sql: Sql,
  file: Omit<WorkspaceFileRow, "createdAt"> & { readonly uploadedBy: string; readonly copiedFrom?: string },
): Promise<boolean> {
  const rows = await sql`
    insert into workspace_files (id, workspace_id, name, extension, type, bytes, hash, uploaded_by, copied_from)
    select
      ${file.id}::uuid,
      ${file.workspaceId}::uuid,
      ${file.name}::text,
      ${file.extension}::text,
      ${file.type}::text,
      ${file.bytes}::integer,
      decode(${file.hash}, 'hex'),
      ${file.uploadedBy}::uuid,
      ${file.copiedFrom ?? null}::uuid
    from (
      select count(*) as files, coalesce(sum(bytes), 0) as bytes
      from workspace_files
      where workspace_id = ${file.workspaceId}
        and not is_removed
    ) as held
    where held.files < ${limits.authorFiles.perWorkspace}::integer
      and held.bytes + ${file.bytes}::bigint <= ${limits.authorFiles.bytesPerWorkspace}::bigint
    returning id`;
  return rows.length === 1;
}

/** Records that the content is stored. Returns undefined if the file or its workspace was removed meanwhile. */
export async function markWorkspaceFileStored(sql: Sql, id: string): Promise<WorkspaceFileRow | undefined> {
  return first(sql<WorkspaceFileRow[]>`
    update workspace_files
    set stored_at = clock()
    where id = ${id}
      and not is_removed
      and exists (
        select
        from workspaces
        where workspaces.id = workspace_files.workspace_id
          and workspaces.deleted_at is null
      )
    returning ${columns(sql)}`);
}

/**
 * Removes a file for everyone. Its content is deleted from the storage later. With `isUnfinished`, removes only a file
 * that was never visible. Returns undefined if there is no such file.
 */
export async function removeWorkspaceFile(
  sql: Sql,
  { workspaceId, id, isUnfinished = false }: { workspaceId: string; id: string; isUnfinished?: boolean },
): Promise<WorkspaceFileRow | undefined> {
  return first(sql<WorkspaceFileRow[]>`
    update workspace_files
    set is_removed = true,
      remove_after = clock()
    where id = ${id}
      and workspace_id = ${workspaceId}
      and not is_removed
      and stored_at is ${isUnfinished ? sql`null` : sql`not null`}
    returning ${columns(sql)}`);
}

/**
 * Returns the ids of removed files whose content may be deleted now, and of uploads that were never finished, longest
 * due first. Postpones each file, so that no two processes handle it at the same time.
 */
export async function takeRemovedWorkspaceFiles(
  sql: Sql,
  { limit, seconds }: { limit: number; seconds: number },
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    with unfinished as (
      select id
      from workspace_files
      where stored_at is null
        and not is_removed
        and created_at < clock() - make_interval(hours => ${limits.authorFiles.unfinishedHours})
      order by created_at
      limit ${limit}
      for update skip locked
    ),
    removed as (
      select id
      from workspace_files
      where is_removed
        and (remove_after <= clock() or remove_after > clock() + make_interval(secs => ${seconds}))
      order by remove_after
      limit ${limit}
      for update skip locked
    )
    update workspace_files
    set is_removed = true,
      remove_after = clock() + make_interval(secs => ${seconds})
    where id = any(array(select id from unfinished union all select id from removed))
    returning id`;
  return rows.map(({ id }) => id);
}

/** Deletes the rows of removed files whose content is deleted. */
export async function forgetWorkspaceFiles(sql: Sql, ids: readonly string[]): Promise<void> {
  await sql`
    delete from workspace_files
    where id = any(${[...ids]}::uuid[])
      and is_removed`;
}

function columns(sql: Sql) {
  return sql`id, workspace_id, name, extension, type, bytes, encode(hash, 'hex') as hash, created_at`;
}
