import type { Sql } from "./sql.ts";

/** Reads the database's clock, with which stored times are compared. */
export async function readClock(sql: Sql): Promise<Date> {
  const [row] = await sql<[{ now: Date }]>`select clock() as now`;
  return row.now;
}
