import type { Sql } from "../platform/database/sql.ts";

/** The process that holds a connection by its lease. */
export type HeldBy = { readonly connectionId: string; readonly holder: string };

/**
 * Returns a condition that no other process has taken over the connection. The writes of this process then count even
 * if its lease has expired.
 */
export function isHeldBy(sql: Sql, { connectionId, holder }: HeldBy) {
  return sql`exists (
    select
    from channel_leases l
    where l.connection_id = ${connectionId} and l.holder = ${holder}
  )`;
}
