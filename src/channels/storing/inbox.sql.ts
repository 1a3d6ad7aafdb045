import type { Address } from "../../core/channels/channel.ts";
import { limits } from "../../limits/index.ts";
import { channelEvents } from "../../management/events/channel-events.sql.ts";
import { bulk, text, uuid } from "../../platform/database/bulk.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { shardOf } from "../../platform/ids.ts";
import type { InboxRow, StatusEvent } from "./stored-events.ts";

const inboxRows = bulk<InboxRow>({
  id: uuid(({ id }) => id),
  provider_id: text(({ providerId }) => providerId),
  kind: text(({ kind }) => kind),
  content: text(({ content }) => content),
  provider_time: text(({ providerTime }) => providerTime?.toISOString() ?? null),
  sequence: text(({ sequence }) => (sequence === null ? null : String(sequence))),
  state: text(({ state }) => state),
  reason: text(({ reason }) => reason),
});

const statusRows = bulk<StatusEvent>({
  provider_id: text(({ messageId }) => messageId),
  state: text(({ state }) => state),
  code: text(({ code }) => code ?? null),
});

/** Events of webhook calls: rows to store, and delivery states of sent messages. */
export type Reported = { readonly rows: readonly InboxRow[]; readonly statuses: readonly StatusEvent[] };

/**
 * Stores events of webhook calls: one row per provider id, and the delivery states of sent messages. Returns the ids of
 * the new rows.
 */
export async function storeInbound(sql: Sql, connectionId: string, { rows, statuses }: Reported): Promise<string[]> {
  const stored = await sql<{ id: string }[]>`
    with called as (
      update channel_connections
      set last_call_at = clock()
      where id = ${connectionId}
        and (last_call_at is null or last_call_at < clock() - make_interval(secs => ${limits.channels.noteSeconds}))
    ),
    heard as (
      update channel_leases
      set last_inbound_at = clock()
      where connection_id = ${connectionId}
        and (last_inbound_at is null or last_inbound_at < clock() - make_interval(secs => ${limits.channels.noteSeconds}))
    )
    ${statuses.length === 0 ? sql`` : statusPart(sql, connectionId, statuses)}
    insert into channel_inbox (shard, id, connection_id, provider_id, kind, content, provider_time, sequence, state, reason)
    select
      ${shardOf(connectionId)}::smallint, i.id, ${connectionId}::uuid, i.provider_id, i.kind, i.content::json,
      i.provider_time::timestamptz, ${sequenceOf(sql)}, i.state, i.reason
    from ${inboxRows(sql, rows)} as i
    order by i.index
    on conflict (shard, connection_id, provider_id) do nothing
    returning id`;
  return stored.map(({ id }) => id);
}

/**
 * Returns the position of an event in the order of events. Without a given position, the time of the database's clock
 * in seconds is used, because the clocks of the nodes differ.
 */
function sequenceOf(sql: Sql) {
  return sql`coalesce(i.sequence::bigint, floor(extract(epoch from clock()))::bigint)`;
}

/**
 * Updates the delivery states of messages. Each state may follow only certain states; a failure replaces every other
 * state.
 */
function statusPart(sql: Sql, connectionId: string, statuses: readonly StatusEvent[]) {
  return sql`,
    reported as (
      update channel_sendings o
      set state = i.state,
        error_code = coalesce(i.code, o.error_code)
      from ${statusRows(sql, statuses)} as i
      where o.shard = ${shardOf(connectionId)}
        and o.connection_id = ${connectionId}
        and o.provider_id = i.provider_id
        and o.state = any(
          case i.state
            when 'sent' then array['accepted']
            when 'delivered' then array['accepted', 'sent']
            when 'read' then array['accepted', 'sent', 'delivered']
            else array['accepted', 'sent', 'delivered', 'read']
          end
        )
    )`;
}

/**
 * Stores polled updates and the number of the last update, if the connection is still held. Returns whether it is held.
 */
