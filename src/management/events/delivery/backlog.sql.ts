import { limits } from "../../../limits/index.ts";
import type { Sql } from "../../../platform/database/sql.ts";
import { pendingLanes } from "./due.sql.ts";

/** The number and age of an endpoint's pending events, and the marks that were set because of them. */
export type Backlog = {
  readonly endpointId: string;
  readonly workspaceId: string;
  readonly url: string;
  /** At most `limits.events.countedPending`. */
  readonly pending: number;
  /**
   * The age of the oldest pending event, and the seconds until its delivery is abandoned; null if no event is pending.
   */
  readonly oldestSeconds: number | null;
  readonly giveUpSeconds: number | null;
  readonly isFallingBehind: boolean;
  readonly isGivingUpNotified: boolean;
};

/**
 * Returns the backlogs of all enabled endpoints that have pending events or are falling behind. Listeners and endpoints
 * of suspended or deleted workspaces are left out.
 */
export async function listBacklogs(sql: Sql): Promise<Backlog[]> {
  return sql<Backlog[]>`
    with recursive ${pendingLanes(sql)}
    select
      e.id as endpoint_id,
      e.workspace_id,
      e.url,
      counted.pending,
      extract(epoch from clock() - oldest.created_at)::float as oldest_seconds,
      extract(epoch from oldest.give_up_at - clock())::float as give_up_seconds,
      e.falling_behind_since is not null as is_falling_behind,
      e.giving_up_told_at is not null as is_giving_up_notified
    from event_endpoints e
    join workspaces w on w.id = e.workspace_id
    cross join lateral (
      select count(*)::integer as pending
      from (
        select
        from event_deliveries d
        where d.endpoint_id = e.id
          and d.status = 'pending'
          ${asListed(sql)}
        limit ${limits.events.countedPending}
      ) first_ones
    ) counted
    left join lateral (
      select d.created_at, d.give_up_at
      from event_deliveries d
      where d.endpoint_id = e.id
        and d.status = 'pending'
        ${asListed(sql)}
      order by d.created_at, d.id
      limit 1
    ) oldest on true
    where e.is_enabled
      and e.listened_at is null
      and w.deleted_at is null
      and not w.is_suspended
      and (e.falling_behind_since is not null or e.id in (select endpoint_id from pending))
    order by e.id`;
}

/** Returns the condition of the index that sorts an endpoint's undelivered events `d` by age. */
function asListed(sql: Sql) {
  return sql`and d.status || '' <> 'delivered'`;
}

/** A change of an endpoint's state. Each change is marked only once, by one node. */
export type BacklogMark = "falling_behind" | "giving_up" | "caught_up";

/** Marks an endpoint. Returns true on only one of several nodes, which then notifies the workspace. */
export async function markBacklog(sql: Sql, endpointId: string, mark: BacklogMark): Promise<boolean> {
  const { count } = await sql`
    update event_endpoints
    set ${change(sql, mark)}
    where id = ${endpointId}
      and ${mark === "giving_up" ? sql`giving_up_told_at is null` : sql`falling_behind_since is ${mark === "caught_up" ? sql`not null` : sql`null`}`}`;
  return count > 0;
}

function change(sql: Sql, mark: BacklogMark) {
  switch (mark) {
    case "falling_behind":
      return sql`falling_behind_since = clock()`;
    case "giving_up":
      return sql`giving_up_told_at = clock()`;
    case "caught_up":
      return sql`falling_behind_since = null, giving_up_told_at = null`;
    default:
      return mark satisfies never;
  }
}
