import { summarise } from "./numbers.ts";

/**
 * The time of a measurement: this many seconds after the warm-up, by the clock of `performance.now`. If nothing was
 * completed in it, such as on a busy machine, it ends with the first completion: a rate of zero has no ratio.
 */
export function openWindow(
  now: number,
  { warmUpSeconds, seconds }: { readonly warmUpSeconds: number; readonly seconds: number },
) {
  const begin = now + warmUpSeconds * 1_000;
  const taken: number[] = [];
  let end = begin + seconds * 1_000;
  return {
    /** Whether the warm-up has ended. */
    hasBegun: (time: number) => time >= begin,
    isOver: (time: number) => time >= end && taken.length > 0,
    /** Counts an interval of time, if it is within the window. */
    take(from: number, to: number): void {
      if (from < begin || (to > end && taken.length > 0)) return;
      taken.push(to - from);
      end = Math.max(end, to);
    },
    result: () => ({ perSecond: (1_000 * taken.length) / (end - begin), latencies: summarise(taken) }),
  };
}
