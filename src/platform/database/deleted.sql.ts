import type { Sql } from "./sql.ts";

/** The tables that belong to a result or a session, with the column that refers to it; all are in its shard. */
const owners = {
  steps: "session_id",
  effect_reports: "session_id",
  sessions: "result_id",
  mails: "result_id",
  answers: "result_id",
  logs: "result_id",
  visited_edges: "result_id",
  result_values: "result_id",
  model_calls: "result_id",
} as const;

/** The part of a statement that deletes the rows of `table` that another part, `using`, names by `shard` and `id`. */
export function deletedWith(sql: Sql, table: keyof typeof owners, { using }: { using: string }) {
  return sql`
      delete from ${sql(table)}
      using ${sql(using)} as owner
      where ${sql(table)}.shard = owner.shard
        and ${sql(table)}.${sql(owners[table])} = owner.id`;
}
