import type { Clock } from "../concurrency/clock.ts";

/**
 * A slot for a serving process. A process that dies is replaced by another process.
 *
 *     starting ── listens ──────────────────────────────▶ serving
 *     starting ── ends, or does not listen in time ─────▶ waiting, or failed if the first start fails
 *     serving ─── ends unexpectedly ────────────────────▶ waiting
 *     serving ─── leave ────────────────────────────────▶ leaving: continues to serve, and is not replaced
 *     leaving ─── ends ─────────────────────────────────▶ ended
 *     waiting ─── its pause is over ────────────────────▶ starting
 *     starting ── leave ────────────────────────────────▶ draining
 *     starting, serving, leaving ── drain ──────────────▶ draining
 *     waiting ─── leave, drain ─────────────────────────▶ ended
 *     draining ── ends, or is killed after a time limit ─▶ ended
 *     any but failed ── kill ───────────────────────────▶ ended, once the process has ended
 *
 * `failed` and `ended` are final.
 */
export type SlotState = "starting" | "serving" | "waiting" | "leaving" | "draining" | "failed" | "ended";

export type Started = {
  /** Makes load balancers and clients use other nodes. */
  leave(): void;
  /** Asks the process to finish its running requests and to end. */
  drain(): void;
  kill(): void;
};

/** Describes how a process ended. `reason` is the process's own message if it could not start. */
export type Ending = { readonly what: string; readonly reason?: string };

export type Slot = {
  readonly state: SlotState;
  /** How often a process ended unexpectedly, so that another start was scheduled. */
  readonly restarts: number;
  /**
   * Resolves to the reason if the start failed. Otherwise resolves to undefined once the first process listens or the
   * slot has ended.
   */
  readonly started: Promise<Ending | undefined>;
  /** Resolves when the slot's last process has ended. */
  readonly ended: Promise<void>;
  /** Reports that the most recently started process listens. */
  listens(): void;
  leave(): void;
  drain(): void;
  kill(): void;
};

export type SlotOptions = {
  /** Starts a process. `onEnd` is called once, when the process has ended. */
  start(onEnd: (ending: Ending) => void): Started;
  /** Called when a process ended unexpectedly, with the delay before the next start. */
  onRestart(ending: Ending, pauseMs: number): void;
  readonly clock: Pick<Clock, "now" | "startTimer">;
  readonly drainMs: number;
};

/** The time limit from a process's start until it listens, which is far more than a busy machine needs. */
const startMs = 60_000;
/** If a process fails after it has run for this time, earlier failures no longer delay the next start. */
const steadyMs = 10_000;
const firstPauseMs = 100;
const longestPauseMs = 15_000;
/**
 * If this many starts fail without a reason before any process has listened, the cause is assumed to be permanent, and
 * the start fails.
 */
const firstAttempts = 3;

export function createSlot({ start, onRestart, clock, drainMs }: SlotOptions): Slot {
  let state: SlotState = "starting";
  let isFirst = true;
  let restarts = 0;
  let failuresInARow = 0;
  let startedAt = 0;
  let current: Started | undefined;
  let cancelTimer = (): void => {};
  const started = Promise.withResolvers<Ending | undefined>();
  const ended = Promise.withResolvers<void>();

  const setTimer = (ms: number, run: () => void): void => {
    cancelTimer();
    cancelTimer = clock.startTimer(ms, run);
  };
  const finish = (last: "failed" | "ended", ending: Ending | undefined): void => {
    cancelTimer();
    state = last;
    started.resolve(ending);
    ended.resolve();
  };
  const begin = (): void => {
    state = "starting";
    startedAt = clock.now();
    const process = start((ending) => onEnd(ending));
    current = process;
    setTimer(startMs, process.kill);
  };
  const onEnd = (ending: Ending): void => {
    const wasServing = state === "serving";
    current = undefined;
    if (state === "draining" || state === "leaving") {
      finish("ended", undefined);
      return;
    }
    if (wasServing && clock.now() - startedAt >= steadyMs) failuresInARow = 0;
    failuresInARow++;
    if (isFirst && (ending.reason !== undefined || failuresInARow >= firstAttempts)) {
      finish("failed", ending);
      return;
    }
    const pauseMs = Math.min(firstPauseMs * 2 ** (failuresInARow - 1), longestPauseMs);
    state = "waiting";
    restarts++;
    onRestart(ending, pauseMs);
    setTimer(pauseMs, begin);
  };
  const isFinal = (): boolean => state === "ended" || state === "failed";
  const drain = (): void => {
    if (isFinal() || state === "draining") return;
    if (current) {
      state = "draining";
      setTimer(drainMs, current.kill);
      current.drain();
    } else finish("ended", undefined);
  };
  begin();
  return {
    get state() {
      return state;
    },
    get restarts() {
      return restarts;
    },
    started: started.promise,
    ended: ended.promise,
    listens() {
      if (state !== "starting") return;
      cancelTimer();
      state = "serving";
      isFirst = false;
      started.resolve(undefined);
    },
    leave() {
      if (state !== "serving") {
        if (state !== "leaving") drain();
        return;
      }
      state = "leaving";
      current?.leave();
    },
    drain,
    kill() {
      if (isFinal()) return;
      if (current) {
        state = "draining";
        cancelTimer();
        current.kill();
      } else finish("ended", undefined);
    },
  };
}
