import type { Sql } from "./sql.ts";

/** The database's clock: the only clock for stored times, comparisons and steps. */
export async function readClock(sql: Sql): Promise<Date> {
  const [row] = await sql<[{ now: Date }]>`select clock() as now`;
  return row.now;
}
