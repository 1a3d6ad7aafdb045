import { countOf, first, type Sql } from "../../platform/database/sql.ts";
import { shardOf } from "../../platform/ids.ts";

/**
 * Removes some of what belongs to a connection that was deleted a minute ago, or whose workspace is to leave the bin,
 * and the connection itself when nothing is left. Returns how much went.
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
 * Erases the content of messages that are older than their connection says, or than is usual if that is gone. Their
 * rows stay a while, by which a message that comes again is known. Returns how many lost it.
 */
export async function eraseOldContent(sql: Sql, limit: number): Promise<number> {
  const spans = await sql<{ days: number }[]>`
    select coalesce((settings ->> 'contentDays')::integer, ${usualDays}) as days
    from channel_connections
    union
    select ${usualDays}::integer`;
  let count = 0;
  for (const { days } of spans) {
    const isUsual = days === usualDays;
    const ofThese = sql`
      ${isUsual ? sql`not in` : sql`in`} (
        select id
        from channel_connections
        where coalesce((settings ->> 'contentDays')::integer, ${usualDays}) ${isUsual ? sql`<>` : sql`=`} ${days}
      )`;
    count += await countOf(sql`
      update channel_inbox
      set content = null,
        decision = null
      where (shard, id) in (
        select shard, id
        from channel_inbox
        where content is not null
          and received_at <= clock() - make_interval(days => ${days})
          and connection_id ${ofThese}
        order by received_at
        limit ${limit}
      )`);
    count += await countOf(sql`
      update channel_sendings
      set message = null,
        choices = null,
        error_detail = null,
        error_class = case when state in ('pending', 'sending') then 'stale' else error_class end,
        state = case when state in ('pending', 'sending') then 'dropped' else state end
      where (shard, id) in (
        select shard, id
        from channel_sendings
        where message is not null
          and created_at <= clock() - make_interval(days => ${days})
          and connection_id ${ofThese}
        order by created_at
        limit ${limit}
      )`);
  }
  return count;
}

/** Removes rows of messages of so many days ago whose content is gone. Returns how many. */
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

/** Removes contacts who were silent for so many days, and of whom no message is left. Returns how many. */
export async function deleteForgottenContacts(
  sql: Sql,
  { days, limit }: { days: number; limit: number },
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
            and coalesce(c.last_inbound_at, c.created_at) <= clock() - make_interval(days => ${days})
            and c.opted_out_at is null
            and not exists (select from channel_inbox i where i.contact_id = c.id)
            and not exists (select from channel_sendings s where s.contact_id = c.id)
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
