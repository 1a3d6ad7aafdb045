import { countOf, first, type Sql } from "../../platform/database/sql.ts";
import { shardOf } from "../../platform/ids.ts";

/**
 * Deletes a part of the content of a connection that was deleted at least a minute ago, or whose workspace is due for
 * erasure. Deletes the connection itself once no content is left. Returns the number of deleted rows.
 */
export async function removeDeletedConnections(sql: Sql, limit: number): Promise<number> {
  const gone = await first(sql<{ id: string }[]>`
    select c.id
    from channel_connections c
    join workspaces w on w.id = c.workspace_id
    where c.deleted_at <= clock() - interval '1 minute'
      or (w.erase_after <= clock() and w.deleted_at <= clock() - interval '1 minute')
    limit 1`);
  if (!gone) return 0;
  const { id } = gone;
  const contacts = await removeContacts(sql, id, limit);
  if (contacts > 0) return contacts;
  const messages = await countOf(sql`
    delete from channel_inbox
    where (shard, id) in (
      select shard, id
      from channel_inbox
      where shard = ${shardOf(id)}
        and connection_id = ${id}
      limit ${limit}
    )`);
  if (messages > 0) return messages;
  return countOf(sql`
    with media_gone as (
      delete from channel_media
      where connection_id = ${id}
    ),
    opt_outs_gone as (
      delete from channel_opt_outs
      where connection_id = ${id}
    ),
    steps_gone as (
      delete from channel_steps
      where connection_id = ${id}
    )
    delete from channel_connections
    where id = ${id}`);
}

async function removeContacts(sql: Sql, connectionId: string, limit: number): Promise<number> {
  return countOf(sql`
    with gone as (
      delete from channel_contacts
      where id in (
        select id
        from channel_contacts
        where connection_id = ${connectionId}
        limit ${limit}
      )
      returning id
    ),
    addresses_gone as (
      delete from channel_addresses
      using gone
      where channel_addresses.contact_id = gone.id
    ),
    came as (
      delete from channel_inbox
      using gone
      where channel_inbox.contact_id = gone.id
    ),
    went as (
      delete from channel_sendings
      using gone
      where channel_sendings.contact_id = gone.id
    )
    select id
    from gone`);
}

const usualDays = 30;

/**
 * Erases the content of messages that are older than the retention of their connection, or than the default retention
 * if the connection sets none or no longer exists. Messages that were not sent yet are dropped. The rows remain for
 * some time, so that a message that is received twice is recognized. Returns the number of erased messages.
 */
export async function eraseOldContent(sql: Sql, limit: number): Promise<number> {
  const came = await countOf(sql`
    update channel_inbox
    set content = null,
      decision = null
    where (shard, id) in (
      select old.shard, old.id
      from (${contentDays(sql, sql`channel_inbox`, sql`content is not null`)}) as c
      cross join lateral (
        select i.shard, i.id
        from channel_inbox i
        where i.connection_id = c.id
          and i.content is not null
          and i.received_at <= clock() - make_interval(days => c.days)
        order by i.received_at
        limit ${limit}
      ) as old
      limit ${limit}
    )`);
  const went = await countOf(sql`
    update channel_sendings
    set message = null,
      choices = null,
      error_detail = null,
      error_class = case when state in ('pending', 'sending') then 'stale' else error_class end,
      state = case when state in ('pending', 'sending') then 'dropped' else state end
    where (shard, id) in (
      select old.shard, old.id
      from (${contentDays(sql, sql`channel_sendings`, sql`message is not null`)}) as c
      cross join lateral (
        select o.shard, o.id
        from channel_sendings o
        where o.connection_id = c.id
          and o.message is not null
          and o.created_at <= clock() - make_interval(days => c.days)
        order by o.created_at
        limit ${limit}
      ) as old
      limit ${limit}
    )`);
  return came + went;
}

/**
 * Selects the connections that have content in a table, including deleted connections, and the number of days after
 * which the content is erased.
 */
function contentDays(sql: Sql, table: ReturnType<Sql>, hasContent: ReturnType<Sql>) {
  return sql`
    with recursive found (id) as (
      (select connection_id from ${table} where ${hasContent} order by connection_id limit 1)
      union all
      select (
        select connection_id
        from ${table}
        where ${hasContent}
          and connection_id > found.id
        order by connection_id
        limit 1
      )
      from found
      where found.id is not null
    )
    select found.id, coalesce((known.settings ->> 'contentDays')::integer, ${usualDays}) as days
    from found
    left join channel_connections known on known.id = found.id
    where found.id is not null`;
}

/**
 * Deletes rows of messages that are this many days old and have no content left. Returns the number of deleted rows.
 */
