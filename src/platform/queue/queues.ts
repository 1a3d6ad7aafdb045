import type { Queue as QueueOptions } from "pg-boss";
import { limits } from "../../limits/index.ts";

type Options = Omit<QueueOptions, "name" | "partition">;

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** The least that pg-boss accepts: three heartbeats have been missed after this time. */
const missedSeconds = 10;

/** Mail servers are updated, use greylisting, and are down for a night. */
const patient = {
  retryDelay: 10,
  retryBackoff: true,
  retryDelayMax: 4 * hour,
  // Longer than any delivery (`limits.mails.deliveryMs`, `limits.deferredCalls.deliveryMs`).
  expireInSeconds: 2 * minute,
  heartbeatSeconds: missedSeconds,
  retentionSeconds: 14 * day,
  deleteAfterSeconds: day,
} as const satisfies Options;

/**
 * Our queues; a dead letter queue comes before the queue that names it. A job whose process died is retried once its
 * heartbeats have been missing for `heartbeatSeconds` (`takeUpMissedJobs`), or after `expireInSeconds`: minutes, never
 * hours. A policy cannot be changed later. `attempts` of mails and calls are those of DELIVERY_ATTEMPTS.
 */
function queuesWith(attempts: number) {
  return {
    /** Mails that failed for good. There is no worker: the board shows them, and can return them to their queue. */
    "email-dead": { retentionSeconds: 14 * day, deleteAfterSeconds: day },
    email: { ...patient, retryLimit: attempts - 1, deadLetter: "email-dead" },
    "calls-dead": { retentionSeconds: 14 * day, deleteAfterSeconds: day },
    /** Calls to services whose answers the flow does not read. */
    calls: { ...patient, retryLimit: attempts - 1, deadLetter: "calls-dead" },
    "events-dead": { retentionSeconds: 14 * day, deleteAfterSeconds: day },
    /**
     * Outbound events are delivered without jobs (`management/events/delivery/dispatch.ts`), and not while this queue
     * is paused on the board. Nodes of the previous release add a job here for each endpoint.
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
    /** Exports of results: an export restarts if its process ended. */
    exports: {
      retryLimit: 5,
      retryDelay: 10,
      retryBackoff: true,
      retryDelayMax: 10 * minute,
      // Longer than the largest export takes.
      expireInSeconds: 6 * hour,
      heartbeatSeconds: missedSeconds,
      retentionSeconds: 7 * day,
      deleteAfterSeconds: day,
    },
    /** Scheduled tasks, once in the cluster: one job of each task at a time, waiting or running. */
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

/** The names of our queues, as the board lists them. */
export const queueNames: readonly QueueName[] = [
  ...(["email", "events", "exports", "calls", "clean-up"] as const),
  ...(["email-dead", "events-dead", "calls-dead"] as const),
];

/** Every queue with its options, each after its dead letter queue. `attempts` as above. */
export function queueOptions(attempts: number = limits.mails.attempts): readonly (readonly [QueueName, Options])[] {
  const wanted = queuesWith(attempts);
  return queueNames
    .toSorted((one, other) => Number(isDead(other)) - Number(isDead(one)))
    .map((name) => [name, wanted[name]]);
}

function isDead(name: QueueName): boolean {
  return name.endsWith("-dead");
}
