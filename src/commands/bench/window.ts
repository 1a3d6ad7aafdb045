import { type Latencies, summarise } from "./numbers.ts";

/** The time in which something is measured. Times are those of `performance.now`. */
export type Window = {
  /** Whether the warming up is over. */
  hasBegun(now: number): boolean;
  isOver(now: number): boolean;
  /** Counts an interval of time, if it lies in the window. */
  take(from: number, to: number): void;
  result(): { readonly perSecond: number; readonly latencies: Latencies };
};

/**
 * A window of so many seconds after the warming up. Where nothing was done by then, such as on a machine that is busy with something else, it ends with the first
 * thing that is: a rate of nothing has no ratio.
 */
export function openWindow(
  now: number,
  { warmUpSeconds, seconds }: { readonly warmUpSeconds: number; readonly seconds: number },
): Window {
  const begin = now + warmUpSeconds * 1_000;
  const taken: number[] = [];
  let end = begin + seconds * 1_000;
  return {
    hasBegun: (time) => time >= begin,
    isOver: (time) => time >= end && taken.length > 0,
    take(from, to) {
      if (from < begin || (to > end && taken.length > 0)) return;
      taken.push(to - from);
      end = Math.max(end, to);
    },
    result: () => ({ perSecond: (1_000 * taken.length) / (end - begin), latencies: summarise(taken) }),
  };
}
