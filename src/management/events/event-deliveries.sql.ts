import type { EventType } from "../../events.ts";
import type { Position } from "../../platform/database/owned-rows.sql.ts";
import { first, type Sql } from "../../platform/database/sql.ts";

export const deliveryStatuses = ["pending", "delivered", "failed"] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** The type of a message: an event, or a test message with which a person checks delivery. */
export type MessageType = EventType | "ping";

export type EventDeliveryRow = {
  readonly id: string;
  readonly endpointId: string;
  readonly type: MessageType;
  readonly botId: string | null;
  readonly resultId: string | null;
  readonly status: DeliveryStatus;
  readonly attempts: number;
  /** Null if there are no more attempts. */
  readonly nextAttemptAt: Date | null;
  readonly lastAttemptAt: Date | null;
  readonly lastStatusCode: number | null;
  readonly lastError: string | null;
  readonly lastResponse: string | null;
  readonly createdAt: Date;
};

export type DeliveryPlace = { readonly endpointId: string; readonly deliveryId: string };

/** Returns an endpoint's log, newest first. */
export async function listEventDeliveries(
  sql: Sql,
  request: {
    endpointId: string;
    status: DeliveryStatus | undefined;
    after: Position | undefined;
    limit: number;
  },
): Promise<EventDeliveryRow[]> {
  const { endpointId, status, after, limit } = request;
  return sql<EventDeliveryRow[]>`
    select ${columns(sql)}
    from event_deliveries
    where endpoint_id = ${endpointId}
      ${status === undefined ? sql`` : ofStatus(sql, status)}
      ${after ? sql`and (created_at, id) < (${after.createdAt}, ${after.id})` : sql``}
    order by created_at desc, id desc
    limit ${limit}`;
}

/** A message with which a person tests an endpoint. */
export type TestMessage = {
  readonly type: MessageType;
  readonly botId: string | null;
  readonly resultId: string | null;
  readonly sessionId: string | null;
  readonly content: object | null;
};

/** Inserts a test message with a separate key, so that no other message delays it. */
export async function insertTestMessage(
  sql: Sql,
  { id, endpointId }: { id: string; endpointId: string },
  { type, botId, resultId, sessionId, content }: TestMessage,
): Promise<EventDeliveryRow> {
  const [row] = await sql<EventDeliveryRow[]>`
    insert into event_deliveries (id, endpoint_id, type, bot_id, result_id, session_id, order_key, content)
    values (
      ${id}, ${endpointId}, ${type}, ${botId}, ${resultId}, ${sessionId}, ${id},
      ${content && JSON.stringify(content)}::text::json
    )
    returning ${columns(sql)}`;
  if (!row) throw new Error("The insert of a test message returned no row");
  return row;
}

/**
 * Makes a message due again immediately, with the same id, and resets its attempts. Returns undefined if the endpoint
 * has no such message.
 */
export async function redeliver(
  sql: Sql,
  { endpointId, deliveryId }: DeliveryPlace,
): Promise<EventDeliveryRow | undefined> {
  return first(sql<EventDeliveryRow[]>`
    update event_deliveries
    set status = 'pending',
      attempts = 0,
      next_attempt_at = clock(),
      give_up_at = clock() + interval '3 days'
    where id = ${deliveryId}
      and endpoint_id = ${endpointId}
    returning ${columns(sql)}`);
}

/** Ends an endpoint's pause, so that its due events can be sent immediately. */
export async function endPause(sql: Sql, endpointId: string): Promise<void> {
  await sql`
    update event_endpoints
    set paused_until = null
    where id = ${endpointId}
      and paused_until is not null`;
}

/**
 * Returns a condition that matches the index of undelivered messages. Even a long log contains only few of them, and
 * people usually look for these.
 */
function ofStatus(sql: Sql, status: DeliveryStatus) {
  if (status === "delivered") return sql`and status = 'delivered'`;
  return sql`and status || '' <> 'delivered' and status = ${status}`;
}

function columns(sql: Sql) {
  return sql`
    id,
    endpoint_id,
    type,
    bot_id,
    result_id,
    status,
    attempts,
    case when status = 'pending' then next_attempt_at end as next_attempt_at,
    last_attempt_at,
    last_status_code,
    last_error,
    last_response,
    created_at`;
}
