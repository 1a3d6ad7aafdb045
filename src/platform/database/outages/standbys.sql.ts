import type { Sql } from "../sql.ts";

/**
 * Resolves once the synchronous standbys have received everything that was read before. Resolves immediately if there
 * are no synchronous standbys. After a crash, a primary shows commits that still wait for a standby, and that are lost
 * if the primary fails before a standby has received them. A message to the log is a commit, which waits for all
 * earlier commits.
 */
export async function awaitStandbys(sql: Sql): Promise<void> {
  await sql`
    select pg_logical_emit_message(true, 'parley', '')
    where current_setting('synchronous_standby_names') <> ''`;
}
