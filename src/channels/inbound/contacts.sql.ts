import type { Address, ContactFacts } from "../../core/channels/channel.ts";
import { bulk, text } from "../../platform/database/bulk.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { shardOf } from "../../platform/ids.ts";
import { endedSession } from "../turns/ended-session.sql.ts";

export type KnownContact = {
  readonly id: string;
  readonly name: string | null;
  readonly username: string | null;
  readonly language: string | null;
  readonly sessionId: string | null;
};

export type KnownAddress = Address & { readonly contact: KnownContact };

const addressRows = bulk<Address>({ kind: text(({ kind }) => kind), value: text(({ value }) => value) });

/** Finds the contacts of a connection that have these addresses. */
export async function findAddresses(
  sql: Sql,
  connectionId: string,
  addresses: readonly Address[],
): Promise<KnownAddress[]> {
  if (addresses.length === 0) return [];
  const rows = await sql<(KnownContact & { addressKind: Address["kind"]; addressValue: string })[]>`
    select a.kind as address_kind, a.value as address_value, c.id, c.name, c.username, c.language, c.session_id
    from ${addressRows(sql, addresses)} as i
    join channel_addresses a on a.connection_id = ${connectionId} and a.kind = i.kind and a.value = i.value
    join channel_contacts c on c.id = a.contact_id`;
  return rows.map(({ addressKind: kind, addressValue: value, ...contact }) => ({ kind, value, contact }));
}

/** Creates a contact with new addresses. Returns false if one of the addresses already exists. */
export async function addContact(
  sql: Sql,
  {
    id,
    connectionId,
    facts,
    hashes,
  }: {
    readonly id: string;
    readonly connectionId: string;
    readonly facts: ContactFacts;
    /** Hexadecimal hashes of the contact's addresses. An erased contact's opt-out is found by these hashes. */
    readonly hashes: readonly string[];
  },
): Promise<boolean> {
  const [first] = facts.addresses;
  if (!first) return false;
  const rows = await sql`
    with free as (
      select
      where not exists (
        select
        from ${addressRows(sql, facts.addresses)} as i
        join channel_addresses a on a.connection_id = ${connectionId} and a.kind = i.kind and a.value = i.value
      )
    ),
    addresses as (
      insert into channel_addresses (connection_id, kind, value, contact_id)
      select ${connectionId}::uuid, i.kind, i.value, ${id}::uuid
      from (select distinct on (kind, value) * from ${addressRows(sql, facts.addresses)} as a) i
      cross join free
    )
    insert into channel_contacts (id, connection_id, kind, name, username, language, address_kind, address_value, opted_out_at)
    select
      ${id}::uuid, ${connectionId}::uuid, ${facts.kind}, ${facts.name ?? null}, ${facts.username ?? null},
      ${facts.language ?? null}, ${first.kind}, ${first.value},
      case
        when exists (
          select
          from channel_opt_outs
          where connection_id = ${connectionId} and encode(hash, 'hex') = any(${[...hashes]}::text[])
        ) then clock()
      end
    from free
    returning id`;
  return rows.length === 1;
}

/** Frees addresses whose contact has been erased. Otherwise, nobody could write from these addresses again. */
export async function freeAddresses(sql: Sql, connectionId: string, addresses: readonly Address[]): Promise<void> {
  await sql`
    delete from channel_addresses a
    using ${addressRows(sql, addresses)} as i
    where a.connection_id = ${connectionId}
      and a.kind = i.kind
      and a.value = i.value
      and not exists (select from channel_contacts c where c.id = a.contact_id)`;
}

