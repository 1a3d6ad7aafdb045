import type { SafeFetch } from "../../../effects/safe-fetch/safe-fetch.ts";
import { limits } from "../../../limits/index.ts";
import { type CallOutcome, createAdaptiveWindow } from "../../../platform/concurrency/adaptive-window.ts";
import type { Batcher } from "../../../platform/concurrency/batcher.ts";
import type { Clock } from "../../../platform/concurrency/clock.ts";
import type { Limiter } from "../../../platform/concurrency/limiter.ts";
import type { Log } from "../../../platform/observing/log.ts";
import type { Secrets } from "../../../platform/secrets.ts";
import type { DeliveryStatus } from "../event-deliveries.sql.ts";
import { type DeliveryAttempt, sendSigned } from "../event-delivery.ts";
import type { AttemptOutcome } from "./attempts.ts";
import type { CallBudget } from "./call-budget.ts";
import { createEndpointHealth } from "./endpoint-health.ts";
import { callOf, eventBody } from "./event-body.ts";
import type { EventStore } from "./event-store.ts";
import type { LaneLeases, LaneUse } from "./lane-leases.ts";
import { laneCount } from "./lanes.sql.ts";
import type { EventMetrics } from "./metrics.ts";
import type { DueMessage, OpenEndpoint } from "./queue.sql.ts";
import { createSecretReader } from "./secret-reader.ts";

/**
 * Delivers the events of an endpoint that are in lanes of this process. The states of a key (a chat or a bot) are:
 *
 *     (in the database) ─ read ───────────────────────────────────→ waiting, with its next messages
 *     waiting ─ there is room for a call ─────────────────────────→ sending its first message
 *     waiting ─ its lane is left or lost ─────────────────────────→ (in the database)
 *     waiting ─ calls must wait until the endpoint is read again ─→ (in the database)
 *     sending ─ the receiver responded ───────────────────────────→ saving
 *     saving ─ saved as delivered or failed ──────────────────────→ waiting with its next message, before other keys
 *     saving ─ saved for a retry, or not saved ───────────────────→ (in the database)
 *
 * A message is therefore never sent while an earlier message of its key is pending. After a crash, messages that were
 * being sent are sent again with the same ids. There is room for a call while the adaptive window, the endpoint's limit
 * and the process's budget of calls all have room.
 */
export type EndpointDelivery = {
  /** Called when there may be due events in the endpoint's lanes. */
  wake(): void;
  /**
   * Returns the time since which the endpoint has had no events to send, by the clock; undefined while it has events.
   */
  idleSince(): number | undefined;
};

export type DeliveryTools = {
  readonly store: Pick<EventStore, "findOpenEndpoint" | "listDueMessages" | "noteEndpoint">;
  readonly safeFetch: SafeFetch;
  readonly secrets: Secrets;
  readonly log: Log;
  readonly clock: Clock;
  readonly leases: LaneLeases;
  readonly budget: CallBudget;
  readonly outcomes: Batcher<AttemptOutcome, DeliveryStatus | undefined>;
  /** Limits the concurrent queries of all endpoints. */
  readonly questions: Limiter;
  readonly metrics: EventMetrics;
  /** Pauses after failed attempts in seconds. */
  readonly retrySeconds: readonly number[];
  /** Called with failures outside of calls, such as failures of the database. */
  onFailure(error: unknown): void;
};

type Open = { readonly endpoint: OpenEndpoint; readonly secrets: readonly string[] };

type Key = {
  readonly orderKey: string;
  readonly lane: number;
  readonly messages: DueMessage[];
  /** Whether there may be more messages than were read. */
  readonly isCut: boolean;
};

type UsedKey = { readonly key: Key; readonly use: LaneUse };

/** The content of one call: the first message of each of these keys. */
type Shipment = { readonly keys: readonly UsedKey[]; readonly messages: readonly DueMessage[] };

/** The number of messages of a key that one query reads. */
const messagesPerKey = 20;
/** The minimum and maximum number of keys that one query reads, and the size of a query as a multiple of the window. */
const fewestKeys = 32;
const mostKeys = 512;
const readAhead = 2;

