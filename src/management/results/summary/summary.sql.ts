import { shardedIds } from "../../../platform/database/bulk.ts";
import type { Sql } from "../../../platform/database/sql.ts";

/** The number of results with the same answer or value. `text` is null if the text is not read. */
export type EqualAnswers = { readonly id: string; readonly text: string | null; readonly results: number };

/**
 * Counts how many of these results have the same last answer to each question. For questions in `wordless`, the text of
 * an answer is not read, but only whether it is empty.
 */
export async function countAnswers(
  sql: Sql,
  ids: readonly string[],
  { blockIds, wordless }: { readonly blockIds: readonly string[]; readonly wordless: readonly string[] },
): Promise<EqualAnswers[]> {
  if (blockIds.length === 0) return [];
  return sql<EqualAnswers[]>`
    select last.block_id as id, last.text, count(*)::integer as results
    from ${shardedIds(sql, ids)} as wanted
    cross join lateral (
      select distinct on (block_id)
        block_id,
        case when content = '' or block_id <> all(${[...wordless]}::text[]) then left(content, ${mostCharacters}) end as text
      from answers
      where answers.shard = wanted.shard
        and answers.result_id = wanted.id
        and answers.replaced_at is null
        and answers.block_id = any(${[...blockIds]}::text[])
      order by block_id, session_id desc, revision desc, position desc
    ) as last
    group by last.block_id, last.text`;
}

/** Counts how many of these results have the same value of each variable. A list is returned as JSON text. */
export async function countVariables(
  sql: Sql,
  ids: readonly string[],
  variableIds: readonly string[],
): Promise<(EqualAnswers & { readonly isList: boolean })[]> {
  if (variableIds.length === 0) return [];
  return sql<(EqualAnswers & { readonly isList: boolean })[]>`
    select
      kept.id,
      json_typeof(kept.value) = 'array' as is_list,
      case json_typeof(kept.value) when 'array' then kept.value::text else left(kept.value #>> '{}', ${mostCharacters}) end as text,
      count(*)::integer as results
    from ${shardedIds(sql, ids)} as wanted
    join results on results.shard = wanted.shard and results.id = wanted.id
    cross join lateral json_to_recordset(results.variables) as kept (id text, value json)
    where kept.id = any(${[...variableIds]}::text[])
    group by 1, 2, 3`;
}

/** A longer value is cut, because it is hardly ever equal to another value. */
const mostCharacters = 2_000;
