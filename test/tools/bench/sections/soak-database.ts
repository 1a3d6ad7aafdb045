import type { Sql } from "../../../../src/platform/database/sql.ts";

/** The number of checks in which each statement and each background process of the database was active. */
export type Occupied = Map<string, number>;

const shown = 3;
const shownCharacters = 60;

/**
 * Counts the current work of the database: long statements of jobs, vacuums and checkpoints, which slow visitors down.
 * Statements younger than a tenth of a second belong to steps and are ignored.
 */
export async function lookAt(sql: Sql, occupied: Occupied): Promise<void> {
  const rows = await sql<{ what: string }[]>`
    select case backend_type
        when 'client backend' then regexp_replace(query, '\\s+', ' ', 'g')
        when 'autovacuum worker' then query
        else backend_type || ' ' || coalesce(wait_event, '')
      end as what
    from pg_stat_activity
    where pid <> pg_backend_pid()
      and (
        (backend_type in ('client backend', 'autovacuum worker') and state = 'active' and query_start < clock_timestamp() - interval '100 ms')
        or (backend_type in ('checkpointer', 'background writer') and wait_event_type is distinct from 'Activity')
      )`;
  for (const { what } of rows) {
    const name = what.slice(0, shownCharacters).replaceAll("|", " ");
    occupied.set(name, (occupied.get(name) ?? 0) + 1);
  }
}

export function longest(occupied: Occupied): string {
  const most = [...occupied].sort(([, a], [, b]) => b - a).slice(0, shown);
  return most.map(([what, times]) => `${times} × ${what}`).join("; ");
}
