import type { Clock, Stop } from "./transport.ts";

/**
 * The states of the queue that sends unsaved changes, one request at a time.
 *
 *     idle ─ a change is made ─→ waiting, for a moment, so that several changes share a request
 *     waiting ─ the moment has passed, or `flush` ─→ sending
 *     sending ─ success ─→ sending if there are more changes, otherwise idle
 *     sending ─ no response ─→ retrying, after about 1, 2, 4 … 30 s, or later if the service requests it
 *     retrying ─ the time has passed, `retry` or `flush` ─→ sending
 *     sending ─ refused ─→ stopped ─ `retry` ─→ sending
 *     any ─ `stop` ─→ stopped or closed
 */
export type QueueState =
  | { readonly kind: "idle" | "waiting" | "sending" | "closed" }
  | { readonly kind: "retrying"; readonly at: number }
  | { readonly kind: "stopped"; readonly why: Stop };

export type Attempt =
  | { readonly kind: "done" }
  | { readonly kind: "lost"; readonly retryAfterMs?: number }
  | { readonly kind: "stopped"; readonly why: Stop };

type Making = {
  readonly clock: Clock;
  chance(): number;
  /** Whether another person is at the same object. Changes are then sent sooner. */
  isShared(): boolean;
  hasMore(): boolean;
  send(): Promise<Attempt>;
  onState(): void;
};

/** How long a change waits before it is sent. The wait is shorter if another person is at the same object. */
const waitMs = 700;
const sharedWaitMs = 300;
const firstRetryMs = 1_000;
const longestRetryMs = 30_000;

export function createQueue({ clock, chance, isShared, hasMore, send, onState }: Making) {
  let state: QueueState = { kind: "idle" };
  let stopTimer = (): void => {};
  let failures = 0;
  const waiters: (() => void)[] = [];

  const enter = (next: QueueState): void => {
    stopTimer();
    stopTimer = () => {};
    state = next;
    const isOver = next.kind !== "waiting" && next.kind !== "sending";
    if (isOver) for (const resolve of waiters.splice(0)) resolve();
    onState();
  };

  const run = async (): Promise<void> => {
    // The waiting change sets may have been withdrawn in the meantime.
    if (!hasMore()) return enter({ kind: "idle" });
    enter({ kind: "sending" });
    const attempt = await send();
    if (state.kind !== "sending") return;
    switch (attempt.kind) {
      case "done":
        failures = 0;
        return run();
      case "lost": {
        failures++;
        const backOffMs = Math.min(longestRetryMs, firstRetryMs * 2 ** (failures - 1)) * (0.75 + chance() / 2);
        const waitedMs = Math.max(attempt.retryAfterMs ?? 0, backOffMs);
        enter({ kind: "retrying", at: clock.now() + waitedMs });
        stopTimer = clock.startTimer(waitedMs, () => void run());
        return;
      }
      case "stopped":
        return enter({ kind: "stopped", why: attempt.why });
      default:
        return attempt satisfies never;
    }
  };

  return {
    state: () => state,
    /** Sends the change sets after a short wait. Does nothing unless the queue is idle. */
    wake(): void {
      if (state.kind !== "idle") return;
      enter({ kind: "waiting" });
      stopTimer = clock.startTimer(isShared() ? sharedWaitMs : waitMs, () => void run());
    },
    /** Sends without waiting. Resolves when all change sets are sent, or when sending fails or has stopped. */
    async flush(): Promise<void> {
      if (state.kind === "idle" && !hasMore()) return;
      const done = new Promise<void>((resolve) => waiters.push(resolve));
      if (state.kind === "waiting" || state.kind === "idle" || state.kind === "retrying") void run();
      else if (state.kind !== "sending") for (const resolve of waiters.splice(0)) resolve();
      await done;
    },
    /** Sends immediately, if sending has stopped or waits for its next retry. */
    retry(): void {
      if (state.kind !== "retrying" && state.kind !== "stopped") return;
      if (hasMore()) void run();
      else enter({ kind: "idle" });
    },
    stop(why: Stop | "closed"): void {
      if (state.kind === "closed") return;
      enter(why === "closed" ? { kind: "closed" } : { kind: "stopped", why });
    },
  };
}
