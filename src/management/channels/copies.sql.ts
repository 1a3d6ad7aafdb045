import { countOf, type Sql } from "../../platform/database/sql.ts";

/**
 * Disables all connections of the instance, including connections of workspaces in the bin, which would otherwise
 * become active after a restore. Returns the number of disabled connections.
 */
export async function silenceAll(sql: Sql, reason: "restored"): Promise<number> {
  return countOf(sql`
    update channel_connections
    set is_enabled = false,
      disabled_reason = ${reason},
      updated_at = greatest(clock(), updated_at + interval '1 millisecond')
    where ${talking(sql)}
      and deleted_at is null`);
}

/**
 * Disables connections that were enabled for another instance, because this instance runs on a copy. Includes
 * connections of workspaces in the bin. Returns the number of disabled connections.
 */
export async function silenceMoved(sql: Sql, mark: string): Promise<number> {
  return countOf(sql`
    update channel_connections
    set is_enabled = false,
      disabled_reason = 'moved',
      updated_at = greatest(clock(), updated_at + interval '1 millisecond')
    where ${talking(sql)}
      and deleted_at is null
      and enabled_for is distinct from ${mark}`);
}

/**
 * Assigns this instance's mark to connections with an empty mark. Earlier releases stored an empty mark if the instance
 * had no address.
 */
export async function adoptUnmarked(sql: Sql, mark: string): Promise<void> {
  await sql`update channel_connections set enabled_for = ${mark} where enabled_for = ''`;
}

/** Returns the SQL condition that a connection is active, or becomes active when its workspace is restored. */
function talking(sql: Sql) {
  return sql`(is_enabled or disabled_reason = 'workspace_deleted')`;
}

export type ConnectionState = {
  readonly name: string;
  readonly channel: string;
  readonly isEnabled: boolean;
  readonly disabledReason: string | null;
  readonly failingSince: Date | null;
  readonly isPolled: boolean;
};

/** Returns up to `limit` connections of workspaces that are not in the bin, sorted by name. */
export async function listConnectionStates(sql: Sql, limit: number): Promise<ConnectionState[]> {
  return sql<ConnectionState[]>`
    select
      c.name,
      c.channel,
      c.is_enabled,
      c.disabled_reason,
      l.failing_since,
      coalesce(c.settings ->> 'transport' = 'poll', false) as is_polled
    from channel_connections c
    join workspaces w on w.id = c.workspace_id and w.deleted_at is null
    left join channel_leases l on l.connection_id = c.id
    where c.deleted_at is null
    order by c.name, c.id
    limit ${limit}`;
}
