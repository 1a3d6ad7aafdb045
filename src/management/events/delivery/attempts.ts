import { boolean, bulk, integer, text, uuid } from "../../../platform/database/bulk.ts";
import type { Sql } from "../../../platform/database/sql.ts";
import type { DeliveryStatus } from "../event-deliveries.sql.ts";

export type AttemptOutcome = {
  readonly messageId: string;
  readonly isDelivered: boolean;
  readonly statusCode: number | null;
  readonly error: string | null;
  readonly response: string | null;
  /** The number of seconds until the next attempt after a failure; null if there are no more attempts. */
  readonly retrySeconds: number | null;
};

/** The columns of outcomes that one statement saves. */
export const outcomeColumns = {
  id: uuid(({ messageId }: AttemptOutcome) => messageId),
  is_delivered: boolean(({ isDelivered }: AttemptOutcome) => isDelivered),
  status_code: integer(({ statusCode }: AttemptOutcome) => statusCode),
  error: text(({ error }: AttemptOutcome) => error),
  response: text(({ response }: AttemptOutcome) => response),
};

const outcomes = bulk<AttemptOutcome>({
  ...outcomeColumns,
  retry_seconds: integer(({ retrySeconds }) => retrySeconds),
});

/**
 * Saves the outcomes of attempts. Each attempt must have a different key. Returns the new state of each message. A
 * failed message is pending again, unless it has no more attempts or its `give_up_at` has passed. The state is
 * undefined if nothing was written, because this process no longer holds the lane, or because the message was erased or
 * is no longer pending.
 *
 * The later messages of a key become due together with the message before them, or immediately once that message is no
 * longer pending. Otherwise each poll for due messages would read all later messages, and an endpoint that rejects
 * everything has hundreds of thousands of messages.
 */
export async function saveOutcomes(
  sql: Sql,
  holder: string,
  attempts: readonly AttemptOutcome[],
): Promise<(DeliveryStatus | undefined)[]> {
  const rows = await sql<{ index: number; status: DeliveryStatus }[]>`
    with marked as (
      update event_deliveries d
      set status = case
          when i.is_delivered then 'delivered'
          when i.retry_seconds is null or d.give_up_at <= clock() then 'failed'
          else 'pending'
        end,
        next_attempt_at = case
          when i.is_delivered then d.next_attempt_at
          else clock() + make_interval(secs => coalesce(i.retry_seconds, 0))
        end,
        attempts = d.attempts + 1,
        last_attempt_at = clock(),
        last_status_code = i.status_code,
        last_error = i.error,
        last_response = i.response
      from ${outcomes(sql, attempts)} as i
      where d.id = i.id
        and d.status = 'pending'
        -- As a value, asked for each row: "exists" becomes a join that begins with all that is pending in the lanes.
        and ${holder} = (
          select l.holder
          from event_lanes l
          where l.endpoint_id = d.endpoint_id
            and l.lane = event_lane(d.order_key)
        )
      returning i.index, d.id, d.endpoint_id, d.order_key, d.status, d.next_attempt_at
    ),
    followers as (
      update event_deliveries f
      set next_attempt_at = case when m.status = 'pending' then m.next_attempt_at else clock() end
      from marked m
      -- Ordered, so that they are found by the index of that order: another one would read all that is pending of the endpoint.
      cross join lateral (
        select w.id
        from event_deliveries w
        where w.endpoint_id = m.endpoint_id
          and w.order_key = m.order_key
          and w.status = 'pending'
          and w.id <> m.id
          and (m.status = 'pending' or w.next_attempt_at > clock())
        order by w.sequence
      ) later
      where f.id = later.id
    )
    select index::integer, status
    from marked`;
  const statuses = new Map(rows.map(({ index, status }) => [index, status]));
  return attempts.map((_, index) => statuses.get(index + 1));
}
