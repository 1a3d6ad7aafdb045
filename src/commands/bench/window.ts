import { summarise } from "./numbers.ts";

/**
 * Creates the time window of a measurement, by the clock of `performance.now`. The window opens after the warm-up and
 * lasts the given number of seconds. If nothing completes in that time, the window stays open until the first
 * completion, because a rate of zero would make ratios meaningless.
 */
export function openWindow(
  now: number,
  { warmUpSeconds, seconds }: { readonly warmUpSeconds: number; readonly seconds: number },
) {
  const begin = now + warmUpSeconds * 1_000;
  const taken: number[] = [];
  let end = begin + seconds * 1_000;
  return {
    /** Returns whether the warm-up has ended. */
    hasBegun: (time: number) => time >= begin,
    isOver: (time: number) => time >= end && taken.length > 0,
    /**
     * Counts an interval that lies within the window. While nothing has been counted, an interval that ends later also
     * counts.
     */
    take(from: number, to: number): void {
      if (from < begin || (to > end && taken.length > 0)) return;
      taken.push(to - from);
      end = Math.max(end, to);
    },
    result: () => ({ perSecond: (1_000 * taken.length) / (end - begin), latencies: summarise(taken) }),
  };
}
