import { limits } from "../../../limits/index.ts";
import type { Sql } from "../../../platform/database/sql.ts";

/**
 * Lets events go on after the clock stepped back. What was written in the old future is due, with the pause of its endpoint; leases
 * that end there end within their own length, so that a living holder renews its own before another process may have them.
 * Reads all that is pending: for a step, and the start of a process.
 */
export async function endOldFutureOfEvents(sql: Sql): Promise<void> {
  await sql`
    with leases as (
      update event_lanes
      set held_until = clock() + make_interval(secs => ${limits.events.leaseSeconds})
      where held_until > clock() + make_interval(secs => ${limits.events.leaseSeconds})
    ),
    pauses as (
      update event_endpoints e
      set paused_until = null
      where e.paused_until > clock()
        -- Who paused it had tried something, and held lanes; these may have been renewed since the step.
        and (
          e.leased_until > clock() + make_interval(secs => ${limits.events.leaseSeconds})
          or exists (
            select
            from event_deliveries d
            where d.endpoint_id = e.id
              and d.status = 'pending'
              and d.last_attempt_at > clock()
          )
        )
    )
    update event_deliveries
    set next_attempt_at = clock()
    where status = 'pending'
      and next_attempt_at > clock()
      and coalesce(last_attempt_at, created_at) > clock()`;
}
