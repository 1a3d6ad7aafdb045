import { type Clock, systemClock } from "./clock.ts";

/**
 * Runs a task repeatedly. Runs never overlap.
 *
 *     waiting ─ its pause is over, or wake() ─→ running
 *     running ─ the run succeeds ─────────────→ waiting for `everyMs`
 *     running ─ the run fails ────────────────→ waiting, twice as long after each consecutive failure, up to `maxPauseMs`
 *     running ─ the run ends after a wake() ──→ running
 *     waiting or running ─ stop() ────────────→ stopped once the current run has ended
 *
 * The loop starts with a run. It starts waiting with `startsWaiting`, or without `everyMs`, in which case it only waits
 * for wake(). pg-boss and graphile/worker contain such a loop, but only for their jobs; using a library would not be
 * shorter than this code.
 */
export type PollLoop = {
  /** Ends the pause, or starts another run after the current run, because there may be work. */
  wake(): void;
  /** Stops the loop. Resolves when the current run, if any, has ended. */
  stop(): Promise<void>;
};

export type PollLoopOptions = {
  /** If infinite or absent, the loop waits until it is woken. A function returns the length of the next pause. */
  readonly everyMs?: number | (() => number);
  /** The longest pause after repeated failures. If absent, a failure does not lengthen the pause. */
  readonly maxPauseMs?: number;
  readonly startsWaiting?: boolean;
  /** `stop` aborts `signal`. A run with several steps ends after its current step. */
  run(signal: AbortSignal): Promise<void>;
  /** Called after each failed run. The loop continues after a failure. */
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
