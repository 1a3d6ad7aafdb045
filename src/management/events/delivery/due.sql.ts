import type { Statements } from "../../../platform/database/sql.ts";

// Parts of statements that select pending events, due events, and endpoints that accept events.
//
// "status = 'pending'" matches the index of chats, and "status || '' = 'pending'" matches the index of lanes, because
// the planner compares conditions literally. If both indexes matched, the wrong index would look equally cheap after a
// vacuum that found one or two pending events. A query would then read a whole backlog for each of its rows.

/**
 * Returns the SQL condition that the event `d` is pending, due, and the first event of its key. With any statistics,
 * PostgreSQL reads a single index to find this event. With "not exists", it might read all events of the endpoint for
 * each event until the log is analysed.
 */
export function isDue(sql: Statements) {
  return sql`d.status || '' = 'pending'
          and d.next_attempt_at <= clock()
          and d.sequence = (
            select first.sequence
            from event_deliveries first
            where first.endpoint_id = d.endpoint_id
              and first.order_key = d.order_key
              and first.status = 'pending'
            order by first.sequence
            limit 1
          )`;
}

/**
 * Returns the recursive part `pending` of a statement, which selects the lanes of endpoints that have pending events.
 * It reads only the first event of each lane.
 */
export function pendingLanes(sql: Statements) {
  return sql`pending as (
      (
        select endpoint_id, event_lane(order_key) as lane
        from event_deliveries
        where status || '' = 'pending'
        order by event_lane(order_key), endpoint_id
        limit 1
      )
      union all
      select next.endpoint_id, next.lane
      from pending p
      cross join lateral (
        select d.endpoint_id, event_lane(d.order_key) as lane
        from event_deliveries d
        where d.status || '' = 'pending'
          and (event_lane(d.order_key), d.endpoint_id) > (p.lane, p.endpoint_id)
        order by event_lane(d.order_key), d.endpoint_id
        limit 1
      ) next
    )`;
}

/**
 * Returns the SQL condition that the endpoint `e` accepts events now. Events of a suspended workspace wait, and a
 * listener requests its events itself.
 */
export function mayDeliver(sql: Statements) {
  return sql`e.is_enabled
        and e.listened_at is null
        and (e.paused_until is null or e.paused_until <= clock())
        and not exists (select from workspaces where workspaces.id = e.workspace_id and workspaces.is_suspended)`;
}
