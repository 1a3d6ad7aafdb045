import type { Sql } from "../sql.ts";

/** A position in a database's log, and the cluster and database to which the log belongs. */
export type LogPosition = { readonly position: string; readonly place: string };

export async function findLogPosition(sql: Sql): Promise<LogPosition> {
  const [row] = await sql<[LogPosition]>`
    select pg_current_wal_flush_lsn()::text as position, ${place(sql)} as place`;
  return row;
}

/**
 * Counts the positions that a standby has replayed. `replayed` is null for a server that is not a standby. `place` is
 * the server's cluster and database.
 */
export async function countReplayed(
  sql: Sql,
  positions: readonly string[],
): Promise<{ readonly replayed: number | null; readonly place: string }> {
  const [row] = await sql<[{ replayed: number | null; place: string }]>`
    select
      case when pg_is_in_recovery() then (
        select count(*)::int
        from unnest(${[...positions]}::text[]) as position
        where position::pg_lsn <= pg_last_wal_replay_lsn()
      ) end as replayed,
      ${place(sql)} as place`;
  return row;
}

function place(sql: Sql) {
  return sql`(
    select system_identifier || '/' || current_database()
    from pg_control_system()
  )`;
}
