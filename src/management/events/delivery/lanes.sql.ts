import { limits } from "../../../limits/index.ts";
import { bulk, smallint, uuid } from "../../../platform/database/bulk.ts";
import type { Sql, Statements } from "../../../platform/database/sql.ts";
import { isDue, mayDeliver, pendingLanes } from "./due.sql.ts";

/**
 * Leases of lanes. A lane contains an eighth of the chats of an endpoint, selected by a few bits of their ids
 * (`event_lane`). The states of a lane in the database are:
 *
 *     free ─ takeLanes ───────────────────────────────────→ held, for `leaseSeconds`
 *     held ─ renewLanes by its holder ────────────────────→ held, renewed
 *     held ─ wantLanes by another process ────────────────→ held, and requested for some time
 *     held ─ the lease expires ───────────────────────────→ free
 *     held ─ the clock is set back (`old-future.sql.ts`) ─→ held, for `leaseSeconds`
 *     held ─ releaseLanes by its holder ──────────────────→ free, or held by the process that requested it
 *
 * Nodes of the previous release lease whole endpoints in the endpoint's row. A process that holds lanes also holds this
 * lease, with an id that all processes of this release share. It acquires no lanes while a node of the previous release
 * holds the lease.
 */
export type Lane = { readonly endpointId: string; readonly lane: number };

/** The number of lanes of an endpoint. A migration contains the same number. */
export const laneCount = 8;

const sharedLease = "00000000000000000000000000";
const leaseSeconds = limits.events.leaseSeconds;
/** The longest lease of a node of the previous release. */
const formerLeaseSeconds = 120;

/** An endpoint with due events, and the actions that it requires from a process. */
export type DueEndpoint = {
  readonly id: string;
  /** Whether some due events are in free lanes. */
  readonly isFree: boolean;
  /** The lanes with due events that this process holds. */
  readonly ownLanes: readonly number[];
  /**
   * Whether some events have been due for some time in lanes that another process holds and that no process has
   * requested yet.
   */
  readonly isLate: boolean;
};

/** Returns endpoints that have due events and accept deliveries now. */
export async function listDueEndpoints(
  sql: Sql,
  { holder, limit }: { holder: string; limit: number },
): Promise<DueEndpoint[]> {
  return sql<DueEndpoint[]>`
    with recursive ${pendingLanes(sql)}
    select
      e.id,
      bool_or(l.lane is null) as is_free,
      coalesce(array_agg(p.lane::integer) filter (where l.holder = ${holder}), '{}') as own_lanes,
      coalesce(
        bool_or(
          l.holder <> ${holder}
          and due.next_attempt_at <= clock() - make_interval(secs => ${limits.events.lateSeconds})
          and not ${isWanted(sql)}
        ),
        false
      ) as is_late
    from pending p
    join event_endpoints e on e.id = p.endpoint_id
    join workspaces w on w.id = e.workspace_id
    cross join lateral (
      select d.next_attempt_at
      from event_deliveries d
      where d.endpoint_id = p.endpoint_id
        and event_lane(d.order_key) = p.lane
        and ${isDue(sql)}
      order by d.next_attempt_at, d.sequence
      limit 1
    ) due
    left join event_lanes l on l.endpoint_id = p.endpoint_id and l.lane = p.lane and ${isHeld(sql)}
    where w.deleted_at is null
      and ${mayDeliver(sql)}
      and ${isOfThisRelease(sql)}
      and not exists (select from paused_queues where queue = 'events')
    group by e.id
    order by e.id
    limit ${limit}`;
}

/**
 * Leases all free lanes of these endpoints. A process without a lane gets none if the number of delivering processes
 * has already reached the endpoint's maximum concurrency.
 */
export async function takeLanes(
  sql: Statements,
  { holder, endpointIds }: { holder: string; endpointIds: readonly string[] },
): Promise<Lane[]> {
  return sql<Lane[]>`
    with candidates as (
      select e.id
      from event_endpoints e
      where e.id = any(${[...endpointIds]}::uuid[])
        and ${mayDeliver(sql)}
        and ${isOfThisRelease(sql)}
        and (
          exists (
            select
            from event_lanes l
            where l.endpoint_id = e.id
              and l.holder = ${holder}
              and ${isHeld(sql)}
          )
          or (
            select count(distinct l.holder)
            from event_lanes l
            where l.endpoint_id = e.id
              and ${isHeld(sql)}
          ) < e.max_concurrency
        )
      order by e.id
      for no key update
    ),
    guarded as (
      update event_endpoints e
      set lease_id = ${sharedLease},
        leased_until = clock() + make_interval(secs => ${leaseSeconds})
      from candidates
      where e.id = candidates.id
    )
    insert into event_lanes as l (endpoint_id, lane, holder, held_until)
    select id, lane, ${holder}::uuid, clock() + make_interval(secs => ${leaseSeconds})
    from candidates
    cross join generate_series(0, ${laneCount - 1}::smallint) as lane
    order by id, lane
    on conflict (endpoint_id, lane) do update
    set holder = excluded.holder,
      held_until = excluded.held_until,
      wanted_by = null,
      wanted_until = null
    where not ${isHeld(sql)}
    returning endpoint_id, lane::integer`;
}

