import { shardedIds } from "../../platform/database/bulk.ts";
import { countOf, first, type Sql } from "../../platform/database/sql.ts";
import type { ContactPlace } from "./conversations.sql.ts";

/** The data of a contact that its erasure needs. */
export type ContactTraces = {
  readonly isOptedOut: boolean;
  readonly addresses: readonly { readonly kind: string; readonly value: string }[];
  readonly sessionIds: string[];
};

export async function findTraces(
  sql: Sql,
  { connectionId, contactId }: ContactPlace,
): Promise<ContactTraces | undefined> {
  return first(sql<ContactTraces[]>`
    select
      c.opted_out_at is not null as is_opted_out,
      coalesce(
        (select json_agg(json_build_object('kind', a.kind, 'value', a.value)) from channel_addresses a where a.contact_id = c.id),
        '[]'
      ) as addresses,
      array(
        select i.session_id
        from channel_inbox i
        where i.contact_id = c.id
          and i.session_id is not null
        union
        select s.session_id
        from channel_sendings s
        where s.contact_id = c.id
          and s.session_id is not null
        union
        select c.session_id
        where c.session_id is not null
      ) as session_ids
    from channel_contacts c
    where c.id = ${contactId}
      and c.connection_id = ${connectionId}`);
}

/**
 * Returns the given chats whose bots are in the workspace. The chats of a bot that was moved belong to the bot's new
 * workspace.
 */
export async function chatsOfWorkspace(
  sql: Sql,
  { workspaceId, sessionIds }: { workspaceId: string; sessionIds: readonly string[] },
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select sessions.id
    from ${shardedIds(sql, sessionIds)} as wanted
    join sessions on sessions.shard = wanted.shard and sessions.id = wanted.id
    join bots on bots.id = sessions.bot_id
    where bots.workspace_id = ${workspaceId}`;
  return rows.map(({ id }) => id);
}

export type ResultOfBot = { readonly botId: string; readonly id: string };

/**
 * Returns the results of these chats, and the results of the workspace's bots that contain the contact's id. Includes
 * results in the bin.
 */
export async function findResultsOfContact(
  sql: Sql,
  { workspaceId, contactId, sessionIds }: { workspaceId: string; contactId: string; sessionIds: readonly string[] },
): Promise<ResultOfBot[]> {
  return sql<ResultOfBot[]>`
    select results.bot_id, results.id
    from ${shardedIds(sql, sessionIds)} as wanted
    join sessions on sessions.shard = wanted.shard and sessions.id = wanted.id
    join results on results.shard = sessions.shard and results.id = sessions.result_id
    union
    select results.bot_id, results.id
    from bots
    join results on results.bot_id = bots.id and results.contact_id = ${contactId}
    where bots.workspace_id = ${workspaceId}`;
}

/** Returns the contacts of these results on connections of the workspace. */
export async function findContactsOfResults(
  sql: Sql,
  { workspaceId, resultIds }: { workspaceId: string; resultIds: readonly string[] },
): Promise<(ContactPlace & { readonly workspaceId: string })[]> {
  return sql<(ContactPlace & { readonly workspaceId: string })[]>`
    select distinct c.connection_id, c.id as contact_id, channel_connections.workspace_id
    from ${shardedIds(sql, resultIds)} as wanted
    join results on results.shard = wanted.shard and results.id = wanted.id
    join channel_contacts c on c.id = results.contact_id
    join channel_connections on channel_connections.id = c.connection_id
    where channel_connections.workspace_id = ${workspaceId}`;
}

/** Removes the contact's id and the given variables from results, including results in the bin. Answers remain. */
export async function takeContactFrom(
  sql: Sql,
  resultIds: readonly string[],
  variables: readonly string[],
): Promise<void> {
  await sql`
    with cleared as (
      update results
      set contact_id = null,
        variables = coalesce(
          (
            select json_agg(variable.value order by variable.place)
            from json_array_elements(results.variables) with ordinality as variable (value, place)
            where variable.value ->> 'name' is null
              or variable.value ->> 'name' <> all(${[...variables]}::text[])
          ),
          '[]'
        ),
        updated_at = greatest(clock(), results.updated_at + interval '1 millisecond')
      from ${shardedIds(sql, resultIds)} as wanted
      where results.shard = wanted.shard
        and results.id = wanted.id
        and (not results.is_archived or results.erase_after is not null)
      returning results.shard, results.id
    )
    delete from result_values
    using cleared
    where result_values.shard = cleared.shard
      and result_values.result_id = cleared.id
      and result_values.name = any(${[...variables]}::text[])`;
}

/**
 * Deletes a contact with its addresses, outgoing messages and events. Rows of received messages remain without their
 * content, to recognize a message that is received twice. If the contact has opted out, the hashes of its addresses are
 * stored. Otherwise they are deleted. Returns the number of messages in both directions.
 */
export async function eraseContactRows(
  sql: Sql,
  { workspaceId, connectionId, contactId }: ContactPlace & { workspaceId: string },
  { hashes, isOptedOut }: { hashes: readonly Uint8Array[]; isOptedOut: boolean },
): Promise<number> {
  const texts = hashes.map((hash) => Buffer.from(hash).toString("hex"));
  return countOf(sql`
    with contact as (
      delete from channel_contacts
      where id = ${contactId}
        and connection_id = ${connectionId}
      returning id
    ),
    remembered as (
      insert into channel_opt_outs (connection_id, hash)
      select ${connectionId}, decode(hash, 'hex')
      from unnest(${texts}::text[]) as hash
      where ${isOptedOut}
      on conflict do nothing
    ),
    forgotten as (
      delete from channel_opt_outs
      where connection_id = ${connectionId}
        and encode(hash, 'hex') = any(${texts}::text[])
        and not ${isOptedOut}
    ),
    addresses_gone as (
      delete from channel_addresses
      using contact
      where channel_addresses.contact_id = contact.id
    ),
    steps_gone as (
      delete from channel_steps
      where connection_id = ${connectionId}
        and contact_id = ${contactId}
    ),
    events_gone as (
      delete from event_deliveries
      using event_endpoints
      where event_endpoints.workspace_id = ${workspaceId}
        and event_deliveries.endpoint_id = event_endpoints.id
        and event_deliveries.order_key = ${contactId}
    ),
    came as (
      update channel_inbox
      set content = null,
        decision = null,
        contact_id = null,
        reason = case when channel_inbox.state = 'waiting' then 'erased' else channel_inbox.reason end,
        state = case when channel_inbox.state = 'waiting' then 'dropped' else channel_inbox.state end
      where contact_id = ${contactId}
      returning id
    ),
    went as (
      delete from channel_sendings
      where contact_id = ${contactId}
      returning id
    )
    select id
    from came
    union all
    select id
    from went`);
}

/**
 * Deletes messages and addresses that a concurrent statement inserted for a contact. The erasure waited for this
 * statement, but did not see its rows.
 */
export async function eraseLateRows(sql: Sql, { connectionId, contactId }: ContactPlace): Promise<void> {
  await sql`
    with addresses as (
      delete from channel_addresses
      where contact_id = ${contactId}
    ),
    steps as (
      delete from channel_steps
      where connection_id = ${connectionId}
        and contact_id = ${contactId}
    )
    delete from channel_sendings
    where contact_id = ${contactId}`;
}
