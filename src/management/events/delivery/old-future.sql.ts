import { limits } from "../../../limits/index.ts";
import type { Sql } from "../../../platform/database/sql.ts";

/**
 * Repairs events after the clock was set back. Events that the old clock scheduled for the future become due now, and
 * the pauses of their endpoints end. Leases that end too late are cut to the usual length, so that a living holder
 * renews them before another process can acquire them. Reads all pending events. Runs after a step of the clock, and
 * when a process starts.
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
        -- The process that paused it had sent something and held lanes; these leases may have been renewed since the step.
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
