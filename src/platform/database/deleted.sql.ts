import { countOf, type Sql } from "./sql.ts";

/** The tables with the content of a result. Their rows are deleted with the result. */
export const contentTables = [
  "answers",
  "logs",
  "visited_edges",
  "result_values",
  "model_calls",
  "deferred_calls",
  "payments",
  "answer_ratings",
] as const;
const tablesOfSessions = ["steps", "effect_reports", "due_steps"] as const;

type OwnedTable = (typeof contentTables)[number] | (typeof tablesOfSessions)[number] | "sessions" | "mails";

/**
 * Returns a part of a statement that deletes rows of `table`. The part named `using` selects the results or sessions by
 * `shard` and `id`.
 */
export function deletedWith(sql: Sql, table: OwnedTable, { using }: { using: string }) {
  const owner = tablesOfSessions.some((name) => name === table) ? "session_id" : "result_id";
  return sql`
      delete from ${sql(table)}
      using ${sql(using)} as owner
      where ${sql(table)}.shard = owner.shard
        and ${sql(table)}.${sql(owner)} = owner.id`;
}

/**
 * Returns the parts of a statement that delete the content of results, each followed by a comma. The part named `using`
 * selects the results.
 */
export function contentDeletedWith(sql: Sql, { using }: { using: string }) {
  return sql`${contentTables.map((table) => sql`${sql(`${table}_gone`)} as (${deletedWith(sql, table, { using })}),`)}`;
}

/**
 * Deletes up to `limit` rows of a table with ids, oldest first. Deletes only rows whose time in the column `at` is at
 * least `days` days ago. Returns the number of deleted rows.
 */
export async function deleteOld(
  sql: Sql,
  { table, at = "created_at", days, limit }: { table: string; at?: string; days: number; limit: number },
): Promise<number> {
  return countOf(sql`
    delete from ${sql(table)}
    where id = any(array(
      select id
      from ${sql(table)}
      where ${sql(at)} <= clock() - make_interval(days => ${days})
      order by ${sql(at)}
      limit ${limit}
    ))`);
}
