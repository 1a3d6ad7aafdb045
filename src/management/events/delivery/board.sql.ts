import { limits } from "../../../limits/index.ts";
import { countOf, first, type Sql } from "../../../platform/database/sql.ts";
import type { DeliveryStatus, MessageType } from "../event-deliveries.sql.ts";

/** The job board's states of deliveries. A pending delivery is delayed if it was already tried or is not due yet. */
export type DeliveryState = "waiting" | "delayed" | "failed" | "completed";

/** A delivery of any endpoint, without content that people wrote. */
export type BoardDelivery = {
  readonly id: string;
  readonly endpointId: string;
  readonly workspaceId: string;
  readonly isEnabled: boolean;
  readonly type: MessageType;
  readonly botId: string | null;
  readonly resultId: string | null;
  readonly status: DeliveryStatus;
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly nextAttemptAt: Date;
  readonly lastAttemptAt: Date | null;
  readonly lastStatusCode: number | null;
  readonly lastError: string | null;
  readonly createdAt: Date;
};

/** Returns the number of deliveries in each state, each at most `limits.events.shownPending`. */
export async function countDeliveries(sql: Sql): Promise<{ state: DeliveryState; count: number }[]> {
  return sql<{ state: DeliveryState; count: number }[]>`
    select wanted.state, counted.count
    from (values
      ('waiting', 'pending'),
      ('delayed', 'pending'),
      ('failed', 'failed')
    ) as wanted (state, status)
    cross join lateral (
      select count(*)::integer as count
      from (
        select
        from event_endpoints e
        join workspaces w on w.id = e.workspace_id
        join event_deliveries d on d.endpoint_id = e.id
        where w.deleted_at is null
          and d.status || '' <> 'delivered'
          and d.status = wanted.status
          and ${stateOf(sql)} = wanted.state
        limit ${limits.events.shownPending}
      ) first_ones
    ) counted
    union all
    select 'completed', count(*)::integer
    from (
      select
      from event_endpoints e
      join workspaces w on w.id = e.workspace_id
      join event_deliveries d on d.endpoint_id = e.id
      where w.deleted_at is null
        and d.status = 'delivered'
      limit ${limits.events.shownPending}
    ) first_ones`;
}

/** Returns deliveries in these states, newest first. */
export async function listDeliveries(
  sql: Sql,
  { states, offset, limit }: { states: readonly DeliveryState[]; offset: number; limit: number },
): Promise<BoardDelivery[]> {
  return sql<BoardDelivery[]>`
    select newest.*
    from event_endpoints e
    join workspaces w on w.id = e.workspace_id
    cross join lateral (
      select ${columns(sql)}
      from event_deliveries d
      where d.endpoint_id = e.id
        and ${stateOf(sql)} = any(${[...states]}::text[])
        ${states.includes("completed") ? sql`` : sql`and d.status || '' <> 'delivered'`}
      order by d.created_at desc, d.id desc
      limit ${offset + limit}
    ) newest
    where w.deleted_at is null
    order by newest.created_at desc, newest.id desc
    limit ${limit}
    offset ${offset}`;
}

export async function findDelivery(sql: Sql, id: string): Promise<BoardDelivery | undefined> {
  return first(sql<BoardDelivery[]>`
    select ${columns(sql)}
    from event_deliveries d
    join event_endpoints e on e.id = d.endpoint_id
    join workspaces w on w.id = e.workspace_id
    where d.id = ${id}
      and w.deleted_at is null`);
}

/**
 * Makes failed deliveries of enabled endpoints due again and resets their attempts. Changes at most `limit` deliveries,
 * or only the delivery `id`. Returns the number of changed deliveries.
 */
export async function retryDeliveries(sql: Sql, { limit, id }: { limit: number; id?: string }): Promise<number> {
  return countOf(sql`
    update event_deliveries
    set status = 'pending',
      attempts = 0,
      next_attempt_at = clock(),
      give_up_at = clock() + interval '3 days'
    where status = 'failed'
      and id in (
        select d.id
        from event_endpoints e
        join workspaces w on w.id = e.workspace_id
        join event_deliveries d on d.endpoint_id = e.id
        where w.deleted_at is null
          and e.is_enabled
          and d.status || '' <> 'delivered'
          and d.status = 'failed'
          ${id === undefined ? sql`` : sql`and d.id = ${id}`}
        limit ${limit}
      )`);
}

/**
 * Makes delayed deliveries of enabled endpoints due, at most `limit`. With `id`, changes only deliveries with the key
 * of this delivery, so that their order is preserved. Returns the number of changed deliveries.
 */
export async function hurryDeliveries(sql: Sql, { limit, id }: { limit: number; id?: string }): Promise<number> {
  return countOf(sql`
    update event_deliveries
    set next_attempt_at = clock()
    where status = 'pending'
      and id in (
        select d.id
        from event_endpoints e
        join workspaces w on w.id = e.workspace_id
        join event_deliveries d on d.endpoint_id = e.id
        where w.deleted_at is null
          and e.is_enabled
          and d.status || '' <> 'delivered'
          and d.status = 'pending'
          and d.next_attempt_at > clock()
          ${id === undefined ? sql`` : sql`and (d.endpoint_id, d.order_key) = (select endpoint_id, order_key from event_deliveries where id = ${id})`}
        limit ${limit}
      )`);
}

/** Ends the pauses of all endpoints, so that their due events can be sent immediately. */
export async function endPauses(sql: Sql): Promise<void> {
  await sql`
    update event_endpoints
    set paused_until = null
    where paused_until is not null`;
}

function stateOf(sql: Sql) {
  return sql`case
          when d.status = 'failed' then 'failed'
          when d.status = 'delivered' then 'completed'
          when d.attempts = 0 and d.next_attempt_at <= clock() then 'waiting'
          else 'delayed'
        end`;
}

function columns(sql: Sql) {
  return sql`
    d.id,
    d.endpoint_id,
    e.workspace_id,
    e.is_enabled,
    d.type,
    d.bot_id,
    d.result_id,
    d.status,
    ${stateOf(sql)} as state,
    d.attempts,
    d.next_attempt_at,
    d.last_attempt_at,
    d.last_status_code,
    d.last_error,
    d.created_at`;
}
