import type { Rule } from "../../limits/rate-rules.ts";

/**
 * The generic cell rate algorithm. The only state of a key is its theoretical arrival time (`tat`): the time of the
 * next act if all so far had come evenly, at the rate of the rule. Each act moves it on by one interval, or by several
 * if it counts as an amount, and time catches up with it; an act is admitted while the distance is no more than a
 * burst's intervals. It reads no clock: `now` counts milliseconds from any origin.
 */
export function nextArrival({ intervalMs }: Rule, tat: number, now: number, amount = 1): number {
  return Math.max(tat, now) + amount * intervalMs;
}

/** How long until an act that leads to this arrival time is admitted: 0 if it is now. */
export function waitMsOf({ burst, intervalMs }: Rule, arrival: number, now: number): number {
  const waitMs = arrival - now - burst * intervalMs;
  // Sums of intervals such as 16.67 ms are off by less than this.
  return waitMs < 0.001 ? 0 : waitMs;
}

/** How many acts are admitted at once now. */
export function remainingOf({ burst, intervalMs }: Rule, tat: number, now: number): number {
  return Math.max(0, Math.floor(burst - Math.max(0, tat - now) / intervalMs + 0.001));
}

/** The seconds until a whole burst is admitted again. */
export function resetSecondsOf(tat: number, now: number): number {
  return Math.ceil(Math.max(0, tat - now) / 1000);
}