export async function deleteOldMessages(sql: Sql, { days, limit }: { days: number; limit: number }): Promise<number> {
  const came = await countOf(sql`
    delete from channel_inbox
    where (shard, id) in (
      select shard, id
      from channel_inbox
      where received_at <= clock() - make_interval(days => ${days})
        and content is null
      order by received_at
      limit ${limit}
    )`);
  const went = await countOf(sql`
    delete from channel_sendings
    where (shard, id) in (
      select shard, id
      from channel_sendings
      where created_at <= clock() - make_interval(days => ${days})
        and message is null
      order by created_at
      limit ${limit}
    )`);
  return came + went;
}

/**
 * Drops waiting and unsent messages of suspended workspaces once they are this many hours old, because nobody expects
 * an answer any more. Returns the number of dropped messages.
 */
export async function dropSuspended(sql: Sql, { hours, limit }: { hours: number; limit: number }): Promise<number> {
  const connections = sql`
    channel_connections c
    join workspaces w on w.id = c.workspace_id and w.is_suspended`;
  const came = await countOf(sql`
    update channel_inbox
    set state = 'dropped',
      reason = 'suspended'
    where (shard, id) in (
      select late.shard, late.id
      from ${connections}
      cross join lateral (
        select i.shard, i.id
        from channel_inbox i
        where i.connection_id = c.id
          and i.state = 'waiting'
          and i.received_at <= clock() - make_interval(hours => ${hours})
        limit ${limit}
      ) as late
      limit ${limit}
    )`);
  const went = await countOf(sql`
    update channel_sendings
    set state = 'dropped',
      error_class = 'suspended',
      settled_at = clock()
    where (shard, id) in (
      select late.shard, late.id
      from ${connections}
      cross join lateral (
        select o.shard, o.id
        from channel_sendings o
        where o.connection_id = c.id
          and o.state in ('pending', 'sending')
          and o.created_at <= clock() - make_interval(hours => ${hours})
        limit ${limit}
      ) as late
      limit ${limit}
    )`);
  return came + went;
}

/**
 * Deletes connections that are still unregistered this many minutes after their creation, because the process that
 * created them died. Returns the number of deleted rows.
 */
export async function removeLeftBehind(sql: Sql, { minutes }: { minutes: number }): Promise<number> {
  return countOf(sql`
    delete from channel_connections
    where not is_enabled
      and disabled_reason = 'unregistered'
      and created_at <= clock() - make_interval(mins => ${minutes})`);
}

export type ForgottenContact = {
  readonly id: string;
  readonly connectionId: string;
  readonly addresses: readonly { readonly kind: string; readonly value: string }[];
};

type Age = { readonly days: number; readonly limit: number };

/** Returns opted-out contacts who have been silent for this many days and have no messages left. */
export async function listForgottenOptOuts(sql: Sql, { days, limit }: Age): Promise<ForgottenContact[]> {
  return sql<ForgottenContact[]>`
    select
      c.id,
      c.connection_id,
      coalesce(
        (select json_agg(json_build_object('kind', a.kind, 'value', a.value)) from channel_addresses a where a.contact_id = c.id),
        '[]'
      ) as addresses
    from channel_contacts c
    where c.opted_out_at is not null
      and ${isForgotten(sql, days)}
    order by c.id
    limit ${limit}`;
}

/** Records that the contact with these addresses has opted out. `hashes` are hexadecimal. */
export async function rememberOptOuts(sql: Sql, connectionId: string, hashes: readonly string[]): Promise<void> {
  await sql`
    insert into channel_opt_outs (connection_id, hash)
    select ${connectionId}, decode(hash, 'hex')
    from unnest(${[...hashes]}::text[]) as hash
    on conflict do nothing`;
}

function isForgotten(sql: Sql, days: number) {
  return sql`(
    coalesce(c.last_inbound_at, c.created_at) <= clock() - make_interval(days => ${days})
    and not exists (select from channel_inbox i where i.contact_id = c.id)
    and not exists (select from channel_sendings s where s.contact_id = c.id)
  )`;
}

/**
 * Deletes contacts who have been silent for this many days and have no messages left. Deletes an opted-out contact only
 * if it is listed in `remembered`. Returns the number of deleted contacts.
 */
export async function deleteSilentContacts(
  sql: Sql,
  { days, limit, remembered }: Age & { readonly remembered: readonly string[] },
): Promise<number> {
  return countOf(sql`
    with gone as (
      delete from channel_contacts
      where id in (
        select silent.id
        from channel_connections
        cross join lateral (
          select c.id
          from channel_contacts c
          where c.connection_id = channel_connections.id
            and (c.opted_out_at is null or c.id = any(${[...remembered]}::uuid[]))
            and ${isForgotten(sql, days)}
          order by coalesce(c.last_inbound_at, c.created_at)
          limit ${limit}
        ) as silent
        limit ${limit}
      )
      returning id
    ),
    addresses_gone as (
      delete from channel_addresses
      using gone
      where channel_addresses.contact_id = gone.id
    )
    select id
    from gone`);
}
