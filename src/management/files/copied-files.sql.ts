import { limits } from "../../limits/index.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { isShown, type WorkspaceFileRow } from "./workspace-files.sql.ts";

/**
 * Returns the ids of authors' files that these bots refer to in their drafts and publications. Bots that are already in
 * the workspace are left out.
 */
export async function findNamedFiles(
  sql: Sql,
  { botIds, workspaceId }: { botIds: readonly string[]; workspaceId: string },
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    with coming as (
      select id, groups::text || settings::text || theme::text as draft
      from bots
      where id = any(${[...botIds]}::uuid[])
        and workspace_id <> ${workspaceId}
    ),
    texts as (
      select draft as text
      from coming
      union all
      select content::text
      from coming
      join flows on flows.bot_id = coming.id
      where exists (
        select
        from publications
        where publications.bot_id = flows.bot_id
          and publications.flow_hash = flows.hash
      )
    )
    select distinct ${namedId(sql)} as id
    from texts
    ${namedInTexts(sql)}`;
  return rows.map(({ id }) => id);
}

export type CopiedFile = WorkspaceFileRow & { readonly copiedFrom: string };

/**
 * Returns the given files of which a workspace has neither the original nor a copy. If an original was deleted, returns
 * its oldest copy.
 */
export async function findFilesToCopy(
  sql: Sql,
  { ids, workspaceId }: { ids: readonly string[]; workspaceId: string },
): Promise<CopiedFile[]> {
  return sql<CopiedFile[]>`
    select distinct on (named.id)
      workspace_files.id,
      workspace_files.workspace_id,
      workspace_files.name,
      workspace_files.extension,
      workspace_files.type,
      workspace_files.bytes,
      encode(workspace_files.hash, 'hex') as hash,
      workspace_files.created_at,
      named.id as copied_from
    from unnest(${[...ids]}::uuid[]) as named (id)
    join workspace_files on workspace_files.id = named.id or workspace_files.copied_from = named.id
    where ${isShown(sql)}
      and not exists (
        select
        from workspace_files as own
        where own.workspace_id = ${workspaceId}
          and (own.id = named.id or own.copied_from = named.id)
          and own.stored_at is not null
          and not own.is_removed
      )
    order by named.id, workspace_files.id = named.id desc, workspace_files.created_at`;
}

/** Returns how many more files and bytes a workspace may store. */
export async function findRoom(sql: Sql, workspaceId: string): Promise<{ files: number; bytes: number }> {
  const [row] = await sql<[{ files: number; bytes: number }]>`
    select
      ${limits.authorFiles.perWorkspace}::integer - count(*)::integer as files,
      ${limits.authorFiles.bytesPerWorkspace}::float8 - coalesce(sum(bytes), 0)::float8 as bytes
    from workspace_files
    where workspace_id = ${workspaceId}
      and not is_removed`;
  return row;
}

/** A file, and an id by which flows may refer to it: its own id, or the id of the file from which it was copied. */
export type NamedFile = { readonly id: string; readonly name: string };

/**
 * Returns the files of these workspaces of which no other workspace has the original or a copy. A file is returned once
 * for each id by which flows may refer to it.
 */
export async function findFilesOnlyThere(sql: Sql, workspaceIds: readonly string[]): Promise<NamedFile[]> {
  return sql<NamedFile[]>`
    select workspace_files.id, names.name
    from workspace_files
    cross join unnest(array[workspace_files.id, workspace_files.copied_from]) as names (name)
    where workspace_id = any(${[...workspaceIds]}::uuid[])
      and names.name is not null
      and stored_at is not null
      and not is_removed
      and not exists (
        select
        from workspace_files as others
        where (others.copied_from = names.name or others.id = names.name)
          and others.workspace_id <> all(${[...workspaceIds]}::uuid[])
          and others.stored_at is not null
          and not others.is_removed
      )`;
}

/**
 * Moves files of workspaces that are about to be erased to workspaces whose bots refer to them in drafts or versions.
 */
export async function handOverFiles(
  sql: Sql,
  { files, workspaceIds }: { files: readonly NamedFile[]; workspaceIds: readonly string[] },
): Promise<void> {
  await sql`
    with texts as (
      select workspace_id, groups::text || settings::text || theme::text as text
      from bots
      where workspace_id <> all(${[...workspaceIds]}::uuid[])
      union all
      select bots.workspace_id, flows.content::text
      from bots
      join flows on flows.bot_id = bots.id
      where bots.workspace_id <> all(${[...workspaceIds]}::uuid[])
    ),
    heirs as (
      select distinct on (1) ${namedId(sql)} as id, texts.workspace_id
      from texts
      ${namedInTexts(sql)}
      order by 1, 2
    ),
    handed as (
      select distinct on (only_there.id) only_there.id, heirs.workspace_id
      from unnest(${files.map(({ id }) => id)}::uuid[], ${files.map(({ name }) => name)}::text[]) as only_there (id, name)
      join heirs on heirs.id = only_there.name
      order by only_there.id, heirs.workspace_id
    )
    update workspace_files
    set workspace_id = handed.workspace_id
    from handed
    where workspace_files.id = handed.id`;
}

/** Joins `texts` with the addresses of files that they contain. */
function namedInTexts(sql: Sql) {
  return sql`
    cross join regexp_matches(texts.text, '/workspace-files/([0-7][0-9a-hjkmnp-tv-z]{25})\\.', 'g') as named (part)
    where strpos(texts.text, '/workspace-files/') > 0`;
}

function namedId(sql: Sql) {
  return sql`named.part[1]`;
}
