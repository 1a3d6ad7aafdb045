import { type Clock, systemClock } from "./clock.ts";

/**
 * One run for all callers while it is under way, and for callers within `keptMs` of its end: whatever the number of
 * callers, it runs no more often than that, and never twice at once.
 */
export function share<Value>(
  run: () => Promise<Value>,
  { keptMs, clock = systemClock }: { keptMs: number; clock?: Clock },
): () => Promise<Value> {
  let last: Promise<Value> | undefined;
  let keptUntil = Number.POSITIVE_INFINITY;
  return () => {
    if (last && clock.now() < keptUntil) return last;
    keptUntil = Number.POSITIVE_INFINITY;
    last = run();
    const keep = (): void => {
      keptUntil = clock.now() + keptMs;
    };
    last.then(keep, keep);
    return last;
  };
}
