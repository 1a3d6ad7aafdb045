import { type Clock, systemClock } from "./clock.ts";

/**
 * Shares one run between all callers that arrive during the run or within `keptMs` after its end. Runs never overlap,
 * and start at most once per `keptMs`, regardless of the number of callers.
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
