import type { Sql } from "../database/sql.ts";
import type { DeliveryStatus } from "./deliveries.ts";
import type { Lease } from "./queue.ts";

/** The outcome of an attempt, for the log. */
export type AttemptNote = {
  readonly statusCode: number | null;
  readonly error: string | null;
  readonly response: string | null;
};

/** Marks a message as delivered. False when the lease was lost meanwhile: the job that has it decides. */
export async function markDelivered(sql: Sql, lease: Lease, messageId: string, note: AttemptNote): Promise<boolean> {
  const [row] = await sql<[{ count: number }]>`
    with marked as (
      update event_deliveries
      set status = 'delivered',
        ${attempted(sql, note)}
      where ${isLeased(sql, lease, messageId)}
      returning id, endpoint_id, order_key, status, next_attempt_at
    ),
    ${followers(sql)}
    select count(*)::integer as count
    from marked`;
  return row.count > 0;
}

/**
 * Records a failed attempt. The message is retried after these seconds, or given up when they are null or its `give_up_at` has
 * passed. Undefined when the lease was lost, or when the message was erased.
 */
export async function markFailed(
  sql: Sql,
  lease: Lease,
  messageId: string,
  { retrySeconds, ...note }: AttemptNote & { retrySeconds: number | null },
): Promise<DeliveryStatus | undefined> {
  const [row] = await sql<{ status: DeliveryStatus }[]>`
    with marked as (
      update event_deliveries
      set status = case when ${retrySeconds === null} or give_up_at <= clock() then 'failed' else 'pending' end,
        next_attempt_at = clock() + make_interval(secs => ${retrySeconds ?? 0}),
        ${attempted(sql, note)}
      where ${isLeased(sql, lease, messageId)}
      returning id, endpoint_id, order_key, status, next_attempt_at
    ),
    ${followers(sql)}
    select status
    from marked`;
  return row?.status;
}

/**
 * The later messages of the key of a `marked` one wait as long as it does, and are due once it is no longer pending. Otherwise
 * each poll for due messages would read them: an endpoint that refuses everything has hundreds of thousands.
 */
function followers(sql: Sql) {
  return sql`followers as (
      update event_deliveries f
      set next_attempt_at = case when m.status = 'pending' then m.next_attempt_at else clock() end
      from marked m
      where f.endpoint_id = m.endpoint_id
        and f.order_key = m.order_key
        and f.status = 'pending'
        and f.id <> m.id
        and (m.status = 'pending' or f.next_attempt_at > clock())
    )`;
}

function attempted(sql: Sql, { statusCode, error, response }: AttemptNote) {
  return sql`attempts = attempts + 1,
      last_attempt_at = clock(),
      last_status_code = ${statusCode},
      last_error = ${error},
      last_response = ${response}`;
}

function isLeased(sql: Sql, lease: Lease, messageId: string) {
  return sql`id = ${messageId}
      and status = 'pending'
      and exists (
        select
        from event_endpoints
        where id = ${lease.id}
          and lease_id = ${lease.leaseId}
      )`;
}
