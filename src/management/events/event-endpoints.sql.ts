import type { EventType } from "../../events.ts";
import { limits } from "../../limits/index.ts";
import { ownedRows } from "../../platform/database/owned-rows.sql.ts";
import { first, type Sql } from "../../platform/database/sql.ts";

export type EventEndpointRow = {
  readonly id: string;
  readonly workspaceId: string;
  readonly url: string;
  readonly description: string | null;
  readonly eventTypes: EventType[];
  readonly isEnabled: boolean;
  readonly disabledReason: string | null;
  readonly failingSince: Date | null;
  /** The maximum number of concurrent calls from all nodes together. */
  readonly maxConcurrency: number;
  /** The maximum number of events in one call. */
  readonly batchSize: number;
  /** The time since which the endpoint's oldest event is late; null while the endpoint keeps up. */
  readonly fallingBehindSince: Date | null;
  /** The number of pending events, at most `limits.events.shownPending`, and the time of the oldest pending event. */
  readonly pendingCount: number;
  readonly oldestPendingAt: Date | null;
  readonly previousSecretUntil: Date | null;
  /** Whether a listener requests the endpoint's events. Nothing is then sent to the endpoint's URL. */
  readonly isListener: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

export type EndpointPlace = { readonly workspaceId: string; readonly endpointId: string };

/**
 * The rows of workspaces' endpoints. A deleted endpoint disappears immediately, and the clean-up deletes the rows of
 * its log.
 */
export const eventEndpointRows = ownedRows<EventEndpointRow>({
  table: "event_endpoints",
  owner: "workspace_id",
  columns,
});

export type NewEventEndpoint = Pick<
  EventEndpointRow,
  | "id"
  | "workspaceId"
  | "url"
  | "description"
  | "eventTypes"
  | "isEnabled"
  | "maxConcurrency"
  | "batchSize"
  | "isListener"
> & { readonly secret: Uint8Array };

/**
 * Inserts an endpoint. Returns undefined if the workspace already has `most` endpoints. Concurrent requests may exceed
 * this number, which is harmless, because the limit only bounds the number of deliveries.
 */
export async function insertEventEndpoint(
  sql: Sql,
  endpoint: NewEventEndpoint,
  { most }: { most: number },
): Promise<EventEndpointRow | undefined> {
  return first(sql<EventEndpointRow[]>`
    insert into event_endpoints (id, workspace_id, url, description, event_types, is_enabled, max_concurrency, batch_size, secret, listened_at, paused_until)
    select
      ${endpoint.id}::uuid,
      ${endpoint.workspaceId}::uuid,
      ${endpoint.url}::text,
      ${endpoint.description}::text,
      ${[...endpoint.eventTypes]}::text[],
      ${endpoint.isEnabled}::boolean,
      ${endpoint.maxConcurrency}::integer,
      ${endpoint.batchSize}::integer,
      ${endpoint.secret}::bytea,
      case when ${endpoint.isListener} then clock() end,
      -- For nodes of the former release, which would send to it.
      case when ${endpoint.isListener} then 'infinity'::timestamptz end
    where (
      select count(*)
      from event_endpoints
      where workspace_id = ${endpoint.workspaceId}
    ) < ${most}::integer
    returning ${columns(sql)}`);
}

export type EventEndpointChange = {
  readonly url?: string | undefined;
  readonly description?: string | null | undefined;
  readonly eventTypes?: readonly EventType[] | undefined;
  readonly isEnabled?: boolean | undefined;
  readonly maxConcurrency?: number | undefined;
  readonly batchSize?: number | undefined;
};

/**
 * Changes the given fields. Enabling the endpoint or changing its address ends its pauses, so that pending events are
 * due immediately. Returns undefined if there is no such endpoint.
 */
export async function updateEventEndpoint(
  sql: Sql,
  { workspaceId, endpointId }: EndpointPlace,
  change: EventEndpointChange,
): Promise<EventEndpointRow | undefined> {
  const { url, description, eventTypes: types, isEnabled, maxConcurrency, batchSize } = change;
  const beginsAnew = sql`(
        (${isEnabled ?? null}::boolean and not is_enabled)
        or (${url ?? null}::text is not null and url <> ${url ?? null}::text)
      )`;
  return first(sql<EventEndpointRow[]>`
    with hurried as (
      update event_deliveries
      set next_attempt_at = clock()
      from event_endpoints e
      where e.id = ${endpointId}
        and e.workspace_id = ${workspaceId}
        and ${beginsAnew}
        and event_deliveries.endpoint_id = e.id
        and event_deliveries.status = 'pending'
        and event_deliveries.status || '' <> 'delivered'
        and event_deliveries.next_attempt_at > clock()
    )
    update event_endpoints
    set url = coalesce(${url ?? null}::text, url),
      description = case when ${description !== undefined} then ${description ?? null}::text else description end,
      event_types = coalesce(${types ? [...types] : null}::text[], event_types),
      is_enabled = coalesce(${isEnabled ?? null}::boolean, is_enabled),
      max_concurrency = coalesce(${maxConcurrency ?? null}::integer, max_concurrency),
      batch_size = coalesce(${batchSize ?? null}::integer, batch_size),
      disabled_reason = case when ${isEnabled ?? null}::boolean is null then disabled_reason end,
      failing_since = case when not coalesce(${beginsAnew}, false) then failing_since end,
      paused_until = case when not coalesce(${beginsAnew}, false) then paused_until end,
      unreachable_jobs = case when not coalesce(${beginsAnew}, false) then unreachable_jobs else 0 end,
      updated_at = greatest(clock(), updated_at + interval '1 millisecond')
    where id = ${endpointId}
      and workspace_id = ${workspaceId}
    returning ${columns(sql)}`);
}

/**
 * Gives an endpoint a new secret. For this number of hours, messages are also signed with the previous secret. Returns
 * undefined if there is no such endpoint.
 */
export async function rotateEventSecret(
  sql: Sql,
  { workspaceId, endpointId }: EndpointPlace,
  { secret, hours }: { secret: Uint8Array; hours: number },
): Promise<EventEndpointRow | undefined> {
  return first(sql<EventEndpointRow[]>`
    update event_endpoints
    set previous_secret = secret,
      previous_secret_until = clock() + make_interval(hours => ${hours}),
      secret = ${secret},
      updated_at = greatest(clock(), updated_at + interval '1 millisecond')
    where id = ${endpointId}
      and workspace_id = ${workspaceId}
    returning ${columns(sql)}`);
}

function columns(sql: Sql) {
  return sql`
    id,
    workspace_id,
    url,
    description,
    event_types,
    is_enabled,
    disabled_reason,
    failing_since,
    max_concurrency,
    batch_size,
    falling_behind_since,
    (
      select count(*)::integer
      from (
        select
        from event_deliveries d
        where d.endpoint_id = event_endpoints.id
          and d.status = 'pending'
        limit ${limits.events.shownPending}
      ) first_ones
    ) as pending_count,
    (
      select d.created_at
      from event_deliveries d
      where d.endpoint_id = event_endpoints.id
        and d.status = 'pending'
      order by d.created_at, d.id
      limit 1
    ) as oldest_pending_at,
    case when previous_secret_until > clock() then previous_secret_until end as previous_secret_until,
    listened_at is not null as is_listener,
    created_at,
    updated_at`;
}
