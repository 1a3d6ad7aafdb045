import type { Sql } from "./sql.ts";

/** Reads the database's clock. All stored times, comparisons of times and steps use this clock. */
export async function readClock(sql: Sql): Promise<Date> {
  const [row] = await sql<[{ now: Date }]>`select clock() as now`;
  return row.now;
}
