import { type Clock, systemClock } from "./clock.ts";

/**
 * Runs a task again and again, never twice at once.
 *
 *     waiting ─ its pause is over, or wake() ─→ running
 *     running ─ it ends ──────────────────────→ waiting, for `everyMs`
 *     running ─ it fails ─────────────────────→ waiting, twice as long after each failure in a row, up to `maxPauseMs`
 *     running ─ it ends after a wake() ───────→ running
 *     waiting or running ─ stop() ────────────→ stopped, once a run under way has ended
 *
 * It begins running, or waiting if `startsWaiting`, or without `everyMs`: then it waits for a wake() alone. pg-boss and
 * graphile/worker contain such a loop, only for their jobs; a library for it would not be shorter than these lines.
 */
export type PollLoop = {
  /** There may be work: runs now instead of after the pause. */
  wake(): void;
  /** Resolves when the current run, if there is one, has ended. */
  stop(): Promise<void>;
};

export type PollLoopOptions = {
  /** Infinite or absent: the loop runs only when woken. A function is called after each run. */
  readonly everyMs?: number | (() => number);
  /** Absent: a failure does not lengthen the pause. */
  readonly maxPauseMs?: number;
  readonly startsWaiting?: boolean;
  /** `signal` is aborted by `stop`: a run of several steps ends between two of them. */
  run(signal: AbortSignal): Promise<void>;
  /** Called with each failure. The next run still follows. */
  onFailure(error: unknown): void;
  readonly clock?: Clock;
};

export function startPollLoop(options: PollLoopOptions): PollLoop {
  const { everyMs = Number.POSITIVE_INFINITY, startsWaiting = options.everyMs === undefined } = options;
  const pauseAfterRun = typeof everyMs === "number" ? () => everyMs : everyMs;
  const { maxPauseMs = pauseAfterRun() } = options;
  const { run, onFailure, clock = systemClock } = options;
  const stopping = new AbortController();
  let isWoken = !startsWaiting;
  let endPause = (): void => {};

  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      if (isWoken) {
        resolve();
        return;
      }
      const stopTimer = ms < Number.POSITIVE_INFINITY ? clock.startTimer(ms, resolve) : () => {};
      endPause = () => {
        stopTimer();
        resolve();
      };
    });
  const wake = (): void => {
    isWoken = true;
    endPause();
  };
  const loop = async (): Promise<void> => {
    let pauseMs = pauseAfterRun();
    for (;;) {
      await pause(pauseMs);
      if (stopping.signal.aborted) return;
      isWoken = false;
      try {
        await run(stopping.signal);
        pauseMs = pauseAfterRun();
      } catch (error) {
        pauseMs = Math.min(2 * pauseMs, maxPauseMs);
        onFailure(error);
      }
    }
  };
  const ended = loop();
  return {
    wake,
    stop() {
      stopping.abort();
      wake();
      return ended;
    },
  };
}
