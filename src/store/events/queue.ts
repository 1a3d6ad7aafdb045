import type { Sql } from "../database/sql.ts";
import type { MessageType } from "./deliveries.ts";

/** Endpoints with due messages and no job that holds their lease. */
export async function listDueEndpoints(sql: Sql, { limit }: { limit: number }): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select e.id
    from event_endpoints e
    join workspaces w on w.id = e.workspace_id
    -- The first that is due, by the index, as the job will find it; "exists" becomes a join of all that waits.
    cross join lateral (
      select
      from event_deliveries d
      where d.endpoint_id = e.id
        and ${isDue(sql)}
      order by d.next_attempt_at, d.sequence
      limit 1
    ) first
    where e.is_enabled
      and w.deleted_at is null
      and (e.paused_until is null or e.paused_until <= clock())
      and (e.leased_until is null or e.leased_until <= clock())
    limit ${limit}`;
  return rows.map(({ id }) => id);
}

/** An endpoint that a job has leased: no other job delivers to it until the lease ends. */
export type TakenEndpoint = {
  readonly id: string;
  readonly leaseId: string;
  readonly workspaceId: string;
  readonly url: string;
  readonly secret: Uint8Array;
  /** Null when there is none or it has expired. */
  readonly previousSecret: Uint8Array | null;
  readonly unreachableJobs: number;
};

/** Leases an endpoint; undefined when another job has it, or when it is paused, disabled or deleted. */
export async function takeEndpoint(
  sql: Sql,
  { endpointId, leaseId, seconds }: { endpointId: string; leaseId: string; seconds: number },
): Promise<TakenEndpoint | undefined> {
  const [row] = await sql<TakenEndpoint[]>`
    update event_endpoints
    set lease_id = ${leaseId},
      leased_until = clock() + make_interval(secs => ${seconds})
    where id = ${endpointId}
      and is_enabled
      and (paused_until is null or paused_until <= clock())
      and (leased_until is null or leased_until <= clock())
    returning
      id,
      lease_id,
      workspace_id,
      url,
      secret,
      case when previous_secret_until > clock() then previous_secret end as previous_secret,
      unreachable_jobs`;
  return row;
}

/** A message that is due. */
export type DueMessage = {
  readonly id: string;
  readonly type: MessageType;
  readonly botId: string | null;
  readonly resultId: string | null;
  readonly sessionId: string | null;
  readonly orderKey: string;
  readonly content: unknown;
  /** Attempts so far. */
  readonly attempts: number;
  readonly createdAt: Date;
};

/**
 * The next messages for an endpoint, each after its predecessors of the same key. A key whose first message waits for its
 * next attempt is left out with all that follow.
 */
export async function listDueMessages(
  sql: Sql,
  { endpointId, limit }: { endpointId: string; limit: number },
): Promise<DueMessage[]> {
  return sql<DueMessage[]>`
    with firsts as materialized (
      select d.order_key, d.next_attempt_at, d.sequence
      from event_deliveries d
      where d.endpoint_id = ${endpointId}
        and ${isDue(sql)}
      order by d.next_attempt_at, d.sequence
      limit ${limit}
    )
    select
      m.id,
      m.type,
      m.bot_id,
      m.result_id,
      m.session_id,
      m.order_key,
      m.content,
      m.attempts,
      m.created_at
    from firsts f
    cross join lateral (
      select id, type, bot_id, result_id, session_id, order_key, sequence, content, attempts, created_at
      from event_deliveries
      where endpoint_id = ${endpointId}
        and order_key = f.order_key
        and status = 'pending'
      order by sequence
      limit ${limit}
    ) m
    order by f.next_attempt_at, f.sequence, m.sequence
    limit ${limit}`;
}

/** Identifies the lease of a job. */
export type Lease = Pick<TakenEndpoint, "id" | "leaseId">;

/** What a job learned about its endpoint. */
export type JobOutcome = {
  /** Whether one attempt succeeded, all failed, or none was made. */
  readonly kind: "delivered" | "failed" | "idle";
  /** Seconds until the next job, where the endpoint was unreachable or the receiver asked for it. */
  readonly pauseSeconds: number | null;
  readonly isUnreachable: boolean;
  /** Why it is to be disabled now. */
  readonly disabledReason: string | null;
  /** Why it is disabled once it has failed for these days. */
  readonly lastError: string | null;
  readonly failureDays: number;
};

/** Releases the lease of an endpoint and records the outcome. Returns the reason when that disabled it. */
export async function releaseEndpoint(sql: Sql, lease: Lease, outcome: JobOutcome): Promise<string | undefined> {
  const { kind, pauseSeconds, isUnreachable, disabledReason, lastError, failureDays } = outcome;
  const hasFailedForDays = sql`coalesce(
        ${kind === "failed"} and failing_since <= clock() - make_interval(days => ${failureDays}),
        false
      )`;
  const [row] = await sql<{ reason: string | null }[]>`
    update event_endpoints
    set leased_until = null,
      lease_id = null,
      failing_since = case
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
        when ${pauseSeconds === null} then null
        else clock() + make_interval(secs => ${pauseSeconds ?? 0})
      end,
      is_enabled = is_enabled and ${disabledReason === null} and not ${hasFailedForDays},
      disabled_reason = case
        when not is_enabled then disabled_reason
        when ${disabledReason !== null} then ${disabledReason}
        when ${hasFailedForDays} then ${lastError}
      end
    where id = ${lease.id}
      and lease_id = ${lease.leaseId}
    returning case when not is_enabled then disabled_reason end as reason`;
  return row?.reason ?? undefined;
}

/**
 * Removes rows of the log that are older than these days or belong to an endpoint that is gone, a batch at a time. Returns how
 * many; fewer than `limit` when that was all. What still waits is as old, and its endpoint disabled.
 */
export async function removeOldDeliveries(sql: Sql, { days, limit }: { days: number; limit: number }): Promise<number> {
  const { count } = await sql`
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
        limit ${limit}
      ) d
      limit ${limit}
    )
    delete from event_deliveries
    where id = any(array(select id from old))`;
  return count;
}

/** Pending, due, and the first of its key. */
function isDue(sql: Sql) {
  return sql`d.status = 'pending'
          and d.next_attempt_at <= clock()
          and not exists (
            select
            from event_deliveries earlier
            where earlier.endpoint_id = d.endpoint_id
              and earlier.order_key = d.order_key
              and earlier.status = 'pending'
              and earlier.sequence < d.sequence
          )`;
}
