import { type Clock, systemClock } from "../concurrency/clock.ts";

/**
 * Under npm, Ctrl-C arrives twice: from the terminal and from npm. Signals within this time are treated as one signal.
 */
const sameRequestMs = 1_000;

const forcedExitCode = 130;
const overdueExitCode = 1;

export type StopState = "serving" | "leaving" | "stopping" | "forced";

/**
 * A request to stop this process: by a signal, or because of a fatal failure.
 *
 *     serving ── SIGTERM, and `drainMs` is not 0 ──────────────────→ leaving
 *     serving ── SIGINT, SIGHUP, fail(), any other SIGTERM ────────→ stopping
 *     leaving ── `drainMs` have passed, a later signal, or fail() ─→ stopping
 *     stopping ─ a later signal, or `endMs` have passed ───────────→ forced
 *
 * A leaving process serves all requests, and makes load balancers and clients use other nodes. A stopping process
 * accepts no new requests and finishes the running requests. Signals within a second after a signal are ignored. A
 * person at a terminal wants the process to end, so only SIGTERM, which service managers send, waits for load
 * balancers.
 */
export type StopRequest = {
  readonly state: StopState;
  /** Resolves when the process should make clients use other nodes, or has to stop immediately. */
  readonly leaving: Promise<void>;
  /** Resolves when the process should finish its work and end. */
  readonly stopping: Promise<void>;
  /** Resolves when the process should end now. */
  readonly forced: Promise<void>;
  /** Requests the stop because of a failure. */
  fail(): void;
  /** Returns 0 after an orderly stop. */
  exitCode(): number;
  /** Restores the default handling of the signals. */
  end(): void;
};

type StopOptions = {
  /** How long load balancers have time to stop sending requests. */
  readonly drainMs: number;
  /**
   * The time for the process to end once it is stopping. After this time, work that waits for an unresponsive database
   * is aborted.
   */
  readonly endMs: number;
  readonly clock?: Pick<Clock, "now" | "startTimer">;
  readonly signals?: Pick<NodeJS.EventEmitter, "on" | "off">;
};

/** Listens for the signals that end a service. */
export function stopRequest({ drainMs, endMs, clock = systemClock, signals = process }: StopOptions): StopRequest {
  const leaving = Promise.withResolvers<void>();
  const stopping = Promise.withResolvers<void>();
  const forced = Promise.withResolvers<void>();
  let state: StopState = "serving";
  let countedAt = Number.NEGATIVE_INFINITY;
  let exitCode = 0;
  let cancelTimer = (): void => {};

  const stop = (): void => {
    cancelTimer();
    state = "stopping";
    cancelTimer = clock.startTimer(endMs, () => force(overdueExitCode));
    leaving.resolve();
    stopping.resolve();
  };
  const leave = (): void => {
    state = "leaving";
    leaving.resolve();
    cancelTimer = clock.startTimer(drainMs, stop);
  };
  const force = (code: number): void => {
    cancelTimer();
    state = "forced";
    exitCode = code;
    forced.resolve();
  };
  const onSignal = (signal: string): void => {
    const now = clock.now();
    if (now - countedAt <= sameRequestMs) return;
    countedAt = now;
    if (state === "stopping") force(forcedExitCode);
    else if (state === "serving" && signal === "SIGTERM" && drainMs > 0) leave();
    else if (state !== "forced") stop();
  };
  for (const signal of stopSignals) signals.on(signal, onSignal);
  return {
    get state() {
      return state;
    },
    leaving: leaving.promise,
    stopping: stopping.promise,
    forced: forced.promise,
    fail() {
      exitCode = 1;
      if (state === "serving" || state === "leaving") stop();
    },
    exitCode: () => exitCode,
    end() {
      cancelTimer();
      for (const signal of stopSignals) signals.off(signal, onSignal);
    },
  };
}

export const stopSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
