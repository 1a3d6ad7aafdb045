import type { SafeFetch } from "../../../effects/safe-fetch/safe-fetch.ts";
import { limits } from "../../../limits/index.ts";
import { createBatcher } from "../../../platform/concurrency/batcher.ts";
import { type Clock, systemClock } from "../../../platform/concurrency/clock.ts";
import { createLimiter } from "../../../platform/concurrency/limiter.ts";
import { startPollLoop } from "../../../platform/concurrency/poll-loop.ts";
import type { OutageWatch } from "../../../platform/database/outages/outage-watch.ts";
import { isOutage, maySucceedAlone } from "../../../platform/database/primary/outage.ts";
import type { Sql } from "../../../platform/database/sql.ts";
import { newId } from "../../../platform/ids.ts";
import type { Log } from "../../../platform/observing/log.ts";
import type { Secrets } from "../../../platform/secrets.ts";
import type { DeliveryStatus } from "../event-deliveries.sql.ts";
import type { AttemptOutcome } from "./attempts.ts";
import { createCallBudget } from "./call-budget.ts";
import { createEndpointDelivery, type DeliveryTools, type EndpointDelivery } from "./endpoint-delivery.ts";
import { createEventStore } from "./event-store.ts";
import { createLaneLeases } from "./lane-leases.ts";
import { createEventMetrics, type EventMetrics } from "./metrics.ts";

/** The interval between polls while the process holds leases. */
const pollMs = 1_000;
const maxPauseMs = 4_000;

/** The maximum number of endpoints that one poll finds. */
const endpointsPerPoll = 1_000;

/** The maximum number of outcomes that one statement saves, and of concurrent statements. */
const outcomesPerSave = 256;
const savesAtOnce = 2;

/** The number of concurrent queries for due events. Most connections are reserved for chats. */
const questionsAtOnce = 4;

export type EventDispatchParts = {
  readonly sql: Sql;
  readonly safeFetch: SafeFetch;
  readonly secrets: Secrets;
  readonly log: Log;
  readonly outage: OutageWatch;
  readonly clock?: Clock;
  readonly metrics?: EventMetrics;
  /** The interval between polls without leases. If it is infinite, the process polls only after a wake-up. */
  readonly idlePollMs?: number;
  /** The maximum number of concurrent calls. */
  readonly callsAtOnce?: number;
  /** Pauses after failed attempts in seconds. Defaults to the default of EVENT_RETRY_SECONDS. */
  readonly retrySeconds?: readonly number[];
  /** The timeout of the database statements. */
  readonly answerMs?: number;
};

export type EventDispatch = {
  /** Called when there may be due events. Polls immediately. */
  wake(): void;
  /**
   * Starts no more calls, waits for the running calls, and releases all leases as soon as possible, within a limited
   * time.
   */
  stop(): Promise<void>;
};

/**
 * Delivers the events of all endpoints, together with the other nodes. While this process holds leases, it polls once a
 * second. A poll releases lanes that are being left, renews leases when necessary, finds due events, and leases free
 * lanes. If events in another process's lanes are late, this process requests some of these lanes. It leaves an
 * endpoint that has had no events for some time. Without leases, it polls every `idlePollMs` and after a wake-up.
 *
 * pg-boss would not preserve the order of events, and would need four requests for each hundred events. Its queue
 * `events` exists only for the pause on the job board, and for nodes of the previous release.
 */
export function startEventDispatch(parts: EventDispatchParts): EventDispatch {
  const { log, outage, clock = systemClock, callsAtOnce = limits.events.callsAtOnce } = parts;
  const { idlePollMs = pollMs, metrics = createEventMetrics(), retrySeconds = limits.events.retrySeconds } = parts;
  const store = createEventStore({ ...parts, holder: newId() });
  const leases = createLaneLeases({ clock, onLeft: () => loop.wake() });
  const deliveries = new Map<string, EndpointDelivery>();
  const stopped = Promise.withResolvers<void>();
  let isStopping = false;
  let renewAt = 0;

  const tools: DeliveryTools = {
    ...parts,
    retrySeconds,
    clock,
    metrics,
    store,
    leases,
    budget: createCallBudget(callsAtOnce),
    outcomes: createBatcher<AttemptOutcome, DeliveryStatus | undefined>({
      run: store.saveOutcomes,
      isTriedAlone: (error, failedAlone) => failedAlone === 0 && maySucceedAlone(error),
      maxBatch: outcomesPerSave,
      inFlight: savesAtOnce,
      maxWaiting: Number.POSITIVE_INFINITY,
      clock,
    }),
    questions: createLimiter({
      width: questionsAtOnce,
      maxWaiting: Number.POSITIVE_INFINITY,
      refuse: () => new Error("The limiter refused a call without a limit"),
      clock,
    }),
    onFailure(error) {
      if (isOutage(error)) outage.failed(error);
      else log.error("Events could not be delivered", { error });
    },
  };

  const leaveIdle = (): void => {
    for (const [endpointId, delivery] of deliveries) {
      const idleSince = delivery.idleSince();
      if (idleSince === undefined || clock.now() - idleSince < limits.events.idleLaneMs) continue;
      deliveries.delete(endpointId);
      leases.leave(endpointId);
    }
  };
  const release = async (): Promise<void> => {
    const left = leases.toRelease();
    if (left.length === 0) return;
    await store.releaseLanes(left);
    leases.released(left);
  };
  const renew = async (): Promise<void> => {
    const askedAt = clock.now();
    leases.renewed(await store.renewLanes(), askedAt);
    renewAt = askedAt + limits.events.renewMs;
  };
  const take = async (endpointIds: readonly string[]): Promise<void> => {
    if (endpointIds.length === 0) return;
    const askedAt = clock.now();
    leases.granted(await store.takeLanes(endpointIds), askedAt);
  };
  const deliver = (endpointId: string): void => {
    let delivery = deliveries.get(endpointId);
    if (!delivery) {
      delivery = createEndpointDelivery(tools, endpointId);
      deliveries.set(endpointId, delivery);
    }
    delivery.wake();
  };
  const loop = startPollLoop({
    everyMs: () => (leases.count() > 0 ? pollMs : idlePollMs),
    maxPauseMs,
    clock,
    onFailure: tools.onFailure,
    async run() {
      // A poll may have acquired these leases while the process was being stopped.
      if (isStopping) leases.leave();
      leaveIdle();
      await release();
      if (leases.count() > 0 && clock.now() >= renewAt) await renew();
      if (isStopping) {
        if (leases.count() === 0) stopped.resolve();
        return;
      }
      const due = await store.listDueEndpoints(endpointsPerPoll);
      // Another process may have handed over lanes. Only a renewal returns them.
      const isUnknown = due.some(({ id, ownLanes }) => ownLanes.some((lane) => !leases.isHeld(id, lane)));
      if (isUnknown) await renew();
      await take(due.flatMap(({ id, isFree }) => (isFree ? [id] : [])));
      const late = due.flatMap(({ id, isLate }) => (isLate ? [id] : []));
      if (late.length > 0) await store.wantLanes(late);
      for (const { id } of due) if (leases.usable(id).length > 0) deliver(id);
    },
  });
  return {
    wake: loop.wake,
    async stop() {
      isStopping = true;
      leases.leave();
      loop.wake();
      const late = Promise.withResolvers<void>();
      const stopTimer = clock.startTimer(limits.process.drainMs, late.resolve);
      await Promise.race([stopped.promise, late.promise]);
      stopTimer();
      await loop.stop();
    },
  };
}