/** Stores a contact's current facts and its new addresses. Messages are sent to the first address. */
export async function describeContact(
  sql: Sql,
  { id, connectionId, facts }: { readonly id: string; readonly connectionId: string; readonly facts: ContactFacts },
): Promise<void> {
  const [first] = facts.addresses;
  if (!first) return;
  await sql`
    with addresses as (
      insert into channel_addresses (connection_id, kind, value, contact_id)
      select ${connectionId}::uuid, i.kind, i.value, c.id
      from (select distinct on (kind, value) * from ${addressRows(sql, facts.addresses)} as a) i
      join channel_contacts c on c.id = ${id}
      on conflict (connection_id, kind, value) do nothing
    )
    update channel_contacts
    set name = coalesce(${facts.name ?? null}, name),
      username = coalesce(${facts.username ?? null}, username),
      language = coalesce(${facts.language ?? null}, language),
      address_kind = ${first.kind},
      address_value = ${first.value}
    where id = ${id}`;
}

/**
 * Merges two contacts into the older contact, which continues its own chat. The data and results of the newer contact
 * move to the older contact. The newer contact's chat ends, and its waiting messages are not sent. If either contact
 * opted out of messages, the merged contact is opted out.
 */
export async function mergeContacts(
  sql: Sql,
  {
    connectionId,
    older,
    newer,
  }: { readonly connectionId: string; readonly older: string; readonly newer: KnownContact },
): Promise<void> {
  const shard = shardOf(connectionId);
  await sql`
    with locked as materialized (
      select id
      from channel_contacts
      where id = any(${[older, newer.id]}::uuid[])
      order by id
      for update
    ),
    both_there as (
      select where (select count(*) from locked) = 2
    ),
    opt_out as (
      update channel_contacts c
      set opted_out_at = coalesce(c.opted_out_at, other.opted_out_at)
      from channel_contacts other
      where c.id = ${older} and other.id = ${newer.id} and exists (select from both_there)
    ),
    their_results as (
      update results
      set contact_id = ${older}
      from channel_connections
      join bots on bots.workspace_id = channel_connections.workspace_id
      where channel_connections.id = ${connectionId}
        and results.bot_id = bots.id
        and results.contact_id = ${newer.id}
        and exists (select from both_there)
    ),
    their_events as (
      update event_deliveries d
      set order_key = ${older}
      from event_endpoints p
      join channel_connections c on c.workspace_id = p.workspace_id
      where c.id = ${connectionId}
        and d.endpoint_id = p.id
        and d.order_key = ${newer.id}
        and exists (select from both_there)
    ),
    addresses as (
      update channel_addresses set contact_id = ${older} where contact_id = ${newer.id} and exists (select from both_there)
    ),
    inbox as (
      update channel_inbox
      set contact_id = ${older}
      where shard = ${shard} and contact_id = ${newer.id} and exists (select from both_there)
    ),
    sendings as (
      update channel_sendings
      set contact_id = ${older},
        state = case when state = 'pending' then 'dropped' else state end,
        error_class = case when state = 'pending' then 'merged' else error_class end,
        settled_at = case when state = 'pending' then clock() else settled_at end
      where shard = ${shard} and contact_id = ${newer.id} and exists (select from both_there)
    )
    ${newer.sessionId === null ? sql`` : endedSession(sql, newer.sessionId)}
    delete from channel_contacts
    where id = ${newer.id} and exists (select from both_there)`;
}

/** Replaces an address of a contact, unless another contact has the new address. */
export async function changeAddress(
  sql: Sql,
  { connectionId, was, is }: { readonly connectionId: string; readonly was: Address; readonly is: Address },
): Promise<void> {
  await sql`
    with moved as (
      update channel_addresses a
      set kind = ${is.kind}, value = ${is.value}
      where a.connection_id = ${connectionId}
        and a.kind = ${was.kind}
        and a.value = ${was.value}
        and not exists (
          select
          from channel_addresses other
          where other.connection_id = ${connectionId} and other.kind = ${is.kind} and other.value = ${is.value}
        )
      returning contact_id
    )
    update channel_contacts c
    set address_kind = ${is.kind}, address_value = ${is.value}
    from moved
    where c.id = moved.contact_id
      and c.address_kind = ${was.kind}
      and c.address_value = ${was.value}`;
}
