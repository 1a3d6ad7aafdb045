import { boolean, bulk, integer, shardedIds, text, uuid } from "../../../platform/database/bulk.ts";
import type { Sql } from "../../../platform/database/sql.ts";
import { shardOf } from "../../../platform/ids.ts";
import type { FileRow } from "../../files/files.sql.ts";

/** A file that a visitor uploaded to another service, with its id on this instance. */
export type ImportedFile = Pick<
  FileRow,
  "id" | "blockId" | "name" | "extension" | "type" | "isPublic" | "maxBytes" | "createdAt"
>;

const fileRows = bulk<ImportedFile>({
  id: uuid(({ id }) => id),
  block_id: text(({ blockId }) => blockId),
  name: text(({ name }) => name),
  extension: text(({ extension }) => extension),
  type: text(({ type }) => type),
  is_public: boolean(({ isPublic }) => isPublic),
  max_bytes: integer(({ maxBytes }) => maxBytes),
  created_at: text(({ createdAt }) => createdAt.toISOString()),
});

type Place = { readonly botId: string; readonly resultId: string };

/**
 * Inserts files of an imported result before their content is uploaded. Existing files do not change. Returns false,
 * and inserts nothing, if the result would have more than `most` files.
 *
 * The files count as answered, so that they are stored for as long as their result.
 */
export async function insertImportedFiles(
  sql: Sql,
  { botId, resultId }: Place,
  { files, most }: { files: readonly ImportedFile[]; most: number },
): Promise<boolean> {
  const [row] = await sql<[{ hasRoom: boolean }]>`
    with held as (
      select coalesce(max(number), 0) as last, count(*) as count
      from files
      where shard = ${shardOf(resultId)}
        and session_id = ${resultId}
    ),
    new as (
      select i.*, row_number() over (order by i.index) as place
      from ${fileRows(sql, files)} as i
      where not exists (
        select
        from files
        where files.shard = ${shardOf(resultId)}
          and files.id = i.id
      )
    ),
    room as (
      select held.last, held.count + (select count(*) from new) <= ${most} as is_free
      from held
    ),
    made as (
      insert into files (
        shard, id, session_id, number, result_id, bot_id, block_id, name, extension, type, is_public, max_bytes, url_expires_at, is_answered,
        created_at
      )
      select
        ${shardOf(resultId)}, new.id, ${resultId}, room.last + new.place, ${resultId}, ${botId}, new.block_id, new.name, new.extension, new.type,
        new.is_public, new.max_bytes, clock(), true, new.created_at::timestamptz
      from new, room
      where room.is_free
      on conflict do nothing
    )
    select is_free as has_room
    from room`;
  return row.hasRoom;
}

/**
 * Returns for each of these files whether its content is stored. Content that is not stored may be uploaded within the
 * given number of seconds. Removed files are left out.
 */
export async function openImportedFiles(
  sql: Sql,
  { ids, seconds }: { ids: readonly string[]; seconds: number },
): Promise<{ readonly id: string; readonly isStored: boolean }[]> {
  return sql<{ id: string; isStored: boolean }[]>`
    with opened as (
      update files
      set url_expires_at = clock() + make_interval(secs => ${seconds})
      from ${shardedIds(sql, ids)} as wanted
      where files.shard = wanted.shard
        and files.id = wanted.id
        and files.stored_at is null
        and not files.is_removed
    )
    select files.id, files.stored_at is not null as is_stored
    from ${shardedIds(sql, ids)} as wanted
    join files on files.shard = wanted.shard and files.id = wanted.id
    where not files.is_removed`;
}
