import type { Sql } from "../platform/database/sql.ts";

/** The process that holds a connection by its lease. */
export type HeldBy = { readonly connectionId: string; readonly holder: string };

/**
 * Returns an SQL condition that is true until this process releases the connection or another process takes it over,
 * even if the lease of this process has expired.
 */
export function isHeldBy(sql: Sql, { connectionId, holder }: HeldBy) {
  return sql`exists (
    select
    from channel_leases l
    where l.connection_id = ${connectionId} and l.holder = ${holder}
  )`;
}