export function createEndpointDelivery(tools: DeliveryTools, endpointId: string): EndpointDelivery {
  const { store, clock, leases, budget, outcomes, metrics, retrySeconds } = tools;
  const window = createAdaptiveWindow({ most: limits.events.defaultConcurrency, clock });
  const health = createEndpointHealth(tools, endpointId);
  const readSecrets = createSecretReader(tools);
  const waiting: Key[] = [];
  /** The keys that are waiting, being sent or being saved. */
  const known = new Map<string, Key>();
  let open: Open | undefined;
  let mayHaveMore = false;
  let isAsking = false;
  /** The running query, and whether it saves the endpoint's health. */
  let asking = Promise.resolve();
  let isNoting = false;
  let idleSince: number | undefined = clock.now();

  const forget = ({ orderKey, isCut }: Key): void => {
    known.delete(orderKey);
    mayHaveMore ||= isCut;
  };
  const forgetWaiting = (): void => {
    for (const key of waiting.splice(0)) forget(key);
  };

  const readOpen = async (): Promise<Open | undefined> => {
    const endpoint = await store.findOpenEndpoint(endpointId);
    if (!endpoint) return undefined;
    const secrets = await readSecrets(endpoint);
    if (!secrets) {
      tools.log.error("The secret of an event endpoint cannot be decrypted with this ENCRYPTION_KEY", { endpointId });
      await health.pause(limits.events.pauseSeconds.at(-1) ?? 0);
      return undefined;
    }
    health.read(endpoint);
    return { endpoint, secrets };
  };
  const readKeys = async ({ endpoint }: Open): Promise<void> => {
    const lanes = leases.usable(endpointId);
    if (lanes.length === 0) return;
    window.setMost(health.isProbing() ? 1 : Math.floor((endpoint.maxConcurrency * lanes.length) / laneCount));
    const ahead = Math.min(Math.max(readAhead * window.size() * endpoint.batchSize, fewestKeys), mostKeys);
    const keysPerLane = health.isProbing() ? 1 : Math.ceil(ahead / lanes.length);
    const exceptKeys = [...known.keys()];
    const messages = await store.listDueMessages({ endpointId, lanes, exceptKeys, keysPerLane, messagesPerKey });
    const keys = [...Map.groupBy(messages, ({ orderKey }) => orderKey).entries()].map(([orderKey, own]): Key => {
      return { orderKey, lane: own[0]?.lane ?? 0, messages: own, isCut: own.length === messagesPerKey };
    });
    for (const key of keys) known.set(key.orderKey, key);
    waiting.push(...keys);
    const byLane = [...Map.groupBy(keys, ({ lane }) => lane).values()];
    mayHaveMore ||= byLane.some((own) => own.length >= keysPerLane);
  };
  const read = async (): Promise<void> => {
    mayHaveMore = false;
    open = await readOpen();
    if (open) await readKeys(open);
    else forgetWaiting();
  };
  /** Runs one query at a time. If a query fails, the endpoint is read again when it is found due again. */
  const ask = async (question: () => Promise<void>): Promise<void> => {
    isAsking = true;
    try {
      await tools.questions.run(question);
    } catch (error) {
      open = undefined;
      forgetWaiting();
      mayHaveMore = false;
      tools.onFailure(error);
    } finally {
      isAsking = false;
    }
    pump();
  };
  const begin = (question: () => Promise<void>, { isNote }: { isNote: boolean }): void => {
    isNoting = isNote;
    asking = ask(question);
  };
  /**
   * Waits until the endpoint's health is saved. Only a process that holds a lane of the endpoint can save it, so calls
   * retain their lanes until then.
   */
  const untilNoted = async (): Promise<void> => {
    while (isAsking && (isNoting || health.hasNote(isQuiet()))) await asking;
  };

  const takeShipment = ({ endpoint }: Open): Shipment | undefined => {
    const keys: UsedKey[] = [];
    const messages: DueMessage[] = [];
    let bytes = 0;
    while (keys.length < endpoint.batchSize && bytes < limits.events.batchBytes) {
      const [key] = waiting;
      const [message] = key?.messages ?? [];
      if (!key || !message) break;
      // A rejected message is retried separately, because it would delay the other messages of a batch.
      if (keys.length > 0 && wasRefused(message)) break;
      waiting.shift();
      const use = leases.use({ endpointId, lane: key.lane });
      if (!use) {
        forget(key);
        continue;
      }
      keys.push({ key, use });
      messages.push(message);
      if (wasRefused(message)) break;
      if (endpoint.batchSize > 1) bytes += eventBody(message, endpoint.workspaceId).length;
    }
    return keys.length === 0 ? undefined : { keys, messages };
  };
  const send = async ({ keys, messages }: Shipment, { endpoint, secrets }: Open): Promise<void> => {
    const ends = [window.begin(), budget.begin()];
    let outcome: CallOutcome = "other";
    let statuses: readonly (DeliveryStatus | undefined)[] = [];
    try {
      const attempt = await sendSigned(tools, {
        url: endpoint.url,
        ...callOf(messages, endpoint),
        secrets,
        workspaceId: endpoint.workspaceId,
        keepAliveKey: endpointId,
        signal: lossOf(keys),
      });
      if (keys.some(({ use }) => use.signal.aborted)) return;
      outcome = callOutcome(attempt);
      health.note(attempt);
      for (const end of ends.splice(0)) end(outcome);
      // The next call can start before the outcome of this call is saved.
      pump();
      statuses = await Promise.all(
        messages.map((message) => outcomes.add(savedOutcome(message, attempt, retrySeconds))),
      );
    } finally {
      for (const end of ends) end(outcome);
      for (const [index, { key }] of keys.entries()) goOn(key, statuses[index]);
      if (isAsking) await untilNoted();
      for (const { use } of keys) use.done();
    }
  };
  /**
   * Continues a key with its next message. Forgets the key if it has no more messages, if the endpoint is paused, or if
   * the current message will be retried or its outcome was not saved.
   */
  const goOn = (key: Key, status: DeliveryStatus | undefined): void => {
    key.messages.shift();
    if (status) metrics.count(metricOf[status]);
    const isOver = status === "delivered" || status === "failed";
    if (isOver && key.messages.length > 0 && !health.isPaused()) waiting.unshift(key);
    else forget(key);
  };

  /** Whether waiting events will be sent, either now or once running calls have ended. */
  const willBeSent = (): boolean =>
    open !== undefined && !health.isPaused() && !(health.isDoubtful() && window.underWay() === 0);
  const pump = (): void => {
    // Keys can return to the waiting list at any time, after their outcomes are saved. They must not prevent the read
    // that is needed before sending.
    if (!willBeSent()) forgetWaiting();
    while (open && waiting.length > 0 && mayBegin()) {
      const shipment = takeShipment(open);
      if (shipment) void send(shipment, open).catch(tools.onFailure).then(pump);
    }
    idleSince = known.size > 0 || isAsking ? undefined : (idleSince ?? clock.now());
    if (isAsking) return;
    const quiet = isQuiet();
    if (health.hasNote(quiet)) begin(() => health.save(quiet), { isNote: true });
    else if (mayHaveMore && waiting.length < window.size() && !isWaitingForCalls()) begin(read, { isNote: false });
  };
  const isQuiet = (): boolean => window.underWay() === 0 && (waiting.length === 0 || health.isDoubtful());
  const isWaitingForCalls = (): boolean => health.isDoubtful() && window.underWay() > 0;
  const mayBegin = (): boolean =>
    !health.isPaused() && !health.isDoubtful() && window.hasRoom() && budget.hasRoom(window.underWay(), pump);

  return {
    wake() {
      mayHaveMore = true;
      pump();
    },
    idleSince: () => idleSince,
  };
}

