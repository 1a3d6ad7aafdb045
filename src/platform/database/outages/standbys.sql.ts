import type { Sql } from "../sql.ts";

/**
 * Resolves once the synchronous standbys have everything that was read before; at once if there are none. After a crash
 * a primary shows commits that still wait for a standby, and that are lost if the primary dies before a standby has
 * them. A message to the log is a commit, which waits for all earlier commits.
 */
export async function awaitStandbys(sql: Sql): Promise<void> {
  await sql`
    select pg_logical_emit_message(true, 'parley', '')
    where current_setting('synchronous_standby_names') <> ''`;
}
