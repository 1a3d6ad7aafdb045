import type { Statements } from "../../../platform/database/sql.ts";

// Parts of statements: pending events, due events, and whether their endpoint accepts them.
//
// "status = 'pending'" selects the index of chats for the planner, "status || '' = 'pending'" that of lanes: each has
// its own condition. If both matched, a vacuum that found one or two pending events would make the wrong index look as
// cheap, and a backlog would be read completely for each of its rows.

/**
 * Whether the event `d` is pending, due, and the first of its key. One index finds it with any statistics: "not exists"
 * may read all events of the endpoint for each event, until the log is analysed.
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
 * The recursive part `pending` of a statement: every lane of an endpoint in which events wait. It reads only the first
 * event of each lane, and nothing if no event waits.
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
 * Whether the endpoint `e` accepts events now. Events of a suspended workspace wait, and a listener requests its own.
 */
export function mayDeliver(sql: Statements) {
  return sql`e.is_enabled
        and e.listened_at is null
        and (e.paused_until is null or e.paused_until <= clock())
        and not exists (select from workspaces where workspaces.id = e.workspace_id and workspaces.is_suspended)`;
}