/** Returns a signal that is aborted when a lane of these keys is lost. */
function lossOf(keys: readonly UsedKey[]): AbortSignal {
  const signals = [...new Set(keys.map(({ use }) => use.signal))];
  const [only] = signals;
  return only && signals.length === 1 ? only : AbortSignal.any(signals);
}

const metricOf = { delivered: "delivered", pending: "retried", failed: "given_up" } as const;

function callOutcome(attempt: DeliveryAttempt): CallOutcome {
  if (attempt.kind === "delivered") return "succeeded";
  return attempt.isUnreachable ? "overloaded" : "other";
}

function savedOutcome(
  { id, attempts }: DueMessage,
  attempt: DeliveryAttempt,
  pauses: readonly number[],
): AttemptOutcome {
  const { statusCode, response } = attempt;
  if (attempt.kind === "delivered") {
    return { messageId: id, isDelivered: true, statusCode, error: null, response, retrySeconds: null };
  }
  const { error, retryAfterSeconds } = attempt;
  const pause = pauses[attempts];
  const retrySeconds = pause === undefined ? null : Math.max(pause, retryAfterSeconds ?? 0);
  return { messageId: id, isDelivered: false, statusCode, error, response, retrySeconds };
}

/** Whether the receiver processed the last attempt and rejected it. */
function wasRefused({ lastStatusCode }: DueMessage): boolean {
  return lastStatusCode !== null && lastStatusCode >= 400 && lastStatusCode < 500 && lastStatusCode !== 429;
}
