import postgres from "postgres";
import { rowMapping, type Sql } from "../../src/platform/database/sql.ts";

/** Counts the rows that the database reads, also for statements that write. All changes are rolled back. */
export type ReadCounter = {
  /** Returns the number of table rows that the work has read, by any access method. Its writes are rolled back. */
  rowsRead(work: (sql: Sql) => Promise<unknown>): Promise<number>;
  close(): Promise<void>;
};

/**
 * How statements are planned: for their values each time, or once for all values. Pools switch to the generic plan
 * after some runs.
 */
export type PlanMode = "force_custom_plan" | "force_generic_plan";

export function createReadCounter(databaseUrl: string, mode: PlanMode): ReadCounter {
  const url = new URL(databaseUrl);
  const socket = url.searchParams.get("host");
  url.searchParams.delete("host");
  const sql = postgres(url.href, {
    ...(socket === null ? {} : { host: socket }),
    // The pool has one connection, so that the work is part of the transaction that is rolled back.
    max: 1,
    ...rowMapping,
    onnotice: () => {},
    connection: { plan_cache_mode: mode },
  });
  const count = async (): Promise<number> => {
    const [row] = await sql<[{ count: number }]>`
      select coalesce(sum(seq_tup_read + coalesce(idx_tup_fetch, 0)), 0)::integer as count
      from pg_stat_xact_user_tables`;
    return row.count;
  };
  return {
    async rowsRead(work) {
      await sql.unsafe("begin");
      try {
        // The reads of earlier transactions may not have been reported yet, so they are subtracted.
        const before = await count();
        await work(sql);
        return (await count()) - before;
      } finally {
        await sql.unsafe("rollback");
      }
    },
    close: () => sql.end(),
  };
}
