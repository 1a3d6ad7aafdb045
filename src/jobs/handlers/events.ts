import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { type DeliveryAttempt, sendSigned } from "../../effects/event-delivery.ts";
import type { SafeFetch } from "../../effects/safe-fetch.ts";
import { newId } from "../../ids.ts";
import { limits } from "../../limits.ts";
import type { Log } from "../../log.ts";
import { eventSecretPlace, type Secrets } from "../../secrets.ts";
import type { Sql } from "../../store/database/sql.ts";
import { markDelivered, markFailed } from "../../store/events/attempts.ts";
import {
  type DueMessage,
  listDueMessages,
  releaseEndpoint,
  type TakenEndpoint,
  takeEndpoint,
} from "../../store/events/queue.ts";
import type { Handler } from "../workers.ts";
import { eventBody } from "./event-body.ts";

/** The most events that a job delivers to its endpoint before other endpoints have their turn. */
export const eventsPerJob = 100;

/** After so many attempts in a row that did not reach the endpoint the job leaves the rest for later. */
export const maxUnreachable = 3;

/** The job of an endpoint with due messages: only its id, and nothing that a visitor said. */
export const EventJob = Type.Object({ endpointId: Type.String() });
export type EventJob = Static<typeof EventJob>;

/** Handles the jobs of endpoints. `onMore` is called when the endpoint needs another job at once. */
export function deliverEventJobs(tools: EventTools, { onMore }: { onMore: () => void }): Handler {
  return async ({ data, signal }) => {
    const { endpointId } = Value.Parse(EventJob, data);
    const { delivered, failed, hasMore } = await deliverEvents(tools, endpointId, signal);
    if (hasMore) onMore();
    return { kind: "done", message: `Delivered ${delivered}, failed ${failed}` };
  };
}

export type EventTools = {
  readonly sql: Sql;
  readonly safeFetch: SafeFetch;
  readonly secrets: Secrets;
  readonly log: Log;
};

/** What a job did, for the board. */
export type EventJobReport = {
  readonly delivered: number;
  readonly failed: number;
  /** Whether more of this endpoint is due at once. */
  readonly hasMore: boolean;
};

/**
 * Delivers what is due for one endpoint, up to a hundred messages: those of one session one after the other, sessions side by
 * side. A message that failed keeps back the rest of its session until it is delivered or given up. An unreachable endpoint is
 * paused, and after the pause one message is tried first. The outcome of each message is saved at once, so that after a crash at
 * most those under way are sent again, under the same ids.
 */
export async function deliverEvents(
  tools: EventTools,
  endpointId: string,
  signal?: AbortSignal,
): Promise<EventJobReport> {
  const endpoint = await takeEndpoint(tools.sql, {
    endpointId,
    leaseId: newId(),
    seconds: limits.events.leaseSeconds,
  });
  if (!endpoint) return { delivered: 0, failed: 0, hasMore: false };
  const tally = createTally(signal);
  const secrets = await openSecrets(tools, endpoint);
  if (!secrets) {
    const pauseSeconds = limits.events.pauseSeconds.at(-1) ?? 0;
    tools.log.error("The secret of an event endpoint cannot be read with this ENCRYPTION_KEY", { endpointId });
    await release(tools, endpoint, { ...tally, pauseSeconds });
    return { delivered: 0, failed: 0, hasMore: false };
  }
  const limit = endpoint.unreachableJobs > 0 ? 1 : eventsPerJob;
  const messages = await listDueMessages(tools.sql, { endpointId, limit });
  const sessions = [...Map.groupBy(messages, ({ orderKey }) => orderKey).values()];
  await forEachConcurrently(sessions, limits.events.sessionsAtOnce, (session) =>
    deliverInOrder(tools, { endpoint, secrets, tally }, session),
  );
  await release(tools, endpoint, tally);
  const { delivered, failed } = tally;
  return { delivered, failed, hasMore: messages.length === limit && delivered > 0 };
}

/** The outcomes of a job so far. */
type Tally = {
  readonly deadline: number;
  readonly signal: AbortSignal | undefined;
  delivered: number;
  failed: number;
  /** Attempts in a row that did not reach the endpoint. */
  unreachable: number;
  lastError: string | null;
  pauseSeconds: number | null;
  isGone: boolean;
};

type Job = { readonly endpoint: TakenEndpoint; readonly secrets: readonly string[]; readonly tally: Tally };

function createTally(signal: AbortSignal | undefined): Tally {
  return {
    signal,
    deadline: performance.now() + limits.events.jobMs,
    delivered: 0,
    failed: 0,
    unreachable: 0,
    lastError: null,
    pauseSeconds: null,
    isGone: false,
  };
}

