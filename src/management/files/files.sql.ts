import { shardedIds } from "../../platform/database/bulk.ts";
import { lasts } from "../../platform/database/spans.sql.ts";
import { first, type Sql } from "../../platform/database/sql.ts";
import { shardOf } from "../../platform/ids.ts";

/** A visitor's file. `bytes`, `hash` and `storedAt` are null until its content is stored. */
export type FileRow = {
  readonly id: string;
  readonly botId: string;
  readonly sessionId: string;
  readonly resultId: string | null;
  readonly blockId: string;
  readonly name: string;
  readonly extension: string;
  readonly type: string;
  readonly isPublic: boolean;
  readonly maxBytes: number;
  readonly bytes: number | null;
  readonly hash: string | null;
  readonly storedAt: Date | null;
  readonly isAddressExpired: boolean;
  readonly createdAt: Date;
};

export type NewFile = Pick<
  FileRow,
  "id" | "botId" | "sessionId" | "resultId" | "blockId" | "name" | "extension" | "type" | "isPublic" | "maxBytes"
> & {
  readonly addressSeconds: number;
  /** The limits of one session, which include this file. */
  readonly most: { readonly files: number; readonly bytes: number };
};

/**
 * Inserts a file that is about to be uploaded. Returns `full` if its session has reached its limit. Files whose address
 * expired without an upload do not count. Returns `lost` if another file of the session used the number first. The
 * caller must then try again.
 */
export async function insertFile(sql: Sql, file: NewFile): Promise<"made" | "full" | "lost"> {
  const isOpen = lasts(sql, sql`url_expires_at`, file.addressSeconds);
  const [row] = await sql<{ isMade: boolean; hasRoom: boolean }[]>`
    with held as (
      select
        coalesce(max(number), 0) + 1 as next,
        count(*) filter (where stored_at is not null or ${isOpen}) as files,
        coalesce(
          sum(coalesce(bytes, max_bytes)) filter (where stored_at is not null or ${isOpen}),
          0
        ) as bytes
      from files
      where shard = ${shardOf(file.id)} and session_id = ${file.sessionId}
    ),
    room as (
      select next, files < ${file.most.files} and bytes + ${file.maxBytes} <= ${file.most.bytes} as is_free
      from held
    ),
    made as (
      insert into files (
        shard, id, session_id, number, result_id, bot_id, block_id, name, extension, type, is_public, max_bytes,
        url_expires_at
      )
      select
        ${shardOf(file.id)}, ${file.id}, ${file.sessionId}, room.next,
        ${file.resultId}, ${file.botId}, ${file.blockId}, ${file.name},
        ${file.extension}, ${file.type}, ${file.isPublic}, ${file.maxBytes},
        clock() + make_interval(secs => ${file.addressSeconds})
      from room
      where room.is_free
      on conflict (shard, session_id, number) do nothing
      returning 1
    )
    select exists (select from made) as is_made, room.is_free as has_room
    from room`;
  if (row?.isMade) return "made";
  return row?.hasRoom ? "lost" : "full";
}

/** Returns a file; undefined if the file does not exist or was removed, or if its result or bot is in the bin. */
export async function findFile(sql: Sql, id: string): Promise<FileRow | undefined> {
  return first(sql<FileRow[]>`
    select ${columns(sql)}
    from files
    where shard = ${shardOf(id)}
      and id = ${id}
      and not is_removed
      and not ${isBinned(sql)}`);
}

/** Returns the SQL condition that a file's result or bot is in the bin. Such a file cannot be opened. */
function isBinned(sql: Sql) {
  return sql`(
    exists (
      select
      from results
      where results.shard = files.shard
        and results.id = files.result_id
        and results.is_archived
    )
    or exists (select from bots where bots.id = files.bot_id and bots.deleted_at is not null)
  )`;
}

/** Returns the given files that are stored and belong to this session, or to another session of its result. */
export async function findOwnFiles(
  sql: Sql,
  { ids, sessionId, resultId }: { ids: readonly string[]; sessionId: string; resultId: string | null },
): Promise<Pick<FileRow, "id" | "extension" | "name">[]> {
  return sql<Pick<FileRow, "id" | "extension" | "name">[]>`
    select files.id, files.extension, files.name
    from ${shardedIds(sql, ids)} as wanted
    join files on files.shard = wanted.shard and files.id = wanted.id
    where (files.session_id = ${sessionId} or files.result_id = ${resultId}::uuid)
      and files.stored_at is not null
      and not files.is_removed`;
}

/** Returns the given files that are stored, with their owners. */
export async function findStoredFiles(
  sql: Sql,
  ids: readonly string[],
): Promise<Pick<FileRow, "id" | "extension" | "resultId" | "botId" | "isPublic">[]> {
  return sql<Pick<FileRow, "id" | "extension" | "resultId" | "botId" | "isPublic">[]>`
    select files.id, files.extension, files.result_id, files.bot_id, files.is_public
    from ${shardedIds(sql, ids)} as wanted
    join files on files.shard = wanted.shard and files.id = wanted.id
    where files.stored_at is not null
      and not files.is_removed`;
}

/** Returns up to `limit` stored files of a result, newest first: sorted by session, and by number within a session. */
export async function listFiles(
  sql: Sql,
  { resultId, limit }: { resultId: string; limit: number },
): Promise<FileRow[]> {
  return sql<FileRow[]>`
    select ${columns(sql)}
    from files
    where shard = ${shardOf(resultId)}
      and result_id = ${resultId}
      and stored_at is not null
      and not is_removed
    order by session_id desc, number desc
    limit ${limit}`;
}

/**
 * Locks a file while its content is transferred to the storage. Returns false if another request holds the lock, or if
 * the file is already stored or was removed.
 */
export async function lockFile(sql: Sql, { id, seconds }: { id: string; seconds: number }): Promise<boolean> {
  const rows = await sql`
    update files
    set storing_until = clock() + make_interval(secs => ${seconds})
    where shard = ${shardOf(id)}
      and id = ${id}
      and not is_removed
      and stored_at is null
      and not ${lasts(sql, sql`storing_until`, seconds)}
    returning 1`;
  return rows.length > 0;
}

/**
 * Records that a file's content is stored. Returns false if meanwhile the file was removed, or its result or bot was
 * moved to the bin.
 */
export async function markStored(
  sql: Sql,
  { id, bytes, hash }: { id: string; bytes: number; hash: string },
): Promise<boolean> {
  const rows = await sql`
    update files
    set bytes = ${bytes},
      hash = decode(${hash}, 'hex'),
      stored_at = clock(),
      storing_until = null
    where shard = ${shardOf(id)}
      and id = ${id}
      and not is_removed
      and not ${isBinned(sql)}
    returning 1`;
  return rows.length > 0;
}

/** Retains a file for as long as its result, whether or not an answer refers to it. */
export async function markAnswered(sql: Sql, id: string): Promise<void> {
  await sql`
    update files
    set is_answered = true
    where shard = ${shardOf(id)} and id = ${id}`;
}

/** Unlocks a file whose content could not be stored. */
export async function unlockFile(sql: Sql, id: string): Promise<void> {
  await sql`
    update files
    set storing_until = null
    where shard = ${shardOf(id)} and id = ${id}`;
}

const columns = (sql: Sql) => sql`
  id,
  bot_id,
  session_id,
  result_id,
  block_id,
  name,
  extension,
  type,
  is_public,
  max_bytes,
  bytes,
  encode(hash, 'hex') as hash,
  stored_at,
  url_expires_at <= clock() as is_address_expired,
  created_at`;
