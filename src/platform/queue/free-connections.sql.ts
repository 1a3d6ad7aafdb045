import { limits } from "../../limits/index.ts";
import { lasts } from "../database/spans.sql.ts";
import type { Sql } from "../database/sql.ts";

type Part = ReturnType<Sql>;

/** Connections to messengers that have something to do and that no process holds: `c`, with the lease `l`. */
export function freeConnections(sql: Sql, columns: Part = sql``): Part {
  return sql`
        select ${columns}
        from channel_connections c
        join workspaces w on w.id = c.workspace_id
        left join channel_leases l on l.connection_id = c.id
        where ${mayRun(sql)}
          and not ${isLeased(sql)}
          and (${isAlwaysDue(sql)} or ${hasInbox(sql)} or ${hasOutbox(sql)})`;
}

/** Whether the connection `c` of the workspace `w` takes in and sends. */
export function mayRun(sql: Sql): Part {
  return sql`(c.is_enabled and c.deleted_at is null and w.deleted_at is null and not w.is_suspended)`;
}

/** Whether a process holds the lease `l`. */
export function isLeased(sql: Sql): Part {
  return sql`(l.holder is not null and ${lasts(sql, sql`l.held_until`, limits.events.leaseSeconds)})`;
}

/** Whether the connection `c` asks its provider for news all the time. */
export function isAlwaysDue(sql: Sql): Part {
  return sql`coalesce(c.settings ->> 'transport', '') = 'poll'`;
}

/** Whether something that came in waits at the connection `c`. */
export function hasInbox(sql: Sql): Part {
  return sql`exists (
          select
          from channel_inbox i
          where i.connection_id = c.id
            and i.state = 'waiting'
            and (i.not_before is null or i.not_before <= clock())
        )`;
}

/** Whether the connection `c`, with the lease `l`, has something to say. */
export function hasOutbox(sql: Sql): Part {
  return sql`(
          exists (select from channel_steps s where s.connection_id = c.id)
          or (
            (l.paused_until is null or l.paused_until <= clock())
            and exists (
              select
              from channel_sendings o
              where o.connection_id = c.id
                and o.state in ('pending', 'sending')
                and (o.not_before is null or o.not_before <= clock())
            )
          )
        )`;
}
