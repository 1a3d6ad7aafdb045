import type { Sql } from "../sql.ts";

/**
 * Resolves once the synchronous standbys have all that was read before; at once if there are none. After a crash a
 * primary shows commits that still waited for a standby, and that are lost if it dies before one has them. A message to
 * the log is a commit, which waits for all earlier ones.
 */
export async function awaitStandbys(sql: Sql): Promise<void> {
  await sql`
    select pg_logical_emit_message(true, 'parley', '')
    where current_setting('synchronous_standby_names') <> ''`;
}
