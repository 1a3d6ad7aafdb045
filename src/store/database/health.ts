import type { Sql } from "./sql.ts";

/** Resolves when the database answers. */
export async function pingDatabase(sql: Sql): Promise<void> {
  await sql`select 1`;
}