async function deliverInOrder(tools: EventTools, job: Job, messages: readonly DueMessage[]): Promise<void> {
  const { endpoint, secrets, tally } = job;
  for (const message of messages) {
    if (isOver(tally)) return;
    const attempt = await sendSigned(tools, {
      url: endpoint.url,
      id: message.id,
      body: eventBody(message, endpoint.workspaceId),
      secrets,
    });
    note(tally, attempt);
    if (!(await mark(tools, job, message, attempt))) return;
  }
}

function isOver({ deadline, signal, unreachable, pauseSeconds, isGone }: Tally): boolean {
  if (isGone || pauseSeconds !== null || signal?.aborted) return true;
  return unreachable >= maxUnreachable || performance.now() >= deadline;
}

function note(tally: Tally, attempt: DeliveryAttempt): void {
  if (attempt.kind === "delivered") {
    tally.delivered++;
    tally.unreachable = 0;
    return;
  }
  tally.failed++;
  tally.lastError = attempt.error;
  tally.unreachable = attempt.isUnreachable ? tally.unreachable + 1 : 0;
  tally.isGone ||= attempt.isGone;
  if (attempt.retryAfterSeconds !== null) {
    tally.pauseSeconds = Math.max(tally.pauseSeconds ?? 0, attempt.retryAfterSeconds);
  }
}

/**
 * Saves the outcome of a message. Returns whether the next one of its session may be sent: not when this one will be retried,
 * and not when its row could not be changed, because its result was erased or this job's lease was lost.
 */
async function mark({ sql }: EventTools, job: Job, message: DueMessage, attempt: DeliveryAttempt): Promise<boolean> {
  const { endpoint, tally } = job;
  if (attempt.kind === "delivered") {
    const isMarked = await markDelivered(sql, endpoint, message.id, { ...attempt, error: null });
    return isMarked;
  }
  const { statusCode, error, response, retryAfterSeconds } = attempt;
  const pause = limits.events.retrySeconds[message.attempts];
  const retrySeconds = pause === undefined ? null : Math.max(pause, retryAfterSeconds ?? 0);
  const status = await markFailed(sql, endpoint, message.id, { statusCode, error, response, retrySeconds });
  return status === "failed" && !tally.isGone;
}

async function release({ sql, log }: EventTools, endpoint: TakenEndpoint, tally: Tally): Promise<void> {
  const { delivered, failed, unreachable, lastError, isGone } = tally;
  const kind = delivered > 0 ? "delivered" : failed > 0 ? "failed" : "idle";
  const isUnreachable = kind === "failed" && unreachable > 0;
  const pause = limits.events.pauseSeconds[endpoint.unreachableJobs] ?? limits.events.pauseSeconds.at(-1) ?? 0;
  const pauseSeconds = isUnreachable ? Math.max(pause, tally.pauseSeconds ?? 0) : tally.pauseSeconds;
  const reason = await releaseEndpoint(sql, endpoint, {
    kind,
    pauseSeconds,
    isUnreachable,
    disabledReason: isGone ? "The receiver answered with status 410: it wants no more events" : null,
    lastError: `Nothing could be delivered for ${limits.events.failureDays} days. The last attempt: ${lastError ?? "none"}`,
    failureDays: limits.events.failureDays,
  });
  if (reason !== undefined) log.warn("An event endpoint was disabled", { endpointId: endpoint.id, reason });
}

/** The secrets that sign, or undefined when they were encrypted under another key. */
async function openSecrets({ secrets }: EventTools, endpoint: TakenEndpoint): Promise<string[] | undefined> {
  const place = eventSecretPlace(endpoint.id);
  const current = await secrets.open(endpoint.secret, place);
  if (current === undefined) return undefined;
  const previous = endpoint.previousSecret && (await secrets.open(endpoint.previousSecret, place));
  return previous ? [current, previous] : [current];
}

/** Does the work on each entry, at most so many at once. Throws the first error after all have ended. */
async function forEachConcurrently<Entry>(
  entries: readonly Entry[],
  concurrency: number,
  work: (entry: Entry) => Promise<void>,
): Promise<void> {
  const remaining = entries.values();
  const workers = Array.from({ length: Math.min(concurrency, entries.length) }, async () => {
    for (const entry of remaining) await work(entry);
  });
  for (const settled of await Promise.allSettled(workers)) {
    if (settled.status === "rejected") throw settled.reason;
  }
}
