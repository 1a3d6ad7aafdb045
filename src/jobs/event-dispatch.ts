import { type PollLoop, startPollLoop } from "../concurrency/poll-loop.ts";
import type { Sql } from "../store/database/sql.ts";
import { listDueEndpoints } from "../store/events/queue.ts";
import type { EventJob } from "./handlers/events.ts";
import type { Outage } from "./outage.ts";
import type { Queue } from "./queue.ts";

/** The interval of polls for endpoints with due events. */
const pollMs = 1_000;
const maxPauseMs = 4_000;

/** Endpoints that get a job at each poll: the others have their turn at the next one. */
const endpointsPerPoll = 1_000;

type Parts = {
  readonly sql: Sql;
  readonly queue: Queue;
  readonly outage: Outage;
  /** Called when there are new jobs. */
  readonly onJobs: () => void;
};

/**
 * Gives every endpoint with due events a job. Every node polls each second and inserts one job for each endpoint: an endpoint
 * whose job still waits gets no second one, and of two that run at once only one gets the lease. Pending events are in the
 * delivery log, so nothing is lost with a job.
 */
export function startEventDispatch({ sql, queue, outage, onJobs }: Parts): PollLoop {
  return startPollLoop({
    everyMs: pollMs,
    maxPauseMs,
    onFailure: outage.failed,
    async run() {
      const endpointIds = await listDueEndpoints(sql, { limit: endpointsPerPoll });
      outage.recovered();
      if (endpointIds.length === 0) return;
      const jobs = endpointIds.map((endpointId) => ({ data: jobOf(endpointId), singletonKey: endpointId }));
      await queue.boss.insert("events", jobs);
      onJobs();
    },
  });
}

function jobOf(endpointId: string): EventJob {
  return { endpointId };
}
