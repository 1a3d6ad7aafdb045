import type { Sql } from "../platform/database/sql.ts";

/**
 * Counts of waiting messages and connections, for all messengers and nodes. Ages are in seconds, and 0 if no message
 * waits.
 */
export type ChannelRows = {
  readonly waiting: number;
  readonly oldestWaiting: number;
  readonly pending: number;
  readonly oldestPending: number;
  /** The number of messages whose sending started more than a minute ago and has no stored outcome. */
  readonly inDoubt: number;
  readonly on: number;
  readonly off: number;
  readonly failing: number;
};

/** Counting stops at this number of messages. */
const most = 100_000;

/**
 * Counts the messages of enabled connections only. A message to a contact has no age while it waits intentionally, for
 * a pause or after a failure.
 */
export async function countChannelRows(sql: Sql): Promise<ChannelRows> {
  const [row] = await sql<[ChannelRows]>`
    with connections as (
      select c.id, c.is_enabled, l.failing_since
      from channel_connections c
      left join channel_leases l on l.connection_id = c.id
      where c.deleted_at is null
    ),
    waiting as (
      select i.received_at
      from connections c
      join channel_inbox i on i.connection_id = c.id and i.state = 'waiting'
      where c.is_enabled
      limit ${most}
    ),
    pending as (
      select s.created_at, s.not_before, s.state, s.attempted_at
      from connections c
      join channel_sendings s on s.connection_id = c.id and s.state in ('pending', 'sending')
      where c.is_enabled
      limit ${most}
    )
    select
      (select count(*)::integer from waiting) as waiting,
      (select coalesce(extract(epoch from clock() - min(received_at)), 0)::double precision from waiting) as oldest_waiting,
      (select count(*)::integer from pending) as pending,
      (
        select coalesce(extract(epoch from clock() - min(created_at)), 0)::double precision
        from pending
        where not_before is null or not_before <= clock()
      ) as oldest_pending,
      (
        select count(*)::integer
        from pending
        where state = 'sending' and attempted_at < clock() - interval '1 minute'
      ) as in_doubt,
      (select count(*)::integer from connections where is_enabled and failing_since is null) as on,
      (select count(*)::integer from connections where not is_enabled) as off,
      (select count(*)::integer from connections where is_enabled and failing_since is not null) as failing`;
  return row;
}
