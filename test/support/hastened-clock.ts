import { type Clock, systemClock } from "../../src/platform/concurrency/clock.ts";

/** The system's clock, which a test can accelerate temporarily. */
export type HastenedClock = Clock & {
  /** While `doing` is pending, the clock advances by half a second every few milliseconds. */
  hasten<Done>(doing: Promise<Done>): Promise<Done>;
  /** Advances the clock by `ms` and runs the timers that are due. */
  pass(ms: number): void;
};

const momentMs = 5;
const stepMs = 500;

export function createHastenedClock(): HastenedClock {
  type Timer = { readonly at: number; readonly fire: () => void };
  let aheadMs = 0;
  const timers = new Set<Timer>();
  const now = (): number => systemClock.now() + aheadMs;
  const pass = (ms: number): void => {
    aheadMs += ms;
    for (const timer of [...timers].toSorted((a, b) => a.at - b.at)) if (timer.at <= now()) timer.fire();
  };
  return {
    now,
    startTimer(ms, callback) {
      const fire = (): void => {
        end();
        callback();
      };
      const timer = { at: now() + ms, fire };
      timers.add(timer);
      const endTimer = systemClock.startTimer(ms, fire);
      const end = (): void => {
        timers.delete(timer);
        endTimer();
      };
      return end;
    },
    setImmediate: systemClock.setImmediate,
    pass,
    async hasten(doing) {
      let isOver = false;
      const ended = doing.finally(() => {
        isOver = true;
      });
      ended.catch(() => {});
      while (!isOver) {
        await new Promise<void>((resolve) => void systemClock.startTimer(momentMs, resolve));
        pass(stepMs);
      }
      return ended;
    },
  };
}