export async function storePolled(
  sql: Sql,
  connectionId: string,
  {
    rows,
    holder,
    lastUpdateId,
  }: { readonly rows: readonly InboxRow[]; readonly holder: string; readonly lastUpdateId: number },
): Promise<boolean> {
  const [row] = await sql<[{ isHeld: boolean }]>`
    with lease as (
      update channel_leases
      set last_update_id = ${lastUpdateId}::bigint,
        last_inbound_at = clock()
      where connection_id = ${connectionId}
        and holder = ${holder}
        and held_until > clock()
      returning connection_id
    ),
    stored as (
      insert into channel_inbox (shard, id, connection_id, provider_id, kind, content, provider_time, sequence, state, reason)
      select
        ${shardOf(connectionId)}::smallint, i.id, lease.connection_id, i.provider_id, i.kind, i.content::json,
        i.provider_time::timestamptz, ${sequenceOf(sql)}, i.state, i.reason
      from ${inboxRows(sql, rows)} as i
      cross join lease
      order by i.index
      on conflict (shard, connection_id, provider_id) do nothing
    )
    select exists (select from lease) as is_held`;
  return row.isHeld;
}

const addressRows = bulk<Address>({ kind: text(({ kind }) => kind), value: text(({ value }) => value) });

/**
 * Stores that the contact with these addresses has opted out, and drops its waiting messages except notices. For a
 * person who has not written before, the hashes of the addresses are stored.
 */
export async function optOutByAddresses(
  sql: Sql,
  { connectionId, workspaceId, channel }: { connectionId: string; workspaceId: string; channel: string },
  { addresses, hashes }: { readonly addresses: readonly Address[]; readonly hashes: readonly string[] },
): Promise<void> {
  await sql`
    with known as (
      select distinct a.contact_id as id
      from ${addressRows(sql, addresses)} as i
      join channel_addresses a on a.connection_id = ${connectionId} and a.kind = i.kind and a.value = i.value
    ),
    opted as (
      update channel_contacts c
      set opted_out_at = clock()
      from known
      where c.id = known.id
        and c.opted_out_at is null
      returning c.id
    ),
    dropped as (
      update channel_sendings o
      set state = 'dropped', error_class = 'opted_out', settled_at = clock()
      from opted
      where o.connection_id = ${connectionId}
        and o.contact_id = opted.id
        and o.state = 'pending'
        and o.source <> 'notice'
    )
    ${channelEvents(sql, {
      type: "contact.opted_out",
      from: sql`opted`,
      workspaceId: sql`${workspaceId}::uuid`,
      orderKey: sql`opted.id`,
      content: {
        connectionId: sql`${connectionId}::text`,
        channel: sql`${channel}::text`,
        contactId: sql`opted.id::text`,
      },
    })}
    insert into channel_opt_outs (connection_id, hash)
    select ${connectionId}, decode(hash, 'hex')
    from unnest(${[...hashes]}::text[]) as hash
    where not exists (select from known)
    on conflict do nothing`;
}

/**
 * Returns the number of the last stored update, or undefined after several days without updates. After a week, the
 * provider restarts its numbers, possibly below the last number, so all available updates must be requested.
 */
export async function findLastUpdate(sql: Sql, connectionId: string): Promise<number | undefined> {
  const [row] = await sql<{ last: string | null }[]>`
    select last_update_id::text as last
    from channel_leases
    where connection_id = ${connectionId}
      and last_inbound_at > clock() - make_interval(days => ${limits.channels.numberedDays})`;
  return row?.last ? Number(row.last) : undefined;
}

/** Counts the refused calls of a connection, and stores the reason of the last refusal. */
export async function noteRefusals(
  sql: Sql,
  connectionId: string,
  { count, why }: { readonly count: number; readonly why: string },
): Promise<void> {
  await sql`
    update channel_connections
    set refused_calls = refused_calls + ${count}, refused_at = clock(), refused_why = ${why}
    where id = ${connectionId}`;
}
