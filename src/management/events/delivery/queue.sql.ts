import { countOf, first, type Sql } from "../../../platform/database/sql.ts";
import type { MessageType } from "../event-deliveries.sql.ts";
import { isDue, mayDeliver } from "./due.sql.ts";

/** An endpoint that is ready for deliveries. */
export type OpenEndpoint = {
  readonly id: string;
  readonly workspaceId: string;
  readonly url: string;
  readonly secret: Uint8Array;
  /** Null if there is no previous secret or it has expired. */
  readonly previousSecret: Uint8Array | null;
  readonly maxConcurrency: number;
  readonly batchSize: number;
  /** The number of consecutive times that the endpoint was unreachable. */
  readonly unreachableJobs: number;
  readonly failingSince: Date | null;
};

/**
 * Returns an endpoint; undefined if it is paused, disabled, deleted or a listener, or if its workspace is suspended.
 */
export async function findOpenEndpoint(sql: Sql, endpointId: string): Promise<OpenEndpoint | undefined> {
  return first(sql<OpenEndpoint[]>`
    select
      id,
      workspace_id,
      url,
      secret,
      case when previous_secret_until > clock() then previous_secret end as previous_secret,
      max_concurrency,
      batch_size,
      unreachable_jobs,
      failing_since
    from event_endpoints e
    where id = ${endpointId}
      and ${mayDeliver(sql)}`);
}

/** A pending message of a key whose first message is due. */
export type DueMessage = {
  readonly id: string;
  readonly type: MessageType;
  readonly botId: string | null;
  readonly resultId: string | null;
  readonly sessionId: string | null;
  readonly orderKey: string;
  readonly lane: number;
  readonly content: unknown;
  readonly attempts: number;
  /** The status code of the response to the last attempt, if there was one. */
  readonly lastStatusCode: number | null;
  readonly createdAt: Date;
};

export type DueRequest = {
  readonly endpointId: string;
  readonly lanes: readonly number[];
  /** Keys that the caller has already read, which are left out. */
  readonly exceptKeys: readonly string[];
  readonly keysPerLane: number;
  readonly messagesPerKey: number;
};

/**
 * Returns the next keys of some lanes with their next messages, in order within each key. If the first message of a key
 * is not due yet, all messages of the key are left out.
 */
export async function listDueMessages(sql: Sql, request: DueRequest): Promise<DueMessage[]> {
  const { endpointId, lanes, exceptKeys, keysPerLane, messagesPerKey } = request;
  return sql<DueMessage[]>`
    with firsts as materialized (
      select f.*
      from unnest(${[...lanes]}::smallint[]) as own (lane)
      cross join lateral (
        select d.order_key, d.next_attempt_at, d.sequence
        from event_deliveries d
        where d.endpoint_id = ${endpointId}
          and event_lane(d.order_key) = own.lane
          and ${isDue(sql)}
          -- As a subquery, which is hashed: an array would be searched for each row.
          and d.order_key not in (select key from unnest(${[...exceptKeys]}::uuid[]) as known (key))
        order by d.next_attempt_at, d.sequence
        limit ${keysPerLane}
      ) f
    )
    select
      m.id,
      m.type,
      m.bot_id,
      m.result_id,
      m.session_id,
      m.order_key,
      event_lane(m.order_key)::integer as lane,
      m.content,
      m.attempts,
      m.last_status_code,
      m.created_at
    from firsts f
    cross join lateral (
      select id, type, bot_id, result_id, session_id, order_key, sequence, content, attempts, last_status_code, created_at
      from event_deliveries
      where endpoint_id = ${endpointId}
        and order_key = f.order_key
        and status = 'pending'
      order by sequence
      limit ${messagesPerKey}
    ) m
    order by f.next_attempt_at, f.sequence, m.sequence`;
}

/** The health of an endpoint since the last note, as observed by one process. */
export type EndpointNote = {
  /** Whether at least one attempt succeeded, all attempts failed, or no attempt was made. */
  readonly kind: "delivered" | "failed" | "idle";
  /**
   * The number of seconds until the next attempt, if the endpoint was unreachable or the receiver requested a delay;
   * otherwise null.
   */
  readonly pauseSeconds: number | null;
  readonly isUnreachable: boolean;
  /** The reason why the endpoint must be disabled now; null if it may stay enabled. */
  readonly disabledReason: string | null;
  /** The reason that is stored if the endpoint is disabled because it has failed for `failureDays` days. */
  readonly lastError: string | null;
  readonly failureDays: number;
};

/**
 * Records an observation, if the process still holds a lane of the endpoint. Returns the reason if the endpoint is
 * disabled afterwards.
 */
export async function noteEndpoint(
  sql: Sql,
  { endpointId, holder }: { endpointId: string; holder: string },
  note: EndpointNote,
): Promise<string | undefined> {
  const { kind, pauseSeconds, isUnreachable, disabledReason, lastError, failureDays } = note;
  const hasFailedForDays = sql`coalesce(
        ${kind === "failed"} and failing_since <= clock() - make_interval(days => ${failureDays}),
        false
      )`;
  const [row] = await sql<{ reason: string | null }[]>`
    update event_endpoints
    set failing_since = case
        when ${kind === "delivered"} then null
        when ${kind === "failed"} then coalesce(failing_since, clock())
        else failing_since
      end,
      unreachable_jobs = case
        when ${isUnreachable} then unreachable_jobs + 1
        when ${kind === "idle"} then unreachable_jobs
        else 0
      end,
      paused_until = case
        when ${pauseSeconds === null} then paused_until
        else greatest(paused_until, clock() + make_interval(secs => ${pauseSeconds ?? 0}))
      end,
      is_enabled = is_enabled and ${disabledReason === null} and not ${hasFailedForDays},
      disabled_reason = case
        when not is_enabled then disabled_reason
        when ${disabledReason !== null} then ${disabledReason}
        when ${hasFailedForDays} then ${lastError}
      end
    where id = ${endpointId}
      and exists (
        select
        from event_lanes
        where endpoint_id = ${endpointId}
          and holder = ${holder}
      )
    returning case when not is_enabled then disabled_reason end as reason`;
  return row?.reason ?? undefined;
}

/**
 * Deletes up to `limit` rows of the log that are older than this number of days or belong to a deleted endpoint. Also
 * deletes old pending rows of disabled endpoints. Returns the number of deleted rows, which is less than `limit` if no
 * more rows remain.
 */
export async function removeOldDeliveries(sql: Sql, { days, limit }: { days: number; limit: number }): Promise<number> {
  return countOf(sql`
    with recursive known as (
      (
        select endpoint_id
        from event_deliveries
        order by endpoint_id
        limit 1
      )
      union all
      select (
        select d.endpoint_id
        from event_deliveries d
        where d.endpoint_id > known.endpoint_id
        order by d.endpoint_id
        limit 1
      )
      from known
      where known.endpoint_id is not null
    ),
    old as (
      select d.id
      from known
      left join event_endpoints e on e.id = known.endpoint_id
      cross join lateral (
        select id
        from event_deliveries
        where endpoint_id = known.endpoint_id
          and (e.id is null or created_at <= clock() - make_interval(days => ${days}))
        order by created_at, id
        -- Not known while planning: a limit above the expected rows would have all of an endpoint read and sorted.
        limit (select ${limit}::integer)
      ) d
      limit ${limit}
    )
    delete from event_deliveries
    where id = any(array(select id from old))`);
}
