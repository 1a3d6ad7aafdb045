import { countOf, type Sql } from "./sql.ts";

/** The tables with the content of a result, which is erased with the result. */
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
 * A part of a statement. It deletes the rows of `table` that another part, `using`, names by `shard` and `id` of their
 * result or session.
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
 * The parts of a statement, each with a comma behind it, that delete the content of the results that another part,
 * `using`, names.
 */
export function contentDeletedWith(sql: Sql, { using }: { using: string }) {
  return sql`${contentTables.map((table) => sql`${sql(`${table}_gone`)} as (${deletedWith(sql, table, { using })}),`)}`;
}

/**
 * Removes the oldest rows of a table, by their `id`: rows whose time in the column `at` is this many days ago or more.
 * Returns the number of removed rows.
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
