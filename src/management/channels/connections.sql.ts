import { channels } from "../../core/channels/index.ts";
import type { JsonObject } from "../../core/interpreter/flow.ts";
import type { Position } from "../../platform/database/owned-rows.sql.ts";
import { first, type Sql } from "../../platform/database/sql.ts";
import { channelEvents } from "../events/channel-events.sql.ts";

/** A bot that a connection uses. The order of a connection's bots is their priority. */
export type ConnectionBot = {
  readonly botId: string;
  readonly isEnabled: boolean;
  readonly startCondition?: JsonObject;
  readonly sessionExpiryTimeout?: number;
};

/** A connection to a number or bot account of a messenger. */
export type ConnectionRow = {
  readonly id: string;
  readonly workspaceId: string;
  readonly channel: string;
  readonly name: string;
  readonly externalId: string;
  readonly display: string | null;
  readonly settings: JsonObject;
  readonly sealed: Uint8Array;
  /** The previous secrets, while calls signed with them are still accepted. */
  readonly previous: Uint8Array | null;
  readonly previousUntil: Date | null;
  /** The visible part of the connection's secrets. */
  readonly hint: JsonObject;
  readonly bots: ConnectionBot[];
  readonly isEnabled: boolean;
  readonly disabledReason: string | null;
  readonly refusedCalls: number;
  readonly refusedAt: Date | null;
  readonly refusedWhy: string | null;
  readonly lastCallAt: Date | null;
  readonly lastInboundAt: Date | null;
  readonly lastOutboundAt: Date | null;
  readonly failingSince: Date | null;
  readonly pausedUntil: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

export type ConnectionPlace = { readonly workspaceId: string; readonly connectionId: string };

/**
 * The channels of this release. Connections of other kinds, which a later release created, are not listed, because this
 * release cannot describe them.
 */
const knownChannels = [...channels.keys()];

/** Returns a workspace's connections, newest first. */
export async function listConnections(
  sql: Sql,
  {
    workspaceId,
    channel,
    after,
    limit,
  }: { workspaceId: string; channel: string | undefined; after: Position | undefined; limit: number },
): Promise<ConnectionRow[]> {
  return sql<ConnectionRow[]>`
    select ${columns(sql)}
    from channel_connections c
    left join channel_leases l on l.connection_id = c.id
    where c.workspace_id = ${workspaceId}
      and c.deleted_at is null
      and c.channel = any(${knownChannels}::text[])
      ${channel === undefined ? sql`` : sql`and c.channel = ${channel}`}
      ${after ? sql`and (c.created_at, c.id) < (${after.createdAt}, ${after.id})` : sql``}
    order by c.created_at desc, c.id desc
    limit ${limit}`;
}

export async function findConnection(
  sql: Sql,
  { workspaceId, connectionId }: ConnectionPlace,
): Promise<ConnectionRow | undefined> {
  return first(sql<ConnectionRow[]>`
    select ${columns(sql)}
    from channel_connections c
    left join channel_leases l on l.connection_id = c.id
    where c.id = ${connectionId}
      and c.workspace_id = ${workspaceId}
      and c.deleted_at is null
      and c.channel = any(${knownChannels}::text[])`);
}

/**
 * Returns a connection of any workspace, and whether its workspace is suspended. Undefined if the connection is deleted
 * or the workspace is in the bin.
 */
export async function findAnyConnection(
  sql: Sql,
  connectionId: string,
): Promise<(ConnectionRow & { readonly isWorkspaceSuspended: boolean }) | undefined> {
  return first(sql<(ConnectionRow & { readonly isWorkspaceSuspended: boolean })[]>`
    select ${columns(sql)}, w.suspended_at is not null as is_workspace_suspended
    from channel_connections c
    join workspaces w on w.id = c.workspace_id
    left join channel_leases l on l.connection_id = c.id
    where c.id = ${connectionId}
      and c.deleted_at is null
      and w.deleted_at is null`);
}

type NewConnection = Pick<
  ConnectionRow,
  "id" | "workspaceId" | "channel" | "name" | "externalId" | "display" | "settings" | "sealed" | "hint" | "bots"
> & { readonly disabledReason: string };

/**
 * Inserts a connection that is not enabled yet. Returns undefined if the workspace already has `most` connections.
 * Concurrent requests may exceed this number.
 */
export async function insertConnection(
  sql: Sql,
  row: NewConnection,
  { most }: { most: number },
): Promise<{ readonly id: string } | undefined> {
  return first(sql<{ id: string }[]>`
    with made as (
      insert into channel_connections (
        id, workspace_id, channel, name, external_id, display, settings, sealed, hint, bots, is_enabled, disabled_reason
      )
      select
        ${row.id}::uuid,
        ${row.workspaceId}::uuid,
        ${row.channel}::text,
        ${row.name}::text,
        ${row.externalId}::text,
        ${row.display}::text,
        ${JSON.stringify(row.settings)}::text::json,
        ${row.sealed}::bytea,
        ${JSON.stringify(row.hint)}::text::json,
        ${JSON.stringify(row.bots)}::text::json,
        false,
        ${row.disabledReason}::text
      where (
        select count(*)
        from channel_connections
        where workspace_id = ${row.workspaceId}
          and deleted_at is null
      ) < ${most}::integer
      returning id
    ),
    leased as (
      insert into channel_leases (connection_id)
      select id
      from made
    )
    select id
    from made`);
}

/** Deletes a connection that could not be registered. */
export async function removeUnregistered(sql: Sql, { workspaceId, connectionId }: ConnectionPlace): Promise<void> {
  await sql`
    delete from channel_connections
    where id = ${connectionId}
      and workspace_id = ${workspaceId}
      and not is_enabled
      and disabled_reason = 'unregistered'`;
}

/**
 * Changes the fields that people write. Returns undefined if the connection was changed or deleted since it was read.
 */
export async function updateConnection(
  sql: Sql,
  before: Pick<ConnectionRow, "id" | "workspaceId" | "updatedAt">,
  { name, display, settings, bots }: Pick<ConnectionRow, "name" | "display" | "settings" | "bots">,
): Promise<ConnectionRow | undefined> {
  return first(sql<ConnectionRow[]>`
    update channel_connections c
    set name = ${name},
      display = ${display},
      settings = ${JSON.stringify(settings)}::text::json,
      bots = ${JSON.stringify(bots)}::text::json,
      updated_at = greatest(clock(), c.updated_at + interval '1 millisecond')
    from channel_leases l
    where c.id = ${before.id}
      and c.workspace_id = ${before.workspaceId}
      and c.updated_at = ${before.updatedAt}
      and c.deleted_at is null
      and l.connection_id = c.id
    returning ${columns(sql)}`);
}

/**
 * Enables a connection for the instance with this mark, and resets its failures. Returns undefined if there is no such
 * connection.
 */
export async function enableConnection(
  sql: Sql,
  { workspaceId, connectionId }: ConnectionPlace,
  { mark, display }: { mark: string; display: string | null },
): Promise<ConnectionRow | undefined> {
  return first(sql<ConnectionRow[]>`
    with calmed as (
      update channel_leases
      set paused_until = null,
        refusals = 0,
        failing_since = null
      where connection_id = ${connectionId}
    )
    update channel_connections c
    set is_enabled = true,
      disabled_reason = null,
      enabled_for = ${mark},
      display = coalesce(${display}, c.display),
      updated_at = greatest(clock(), c.updated_at + interval '1 millisecond')
    from channel_leases l
    where c.id = ${connectionId}
      and c.workspace_id = ${workspaceId}
      and c.deleted_at is null
      and l.connection_id = c.id
    returning ${columns(sql)}`);
}

/**
 * Replaces the secrets. The previous secrets remain valid for this number of hours. Returns undefined if another
 * request replaced the secrets or deleted the connection first.
 */
export async function rotateSecrets(
  sql: Sql,
  before: Pick<ConnectionRow, "id" | "workspaceId" | "sealed">,
  { sealed, hint, hours }: Pick<ConnectionRow, "sealed" | "hint"> & { hours: number },
): Promise<ConnectionRow | undefined> {
  return first(sql<ConnectionRow[]>`
    update channel_connections c
    set previous = c.sealed,
      previous_until = clock() + make_interval(hours => ${hours}),
      sealed = ${sealed},
      hint = ${JSON.stringify(hint)}::text::json,
      updated_at = greatest(clock(), c.updated_at + interval '1 millisecond')
    from channel_leases l
    where c.id = ${before.id}
      and c.workspace_id = ${before.workspaceId}
      and c.sealed = ${before.sealed}
      and c.deleted_at is null
      and l.connection_id = c.id
    returning ${columns(sql)}`);
}

/**
 * Marks a connection as deleted, so that it can no longer be found. The clean-up deletes its content. Returns undefined
 * if there is no such connection or it is already deleted.
 */
export async function markDeleted(
  sql: Sql,
  { workspaceId, connectionId }: ConnectionPlace,
): Promise<ConnectionRow | undefined> {
  return first(sql<ConnectionRow[]>`
    update channel_connections c
    set is_enabled = false,
      disabled_reason = 'deleted',
      deleted_at = clock()
    from channel_leases l
    where c.id = ${connectionId}
      and c.workspace_id = ${workspaceId}
      and c.deleted_at is null
      and l.connection_id = c.id
    returning ${columns(sql)}`);
}

/** Returns the given ids that belong to bots of the workspace. Bots in the bin are left out. */
export async function findBotsOfWorkspace(
  sql: Sql,
  { workspaceId, botIds }: { workspaceId: string; botIds: readonly string[] },
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id
    from bots
    where workspace_id = ${workspaceId}
      and id = any(${[...botIds]}::uuid[])
      and deleted_at is null`;
  return rows.map(({ id }) => id);
}

/**
 * Returns up to 200 commands of published bots: of the given bots, and of bots of the workspace whose
 * `messengerCredentialsId` is this connection's id.
 */
export async function findCommands(
  sql: Sql,
  { workspaceId, connectionId, botIds }: ConnectionPlace & { botIds: readonly string[] },
): Promise<string[]> {
  const rows = await sql<{ command: string }[]>`
    select distinct event.value -> 'options' ->> 'command' as command
    from bots
    join publications on publications.bot_id = bots.id and publications.number = bots.publication_number
    join flows on flows.bot_id = publications.bot_id and flows.hash = publications.flow_hash
    cross join json_array_elements(flows.content -> 'events') as event
    where bots.workspace_id = ${workspaceId}
      and bots.deleted_at is null
      and (bots.id = any(${[...botIds]}::uuid[]) or bots.messenger_credentials_id = ${connectionId}::text)
      and event.value ->> 'type' = 'command'
      and event.value -> 'options' ->> 'command' is not null
    order by command
    limit 200`;
  return rows.map(({ command }) => command);
}

function columns(sql: Sql) {
  return sql`
    c.id,
    c.workspace_id,
    c.channel,
    c.name,
    c.external_id,
    c.display,
    c.settings,
    c.sealed,
    case when c.previous_until > clock() then c.previous end as previous,
    case when c.previous_until > clock() then c.previous_until end as previous_until,
    c.hint,
    c.bots,
    c.is_enabled,
    c.disabled_reason,
    c.refused_calls,
    c.refused_at,
    c.refused_why,
    c.last_call_at,
    l.last_inbound_at,
    l.last_outbound_at,
    l.failing_since,
    case when l.paused_until > clock() then l.paused_until end as paused_until,
    c.created_at,
    c.updated_at`;
}

/**
 * Disables a connection and notifies the workspace's endpoints. Returns false if the connection does not exist or is
 * already disabled. A disabled connection retains its reason.
 */
export async function disableConnection(
  sql: Sql,
  { connectionId, reason }: { connectionId: string; reason: string },
): Promise<boolean> {
  const rows = await sql`
    with disabled as (
      update channel_connections
      set is_enabled = false,
        disabled_reason = ${reason},
        updated_at = greatest(clock(), updated_at + interval '1 millisecond')
      where id = ${connectionId}
        and is_enabled
        and deleted_at is null
      returning id, workspace_id, channel, name
    )${channelEvents(sql, {
      type: "channel_connection.disabled",
      from: sql`disabled`,
      workspaceId: sql`disabled.workspace_id`,
      orderKey: sql`disabled.id`,
      content: {
        connectionId: sql`${connectionId}::text`,
        channel: sql`disabled.channel`,
        name: sql`disabled.name`,
        reason: sql`${reason}::text`,
      },
    })}
    select id
    from disabled`;
  return rows.length > 0;
}
