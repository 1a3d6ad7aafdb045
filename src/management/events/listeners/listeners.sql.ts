import { bulk } from "../../../platform/database/bulk.ts";
import { countOf, first, type Sql } from "../../../platform/database/sql.ts";
import { type AttemptOutcome, outcomeColumns } from "../delivery/attempts.ts";
import type { OpenEndpoint } from "../delivery/queue.sql.ts";
import type { EndpointPlace } from "../event-endpoints.sql.ts";

/**
 * Records that a listener requested the events of its endpoint, and returns the endpoint. Returns undefined if the
 * endpoint does not exist or is not a listener.
 */
export async function noteListening(
  sql: Sql,
  { workspaceId, endpointId }: EndpointPlace,
): Promise<
  | (Pick<OpenEndpoint, "id" | "workspaceId" | "batchSize" | "secret" | "previousSecret"> & { isSuspended: boolean })
  | undefined
> {
  return first(sql`
    update event_endpoints
    set listened_at = clock()
    where id = ${endpointId}
      and workspace_id = ${workspaceId}
      and listened_at is not null
    returning
      id,
      workspace_id,
      batch_size,
      secret,
      case when previous_secret_until > clock() then previous_secret end as previous_secret,
      exists (select from workspaces where workspaces.id = workspace_id and workspaces.is_suspended) as is_suspended`);
}

const outcomes = bulk<AttemptOutcome>(outcomeColumns);

/**
 * Saves a listener's outcomes for messages of its endpoint. A failed message is not retried automatically, because the
 * person at the listener can send it again.
 */
export async function saveReceived(sql: Sql, endpointId: string, received: readonly AttemptOutcome[]): Promise<void> {
  await sql`
    update event_deliveries d
    set status = case when i.is_delivered then 'delivered' else 'failed' end,
      attempts = d.attempts + 1,
      last_attempt_at = clock(),
      last_status_code = i.status_code,
      last_error = i.error,
      last_response = i.response
    from ${outcomes(sql, received)} as i
    where d.id = i.id
      and d.endpoint_id = ${endpointId}
      and d.status = 'pending'`;
}

/**
 * Copies the newest `count` messages of an endpoint to another endpoint. The copies have the same order, content and
 * time, but new ids.
 */
export async function copyDeliveries(
  sql: Sql,
  { from, to, count }: { from: string; to: string; count: number },
): Promise<void> {
  await sql`
    insert into event_deliveries (id, endpoint_id, type, bot_id, result_id, session_id, order_key, content, created_at)
    select new_id(), ${to}, type, bot_id, result_id, session_id, order_key, content, created_at
    from (
      select *
      from event_deliveries
      where endpoint_id = ${from}
      -- Events of one millisecond in the order in which they came: their ids have none.
      order by created_at desc, sequence desc
      limit ${count}
    ) newest
    order by sequence`;
}

/**
 * Deletes endpoints whose listeners have made no request for this number of minutes. Returns the number of deleted
 * endpoints.
 */
export async function deleteLeftListeners(sql: Sql, minutes: number): Promise<number> {
  return countOf(sql`
    delete from event_endpoints
    where listened_at <= clock() - make_interval(mins => ${minutes})`);
}
