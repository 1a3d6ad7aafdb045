import type { Sql } from "../../platform/database/sql.ts";

/**
 * Counts a start under a key. The count restarts after this many seconds. Returns false without counting if `most`
 * starts are already counted.
 */
export async function addNestedStart(
  sql: Sql,
  { key, most, seconds }: { readonly key: string; readonly most: number; readonly seconds: number },
): Promise<boolean> {
  const rows = await sql`
    insert into nested_starts as n (key, starts, counted_from)
    values (${key}, 1, clock())
    on conflict (key) do update
    set
      starts = case when n.counted_from <= clock() - make_interval(secs => ${seconds}) then 1 else n.starts + 1 end,
      counted_from = case when n.counted_from <= clock() - make_interval(secs => ${seconds}) then clock() else n.counted_from end
    where n.starts < ${most}
      or n.counted_from <= clock() - make_interval(secs => ${seconds})
    returning key`;
  return rows.length > 0;
}

/** Deletes counts that are at least this many seconds old. Returns the number of deleted counts. */
export async function deleteOldNestedStarts(
  sql: Sql,
  { seconds, limit }: { readonly seconds: number; readonly limit: number },
): Promise<number> {
  const { count } = await sql`
    with old as (
      select key
      from nested_starts
      where counted_from <= clock() - make_interval(secs => ${seconds})
      limit ${limit}
    )
    delete from nested_starts
    using unnest((select array_agg(key) from old)) as gone (key)
    where nested_starts.key = gone.key`;
  return count;
}
