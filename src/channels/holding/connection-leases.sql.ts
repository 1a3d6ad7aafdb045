import { limits } from "../../limits/index.ts";
import type { Sql } from "../../platform/database/sql.ts";
import {
  freeConnections,
  hasExpiries,
  hasInbox,
  hasOutbox,
  isLeased,
  mayRun,
} from "../../platform/queue/free-connections.sql.ts";

/**
 * A connection that a process has leased. The states of a connection in the database:
 *
 *     free ─ takeConnections ────────────────────────→ held, for `leaseSeconds`
 *     held ─ renewConnections by its holder ─────────→ held, renewed
 *     held ─ the lease expires ──────────────────────→ free
 *     held ─ releaseConnections by its holder ───────→ free
 *
 * `platform/concurrency/leases.ts` describes the states in the process that holds a connection.
 */
export type HeldId = { readonly id: string };

const leaseSeconds = limits.events.leaseSeconds;

/**
 * Leases free connections that have work, except those in `except`. Takes at most this process' share of all
 * connections that are held or waiting, but at least one.
 */
export async function takeConnections(
  sql: Sql,
  { holder, except }: { readonly holder: string; readonly except: readonly string[] },
): Promise<HeldId[]> {
  return sql<HeldId[]>`
    with due as materialized (
      ${freeConnections(sql, sql`c.id`)}
          and c.id <> all(${[...except]}::uuid[])
    ),
    shares as (
      select
        ceil(
          ((select count(*) from due) + count(*))::numeric
          / (1 + count(distinct l.holder) filter (where l.holder <> ${holder}))
        ) - count(*) filter (where l.holder = ${holder}) as room
      from channel_leases l
      where ${isLeased(sql)}
    ),
    chosen as (
      select due.id
      from due
      order by due.id
      limit greatest(1, (select room from shares)::integer)
    )
    insert into channel_leases as l (connection_id, holder, held_until)
    select id, ${holder}::uuid, clock() + make_interval(secs => ${leaseSeconds})
    from chosen
    order by id
    on conflict (connection_id) do update
    set holder = excluded.holder,
      held_until = excluded.held_until,
      wanted_by = null,
      wanted_until = null
    where not ${isLeased(sql)}
    returning connection_id as id`;
}

/**
 * Renews all leases of this process. Returns its connections with the time of their last change. `isWanted` marks
 * connections to release, because they may no longer run.
 */
export async function renewConnections(
  sql: Sql,
  holder: string,
): Promise<(HeldId & { readonly isWanted: boolean; readonly updatedAt: Date })[]> {
  return sql<(HeldId & { isWanted: boolean; updatedAt: Date })[]>`
    update channel_leases l
    set held_until = clock() + make_interval(secs => ${leaseSeconds})
    from channel_connections c
    join workspaces w on w.id = c.workspace_id
    where c.id = l.connection_id
      and l.holder = ${holder}
    returning l.connection_id as id, not ${mayRun(sql)} as is_wanted, c.updated_at`;
}

export async function releaseConnections(sql: Sql, holder: string, ids: readonly string[]): Promise<void> {
  await sql`
    update channel_leases
    set holder = null, held_until = null
    where connection_id = any(${[...ids]}::uuid[])
      and holder = ${holder}`;
}

export type ConnectionWork = {
  readonly id: string;
  readonly hasInbox: boolean;
  readonly hasOutbox: boolean;
  readonly hasExpiries: boolean;
};

/** Returns the kinds of work that these connections have. */
export async function listWork(sql: Sql, ids: readonly string[]): Promise<ConnectionWork[]> {
  return sql<ConnectionWork[]>`
    select c.id, ${hasInbox(sql)} as has_inbox, ${hasOutbox(sql)} as has_outbox, ${hasExpiries(sql)} as has_expiries
    from channel_connections c
    left join channel_leases l on l.connection_id = c.id
    where c.id = any(${[...ids]}::uuid[])`;
}
