import { type Clock, systemClock } from "../concurrency/clock.ts";

/** Under npm a Ctrl-C arrives twice, from the terminal and from npm: signals this close together count as one. */
const sameRequestMs = 1_000;

const forcedExitCode = 130;
const overdueExitCode = 1;

export type StopState = "serving" | "leaving" | "stopping" | "forced";

/**
 * A request to stop this process: by a signal, or because of a fatal failure.
 *
 *     serving ── SIGTERM ───────────────────────────────────────→ leaving
 *     serving ── SIGINT, SIGHUP, fail() ────────────────────────→ stopping
 *     leaving ── `drainMs` are over, a later signal, or fail() ─→ stopping
 *     stopping ─ a later signal, or `endMs` are over ────────────→ forced
 *
 * A process that is leaving serves everything, and directs balancers and clients elsewhere. One that is stopping
 * accepts nothing new and finishes the requests under way. A signal is a later one when it comes more than a second
 * after the last one that counted. A person at a terminal wants the end: only SIGTERM, which service managers send,
 * waits for balancers.
 */
export type StopRequest = {
  readonly state: StopState;
  /** Resolves when the process is leaving, or has to stop at once. */
  readonly leaving: Promise<void>;
  /** Resolves when the process should finish its work and end. */
  readonly stopping: Promise<void>;
  /** Resolves when the process should end now. */
  readonly forced: Promise<void>;
  /** Requests the stop because of a failure. */
  fail(): void;
  /** 0 after an orderly stop. */
  exitCode(): number;
  /** Restores the system's handling of the signals. */
  end(): void;
};

type StopOptions = {
  /** How long balancers have to leave. */
  readonly drainMs: number;
  /**
   * How long the process has to end once it is stopping: after this time, work that waits for a database without an
   * answer is given up.
   */
  readonly endMs: number;
  readonly clock?: Pick<Clock, "now" | "startTimer">;
  /** Where signals come from. */
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
