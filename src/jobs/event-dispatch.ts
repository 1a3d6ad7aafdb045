import { type PollLoop, startPollLoop } from "../concurrency/poll-loop.ts";
import type { Sql } from "../store/database/sql.ts";
import { listDueEndpoints } from "../store/events/queue.ts";
import type { EventJob } from "./handlers/events.ts";
import type { Outage } from "./outage.ts";
import type { Queue } from "./queue.ts";

/** How often endpoints with due events are looked for. */
const pollMs = 1_000;
const maxPauseMs = 4_000;

/** Endpoints that get a job each time: the others have their turn the next time. */
const endpointsPerPoll = 1_000;

type Parts = {
  readonly sql: Sql;
  readonly queue: Queue;
  readonly outage: Outage;
  /** Told when there are jobs to do. */
  readonly onJobs: () => void;
};

/**
 * Gives every endpoint with due events a job. Every node looks each second and inserts one job for each endpoint: a job that
 * still waits is not doubled, and of two that run at once only one gets the lease of the endpoint. What is due is in the delivery
 * log, so nothing is lost with a job.
 */
export function startEventDispatch({ sql, queue, outage, onJobs }: Parts): PollLoop {
  return startPollLoop({
    everyMs: pollMs,
    maxPauseMs,
    onFailure: outage.failed,
    async run() {
      const endpointIds = await listDueEndpoints(sql, { limit: endpointsPerPoll });
      outage.passed();
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
