import type { Queue as QueueOptions } from "pg-boss";
import { limits } from "../../limits/index.ts";

type Options = Omit<QueueOptions, "name" | "partition">;

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/**
 * The time without a heartbeat after which a job is taken from its process: three missed heartbeats. pg-boss accepts no
 * shorter time.
 */
const missedSeconds = 10;

/**
 * Options for deliveries. Retries continue for long, because mail servers are updated, use greylisting, and may be down
 * for a night.
 */
const patient = {
  retryDelay: 10,
  retryBackoff: true,
  retryDelayMax: 4 * hour,
  // This time is longer than any delivery (`limits.mails.deliveryMs`, `limits.deferredCalls.deliveryMs`).
  expireInSeconds: 2 * minute,
  heartbeatSeconds: missedSeconds,
  retentionSeconds: 14 * day,
  deleteAfterSeconds: day,
} as const satisfies Options;

/**
 * Returns the options of all queues. A job whose process died is retried after `heartbeatSeconds` without a heartbeat
 * (`takeUpMissedJobs`), or after `expireInSeconds`. The policy of an existing queue cannot be changed. `attempts` is
 * the setting DELIVERY_ATTEMPTS for mails and calls.
 */
function queuesWith(attempts: number) {
  return {
    /**
     * Mails that failed permanently. The queue has no worker. The board shows the mails and can return them to their
     * queue.
     */
    "email-dead": { retentionSeconds: 14 * day, deleteAfterSeconds: day },
    email: { ...patient, retryLimit: attempts - 1, deadLetter: "email-dead" },
    "calls-dead": { retentionSeconds: 14 * day, deleteAfterSeconds: day },
    /** Calls to services whose responses the flow does not use. */
    calls: { ...patient, retryLimit: attempts - 1, deadLetter: "calls-dead" },
    "events-dead": { retentionSeconds: 14 * day, deleteAfterSeconds: day },
    /**
     * Outbound events are delivered without jobs (`management/events/delivery/dispatch.ts`). Pausing this queue on the
     * board pauses their delivery. Nodes of the previous release add a job to this queue for each endpoint.
     */
    events: {
      policy: "short",
      retryLimit: 2,
      retryDelay: 10,
      retryBackoff: true,
      expireInSeconds: 3 * minute,
      retentionSeconds: day,
      deleteAfterSeconds: hour,
      deadLetter: "events-dead",
    },
    /** Exports of results. An export restarts if its process ended. */
    exports: {
      retryLimit: 5,
      retryDelay: 10,
      retryBackoff: true,
      retryDelayMax: 10 * minute,
      // This time is longer than the largest export takes.
      expireInSeconds: 6 * hour,
      heartbeatSeconds: missedSeconds,
      retentionSeconds: 7 * day,
      deleteAfterSeconds: day,
    },
    /** Scheduled tasks. In the cluster, each task has at most one waiting or running job. */
    "clean-up": {
      policy: "exclusive",
      retryLimit: 2,
      retryDelay: minute,
      retryBackoff: true,
      expireInSeconds: hour,
      heartbeatSeconds: minute,
      retentionSeconds: day,
      deleteAfterSeconds: day,
    },
  } as const satisfies Readonly<Record<string, Options>>;
}

export const queues = queuesWith(limits.mails.attempts);

export type QueueName = keyof typeof queues;

/** The names of all queues, in the order in which the board lists them. */
export const queueNames: readonly QueueName[] = [
  ...(["email", "events", "exports", "calls", "clean-up"] as const),
  ...(["email-dead", "events-dead", "calls-dead"] as const),
];

/** Returns every queue with its options. A dead letter queue precedes the queue that refers to it. */
export function queueOptions(attempts: number = limits.mails.attempts): readonly (readonly [QueueName, Options])[] {
  const wanted = queuesWith(attempts);
  return queueNames
    .toSorted((one, other) => Number(isDead(other)) - Number(isDead(one)))
    .map((name) => [name, wanted[name]]);
}

function isDead(name: QueueName): boolean {
  return name.endsWith("-dead");
}
