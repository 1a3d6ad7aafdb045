import { limits } from "../../limits/index.ts";
import { lasts } from "../database/spans.sql.ts";
import type { Sql } from "../database/sql.ts";

type Part = ReturnType<Sql>;

/** Selects the connections to messengers that have work and no holder, as `c` with the lease `l`. */
export function freeConnections(sql: Sql, columns: Part = sql``): Part {
  return sql`
        select ${columns}
        from (${connectionsWithWork(sql)}) as work
        join channel_connections c on c.id = work.id
        join workspaces w on w.id = c.workspace_id
        left join channel_leases l on l.connection_id = c.id
        where ${mayRun(sql)}
          and not ${isLeased(sql)}
          and (${isAlwaysDue(sql)} or ${hasInbox(sql)} or ${hasOutbox(sql)} or ${hasExpiries(sql)})`;
}

/**
 * Selects the connections that may have work, with or without a holder. The query starts from the waiting rows, because
 * most connections have none. The index of each table finds the next connection, even if the previous connection has
 * thousands of waiting rows.
 */
function connectionsWithWork(sql: Sql): Part {
  return sql`
          select id
          from channel_connections
          where is_enabled
            and deleted_at is null
            and coalesce(settings ->> 'transport', '') = 'poll'
          union
          ${connectionsIn(sql, sql`channel_inbox`, sql`state = 'waiting'`)}
          union
          ${connectionsIn(sql, sql`channel_steps`, sql`true`)}
          union
          ${connectionsIn(sql, sql`channel_sendings`, sql`state in ('pending', 'sending')`)}
          union
          ${connectionsIn(sql, sql`channel_contacts`, sql`expiry_due_at is not null`)}`;
}

function connectionsIn(sql: Sql, table: Part, isWaiting: Part): Part {
  return sql`(
            with recursive found (id) as (
              (select connection_id from ${table} where ${isWaiting} order by connection_id limit 1)
              union all
              select (
                select connection_id
                from ${table}
                where ${isWaiting}
                  and connection_id > found.id
                order by connection_id
                limit 1
              )
              from found
              where found.id is not null
            )
            select id
            from found
            where id is not null
          )`;
}

/** Whether the connection `c` of the workspace `w` may receive and send messages. */
export function mayRun(sql: Sql): Part {
  return sql`(c.is_enabled and c.deleted_at is null and w.deleted_at is null and not w.is_suspended)`;
}

/** Whether a process holds the lease `l`. */
export function isLeased(sql: Sql): Part {
  return sql`(l.holder is not null and ${lasts(sql, sql`l.held_until`, limits.events.leaseSeconds)})`;
}

/** Whether the connection `c` polls its provider. */
export function isAlwaysDue(sql: Sql): Part {
  return sql`coalesce(c.settings ->> 'transport', '') = 'poll'`;
}

/** Whether the connection `c` has a waiting incoming message that is due. */
export function hasInbox(sql: Sql): Part {
  return sql`exists (
          select
          from channel_inbox i
          where i.connection_id = c.id
            and i.state = 'waiting'
            and not ${lasts(sql, sql`i.not_before`, limits.channels.lastPauseSeconds)}
        )`;
}

/** Whether the connection `c` has contacts whose chats may have expired. */
export function hasExpiries(sql: Sql): Part {
  return sql`exists (
          select
          from channel_contacts k
          where k.connection_id = c.id
            and k.expiry_due_at <= clock()
        )`;
}

/**
 * Whether the connection `c` with the lease `l` has output that is due: a step, or the next message of a contact. A
 * delayed message also delays the contact's later messages.
 */
export function hasOutbox(sql: Sql): Part {
  return sql`(
          exists (select from channel_steps s where s.connection_id = c.id)
          or (
            not ${isPaused(sql)}
            and exists (
              select
              from channel_sendings o
              where o.connection_id = c.id
                and o.state in ('pending', 'sending')
                and not ${waits(sql)}
                and not exists (
                  select
                  from channel_sendings e
                  where e.connection_id = o.connection_id
                    and e.contact_id = o.contact_id
                    and e.sequence < o.sequence
                    and e.state in ('pending', 'sending')
                )
                and (o.delay_ms = 0 or ${isDelayOver(sql)})
                and exists (select from channel_contacts k where k.id = o.contact_id)
            )
          )
        )`;
}

/** The longest possible pause. A pause that seems longer began before the clock was set back. */
const longestPauseSeconds = limits.channels.longestRefusedMs / 1_000;

/** Whether the connection with the lease `l` is paused, so that all of its messages wait. */
export function isPaused(sql: Sql): Part {
  return lasts(sql, sql`l.paused_until`, longestPauseSeconds);
}

/** Whether the message `o` waits for its next attempt. */
export function waits(sql: Sql): Part {
  return lasts(sql, sql`o.not_before`, longestPauseSeconds);
}

/**
 * Whether the delay of the message `o` has ended. The delay starts at the contact's previous message or, without one,
 * at the creation of the message.
 */
function isDelayOver(sql: Sql): Part {
  return sql`not coalesce(
                  (
                    select p.attempted_at
                    from channel_sendings p
                    where p.contact_id = o.contact_id
                      and p.sequence < o.sequence
                      and p.attempted_at is not null
                    order by p.sequence desc
                    limit 1
                  ),
                  o.created_at
                ) between clock() - make_interval(secs => o.delay_ms / 1000.0) and clock()`;
}
