import { limits } from "../../../limits/index.ts";
import type { Log } from "../../../platform/observing/log.ts";
import type { DeliveryAttempt } from "../event-delivery.ts";
import type { EventStore } from "./event-store.ts";
import type { OpenEndpoint } from "./queue.sql.ts";

/** After this many consecutive unreachable calls, no other call starts until the running calls have ended. */
export const maxUnreachable = 3;

/**
 * The health of an endpoint according to the calls of this process. The states are:
 *
 *     good ─ `maxUnreachable` consecutive calls did not reach it ─→ doubtful
 *     good ─ no call succeeded, and the last did not reach it ────→ paused
 *     doubtful ─ a running call succeeds ─────────────────────────→ good
 *     doubtful ─ the last running call has also failed ───────────→ paused, longer each time
 *     any ─ the receiver requested a pause ───────────────────────→ paused
 *     any ─ the receiver requested no more events ────────────────→ disabled
 *     paused ─ read again after the pause ────────────────────────→ probing: one call at a time
 *     probing ─ a call succeeds ──────────────────────────────────→ good
 *     probing ─ a call does not reach the endpoint ───────────────→ doubtful
 *
 * The endpoint's row stores its pause, and the time since which it fails, for all processes.
 */
export type EndpointHealth = {
  /** Called when the endpoint's row was read. */
  read(endpoint: OpenEndpoint): void;
  /** Called when a call has ended. */
  note(attempt: DeliveryAttempt): void;
  isProbing(): boolean;
  isDoubtful(): boolean;
  /** Whether no call may start until the endpoint is read again. */
  isPaused(): boolean;
  /** Whether there are outcomes to save. `isQuiet` means that no call is running or about to start. */
  hasNote(isQuiet: boolean): boolean;
  /** Saves the outcomes of calls since the last save. */
  save(isQuiet: boolean): Promise<void>;
  /** Pauses the endpoint for this number of seconds. */
  pause(seconds: number): Promise<void>;
};

type Tools = { readonly store: Pick<EventStore, "noteEndpoint">; readonly log: Log };

/** The calls since the last save. */
type Tally = {
  readonly delivered: number;
  readonly failed: number;
  readonly pauseSeconds: number | null;
  readonly isGone: boolean;
};

const nothing: Tally = { delivered: 0, failed: 0, pauseSeconds: null, isGone: false };

export function createEndpointHealth({ store, log }: Tools, endpointId: string): EndpointHealth {
  let unreachableJobs = 0;
  let isFailing = false;
  let isPaused = false;
  /** The number of consecutive calls that did not reach the endpoint. */
  let unreachable = 0;
  let lastError: string | null = null;
  let tally = nothing;

  const isProbing = (): boolean => unreachableJobs > 0;
  const isUnreachable = (): boolean => unreachable >= (isProbing() ? 1 : maxUnreachable);
  const hasAsked = (): boolean => tally.isGone || tally.pauseSeconds !== null;
  const isUnreachableAtLast = (isQuiet: boolean): boolean =>
    isQuiet && unreachable > 0 && (isUnreachable() || tally.delivered === 0);
  const kindOf = ({ delivered, failed }: Tally) => {
    if (delivered > 0) return "delivered";
    return failed > 0 ? "failed" : "idle";
  };
  const write = async (note: { isUnreachable: boolean; pauseSeconds: number | null }): Promise<void> => {
    const { isGone } = tally;
    const kind = kindOf(tally);
    tally = nothing;
    const reason = await store.noteEndpoint(endpointId, {
      ...note,
      kind,
      disabledReason: isGone ? "The receiver responded with status 410: it does not accept further events" : null,
      lastError: `Nothing could be delivered for ${limits.events.failureDays} days. The last attempt: ${lastError ?? "none"}`,
      failureDays: limits.events.failureDays,
    });
    if (kind !== "idle") {
      isFailing = kind === "failed";
      unreachableJobs = note.isUnreachable ? unreachableJobs + 1 : 0;
    }
    if (reason === undefined) return;
    isPaused = true;
    log.warn("An event endpoint was disabled", { endpointId, reason });
  };
  return {
    read(endpoint) {
      unreachableJobs = endpoint.unreachableJobs;
      isFailing = endpoint.failingSince !== null;
      // A call may have ended meanwhile and requested a pause that is not saved yet.
      isPaused = hasAsked();
      unreachable = 0;
      // The row already has the state that these deliveries would write. They are discarded, so that they do not hide
      // later failures.
      if (!isPaused && tally.delivered > 0 && !isProbing() && !isFailing) tally = nothing;
    },
    note(attempt) {
      if (attempt.kind === "delivered") {
        tally = { ...tally, delivered: tally.delivered + 1 };
        unreachable = 0;
        return;
      }
      const asked = attempt.retryAfterSeconds;
      const pauseSeconds = asked === null ? tally.pauseSeconds : Math.max(tally.pauseSeconds ?? 0, asked);
      tally = { ...tally, failed: tally.failed + 1, pauseSeconds, isGone: tally.isGone || attempt.isGone };
      lastError = attempt.error;
      unreachable = attempt.isUnreachable ? unreachable + 1 : 0;
      isPaused ||= tally.isGone || pauseSeconds !== null;
    },
    isProbing,
    isDoubtful: isUnreachable,
    isPaused: () => isPaused,
    hasNote(isQuiet) {
      if (hasAsked()) return true;
      if (tally.failed > 0 && isUnreachableAtLast(isQuiet)) return true;
      if (tally.delivered > 0) return isProbing() || isFailing;
      return isQuiet && tally.failed > 0;
    },
    async save(isQuiet) {
      const isUnreachableNow = isUnreachableAtLast(isQuiet);
      const pause = limits.events.pauseSeconds[unreachableJobs] ?? limits.events.pauseSeconds.at(-1) ?? 0;
      const asked = tally.pauseSeconds;
      const pauseSeconds = isUnreachableNow ? Math.max(pause, asked ?? 0) : asked;
      isPaused ||= isUnreachableNow;
      await write({ isUnreachable: isUnreachableNow, pauseSeconds });
    },
    pause: (pauseSeconds) => write({ isUnreachable: false, pauseSeconds }),
  };
}
