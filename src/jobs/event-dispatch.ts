import type { Sql } from "../store/database/sql.ts";
import { listDueEndpoints } from "../store/events/queue.ts";
import type { EventJob } from "./handlers/events.ts";
import type { Outage } from "./outage.ts";
import type { Queue } from "./queue.ts";
import { type Rounds, startRounds } from "./rounds.ts";

/** How often endpoints with due events are looked for. */
const pollMs = 1_000;

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
 * Sees to it that every endpoint with something due has a job. Looks each second, in every node, and puts one job for each: a job
 * that still waits is not doubled, and two that run at once find that only one may have the endpoint. What is due lies in the
 * delivery log, so nothing depends on a job being kept.
 */
export function startEventDispatch({ sql, queue, outage, onJobs }: Parts): Rounds {
  return startRounds({
    everyMs: pollMs,
    outage,
    async look() {
      const endpointIds = await listDueEndpoints(sql, { limit: endpointsPerPoll });
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
