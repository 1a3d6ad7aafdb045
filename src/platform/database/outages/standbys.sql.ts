import type { Sql } from "../sql.ts";

/**
 * Resolves once the synchronous standbys have received all commits that were read before. Resolves immediately if there
 * are no synchronous standbys. After a crash, a primary shows commits that no standby has received yet, and that are
 * lost if the primary fails now. The statement writes a message to the log. This message is a commit, which waits for
 * all earlier commits.
 */
export async function awaitStandbys(sql: Sql): Promise<void> {
  await sql`
    select pg_logical_emit_message(true, 'parley', '')
    where current_setting('synchronous_standby_names') <> ''`;
}
