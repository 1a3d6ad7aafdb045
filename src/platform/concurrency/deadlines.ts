import { type Clock, systemClock } from "./clock.ts";

/** Waits for many promises with one timer: a timer for each would cost a request 2 µs (Bun 1.4.4). */
export type Deadlines = {
  /** The promise's value; if it takes too long, throws the error that `late` returns. */
  within<Value>(ms: number, promise: Promise<Value>, late: () => Error): Promise<Value>;
};

type Awaited = { readonly dueAt: number; miss(): void };

/**
 * A promise is
 *
 *     awaited ─ it settles ──────────────→ settled as it did
 *     awaited ─ the timer finds it due ──→ missed: settled with the error; a later value is ignored
 *
 * and the timer of all of them
 *
 *     (none) ─ a promise is awaited ───────────────────────→ set to when that is due
 *     set ─ one is awaited that is due earlier ────────────→ set to when that is due
 *     set ─ it fires, and promises are awaited ────────────→ set to when the next is due
 *     set ─ it fires, and none is ─────────────────────────→ (none)
 *
 * A promise that settles leaves the timer unchanged, which makes it cheap.
 */
export function createDeadlines(clock: Clock = systemClock): Deadlines {
  const all = new Set<Awaited>();
  let firesAt = Number.POSITIVE_INFINITY;
  let stopTimer = (): void => {};

  const setTimer = (at: number): void => {
    stopTimer();
    firesAt = at;
    stopTimer = clock.startTimer(Math.max(0, at - clock.now()), fire);
  };
  const fire = (): void => {
    const now = clock.now();
    firesAt = Number.POSITIVE_INFINITY;
    let next = Number.POSITIVE_INFINITY;
    for (const awaited of all) {
      if (awaited.dueAt <= now) awaited.miss();
      else next = Math.min(next, awaited.dueAt);
    }
    if (next < firesAt) setTimer(next);
  };
  return {
    within(ms, promise, late) {
      return new Promise((resolve, reject) => {
        const awaited: Awaited = {
          dueAt: clock.now() + Math.max(0, ms),
          miss() {
            all.delete(awaited);
            reject(late());
          },
        };
        all.add(awaited);
        if (awaited.dueAt < firesAt) setTimer(awaited.dueAt);
        promise.then(
          (value) => {
            all.delete(awaited);
            resolve(value);
          },
          (error: unknown) => {
            all.delete(awaited);
            reject(error);
          },
        );
      });
    },
  };
}
