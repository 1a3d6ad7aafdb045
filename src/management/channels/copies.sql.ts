import { countOf, type Sql } from "../../platform/database/sql.ts";

/**
 * Disables all connections of the instance, including those of workspaces in the bin, which would otherwise be active
 * after a restore. Returns the number disabled.
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
 * Disables connections that were enabled for another instance, including those of workspaces in the bin, because this
 * instance runs on a copy. Returns the number disabled.
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

/** Connections of an instance without an address had an empty mark: they now get this instance's mark. */
export async function adoptUnmarked(sql: Sql, mark: string): Promise<void> {
  await sql`update channel_connections set enabled_for = ${mark} where enabled_for = ''`;
}

/** Whether a connection is active, or will be as soon as its workspace is restored. */
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

/** The connections of all workspaces that are not in the bin, by name. */
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
