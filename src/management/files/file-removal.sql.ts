import { limits } from "../../limits/index.ts";
import { bulk, shardedIds, smallint, text, uuid } from "../../platform/database/bulk.ts";
import { lasts } from "../../platform/database/spans.sql.ts";
import { countOf, type Sql } from "../../platform/database/sql.ts";
import { shardOf } from "../../platform/ids.ts";

/** Returns the ids of the oldest files that were created more than `hours` ago and are not known to be in an answer. */
export async function listUnansweredFiles(
  sql: Sql,
  { hours, limit }: { hours: number; limit: number },
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id
    from files
    where not is_answered
      and not is_removed
      and created_at < clock() - make_interval(hours => ${hours})
    order by created_at
    limit ${limit}`;
  return rows.map(({ id }) => id);
}

/**
 * Marks files of previews that were created more than `hours` ago as removed, oldest first. Returns the number of
 * marked files.
 */
export async function removeFilesOfPreviews(
  sql: Sql,
  { hours, limit }: { hours: number; limit: number },
): Promise<number> {
  return countOf(sql`
    with old as (
      select shard, id
      from files
      where result_id is null
        and not is_removed
        and created_at < clock() - make_interval(hours => ${hours})
      order by created_at
      limit ${limit}
      for update skip locked
    )
    update files
    set is_removed = true, remove_after = clock()
    from unnest((select array_agg(shard) from old), (select array_agg(id) from old)) as gone (shard, id)
    where files.shard = gone.shard
      and files.id = gone.id`);
}

const namedFiles = bulk<string>({ shard: smallint(shardOf), id: uuid((id) => id), name: text((id) => id) });

/**
 * Keeps the given files that an answer of their result refers to, until the result is erased. Marks the other given
 * files as removed.
 */
export async function markAnsweredFiles(sql: Sql, ids: readonly string[]): Promise<void> {
  await sql`
    with judged as (
      select
        files.shard,
        files.id,
        files.stored_at is not null and exists (
          select
          from answers
          where answers.shard = files.shard
            and answers.result_id = files.result_id
            and position(
              wanted.name in concat_ws(' ', answers.content, array_to_string(answers.attached_file_urls, ' '))
            ) > 0
        ) as is_named
      from ${namedFiles(sql, ids)} as wanted
      join files on files.shard = wanted.shard and files.id = wanted.id
    )
    update files
    set is_answered = judged.is_named,
      is_removed = not judged.is_named,
      remove_after = case when judged.is_named then null else clock() end
    from judged
    where files.shard = judged.shard
      and files.id = judged.id
      and not files.is_removed`;
}

/**
 * Returns the ids of removed files whose content may be deleted now, longest due first. Postpones each file, so that no
 * two processes handle it at the same time.
 */
export async function takeRemovedFiles(
  sql: Sql,
  { limit, seconds }: { limit: number; seconds: number },
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    with due as (
      select shard, id
      from files
      where is_removed
        and (remove_after <= clock() or remove_after > clock() + make_interval(secs => ${seconds}))
        and not ${lasts(sql, sql`storing_until`, limits.uploads.storageLockSeconds)}
      order by remove_after
      limit ${limit}
      for update skip locked
    )
    update files
    set remove_after = clock() + make_interval(secs => ${seconds})
    from unnest((select array_agg(shard) from due), (select array_agg(id) from due)) as taken (shard, id)
    where files.shard = taken.shard
      and files.id = taken.id
    returning files.id`;
  return rows.map(({ id }) => id);
}

/** Deletes the rows of removed files whose content is deleted. */
export async function forgetFiles(sql: Sql, ids: readonly string[]): Promise<void> {
  await sql`
    delete from files
    using ${shardedIds(sql, ids)} as gone
    where files.shard = gone.shard
      and files.id = gone.id
      and files.is_removed`;
}