/**
 * Renews the leases of this process, except at endpoints that a node of the previous release has leased. Returns the
 * renewed leases, and whether another process has requested each lane.
 */
export async function renewLanes(sql: Sql, holder: string): Promise<(Lane & { readonly isWanted: boolean })[]> {
  return sql<(Lane & { isWanted: boolean })[]>`
    with own as (
      select l.endpoint_id, l.lane
      from event_lanes l
      join event_endpoints e on e.id = l.endpoint_id
      where l.holder = ${holder}
        and (e.lease_id = ${sharedLease} or e.lease_id is null)
      order by l.endpoint_id, l.lane
      for update of l
    ),
    guarded as (
      update event_endpoints e
      set lease_id = ${sharedLease},
        leased_until = clock() + make_interval(secs => ${leaseSeconds})
      where e.id = any(array(select distinct endpoint_id from own))
    )
    update event_lanes l
    set held_until = clock() + make_interval(secs => ${leaseSeconds})
    from own
    where l.endpoint_id = own.endpoint_id
      and l.lane = own.lane
      and l.holder = ${holder}
    returning l.endpoint_id, l.lane::integer, ${isWanted(sql)} as is_wanted`;
}

/**
 * Requests lanes of these endpoints from the processes that hold the most lanes, up to this process's share of the held
 * lanes, rounded down. Each handover therefore makes the shares more equal. Without rounding down, a process without
 * lanes could request the only lane of an endpoint. Two processes would then hand this lane to each other forever,
 * because a lane sends no events while it is being handed over.
 */
export async function wantLanes(
  sql: Sql,
  { holder, endpointIds }: { holder: string; endpointIds: readonly string[] },
): Promise<void> {
  await sql`
    with held as (
      select l.*, ${isWanted(sql)} as is_wanted, count(*) over (partition by l.endpoint_id, l.holder) as held_with
      from event_lanes l
      where l.endpoint_id = any(${[...endpointIds]}::uuid[])
        and ${isHeld(sql)}
    ),
    shares as (
      select
        e.id,
        (select count(*) from held where held.endpoint_id = e.id) / (count(distinct s.process) + 1) as lanes,
        (
          select count(*)
          from held
          where held.endpoint_id = e.id
            and (held.holder = ${holder} or (held.is_wanted and held.wanted_by = ${holder}))
        ) as own
      from event_endpoints e
      join (
        select endpoint_id, holder as process from held
        union
        select endpoint_id, wanted_by from held where is_wanted
      ) s on s.endpoint_id = e.id and s.process <> ${holder}
      group by e.id
      having count(distinct s.process) < e.max_concurrency
    ),
    ranked as (
      select h.endpoint_id, h.lane, row_number() over (partition by h.endpoint_id order by h.held_with desc, h.lane) as place
      from held h
      where h.holder <> ${holder}
        and not h.is_wanted
    ),
    chosen as (
      select l.endpoint_id, l.lane
      from ranked r
      join shares s on s.id = r.endpoint_id and r.place <= s.lanes - s.own
      join event_lanes l on l.endpoint_id = r.endpoint_id and l.lane = r.lane
      order by l.endpoint_id, l.lane
      for update of l
    )
    update event_lanes l
    set wanted_by = ${holder},
      wanted_until = clock() + make_interval(secs => ${leaseSeconds})
    from chosen
    where l.endpoint_id = chosen.endpoint_id
      and l.lane = chosen.lane`;
}

const lanesOf = bulk<Lane>({ endpoint_id: uuid(({ endpointId }) => endpointId), lane: smallint(({ lane }) => lane) });

/** Releases lanes immediately. A requested lane passes to the process that requested it. */
export async function releaseLanes(sql: Sql, holder: string, lanes: readonly Lane[]): Promise<void> {
  await sql`
    with own as (
      select l.endpoint_id, l.lane
      from ${lanesOf(sql, lanes)} as i
      join event_lanes l on l.endpoint_id = i.endpoint_id and l.lane = i.lane
      where l.holder = ${holder}
      order by l.endpoint_id, l.lane
      for update of l
    )
    update event_lanes l
    set holder = case when ${isWanted(sql)} then l.wanted_by end,
      held_until = case when ${isWanted(sql)} then clock() + make_interval(secs => ${leaseSeconds}) end,
      wanted_by = null,
      wanted_until = null
    from own
    where l.endpoint_id = own.endpoint_id
      and l.lane = own.lane`;
}

/** Returns the SQL condition that the lane `l` is leased. */
function isHeld(sql: Statements) {
  return sql`(
          l.holder is not null
          and l.held_until > clock()
        )`;
}

function isWanted(sql: Statements) {
  return sql`coalesce(
            l.wanted_until > clock() and l.wanted_until <= clock() + make_interval(secs => ${leaseSeconds}),
            false
          )`;
}

/** Returns the SQL condition that no node of the previous release delivers to the endpoint `e`. */
function isOfThisRelease(sql: Statements) {
  return sql`(
          e.leased_until is null
          or e.lease_id = ${sharedLease}
          or e.leased_until <= clock()
          or e.leased_until > clock() + make_interval(secs => ${formerLeaseSeconds})
        )`;
}
