import { type Clock, systemClock } from "./clock.ts";

/**
 * Adapts the number of concurrent calls to one receiver to the receiver's capacity, by additive increase and
 * multiplicative decrease, as in TCP. The window changes as follows:
 *
 *     doubling ─ a call succeeded with over half in use ───────→ doubling, one larger: twice as large after each round
 *     doubling ─ the receiver is overloaded or slower ─────────→ probing
 *     probing ─ a call succeeded with over half in use ────────→ probing, 1/size larger: one larger after each round
 *     any ─ a call found the receiver overloaded ──────────────→ probing, half as large
 *     any ─ calls take `slowFactor` times as long as before ───→ probing, a fifth smaller
 *
 * The window is reduced only once for all calls that began before the reduction. Its size is between one and `most`.
 * The reference duration of calls is the shortest mean of the last 30 to 60 s, so that the window adapts to a receiver
 * that becomes slower permanently.
 */
export type AdaptiveWindow = {
  hasRoom(): boolean;
  size(): number;
  underWay(): number;
  setMost(most: number): void;
  /** Starts a call. The caller calls the returned function when the call has ended. */
  begin(): (outcome: CallOutcome) => void;
};

/** `other` means that the outcome says nothing about the receiver's capacity. */
export type CallOutcome = "succeeded" | "overloaded" | "other";

const initialSize = 8;
const slowFactor = 2;
/** Smaller differences in latency are caused by the network and this process. */
const slackMs = 50;
const memoryMs = 30_000;

export function createAdaptiveWindow({
  most: given,
  clock = systemClock,
}: {
  most: number;
  clock?: Clock;
}): AdaptiveWindow {
  let most = given;
  let size = Math.min(initialSize, most);
  let underWay = 0;
  let isDoubling = true;
  let cutAt = Number.NEGATIVE_INFINITY;
  let meanMs: number | undefined;
  /** The shortest mean latency of the current period of `memoryMs`, and that of the previous period. */
  let best = { since: clock.now(), ms: Number.POSITIVE_INFINITY, previousMs: Number.POSITIVE_INFINITY };

  const cut = (factor: number): void => {
    isDoubling = false;
    cutAt = clock.now();
    size = Math.max(1, size * factor);
    meanMs = undefined;
  };
  const isSlow = (ms: number): boolean => {
    meanMs = meanMs === undefined ? ms : meanMs + (ms - meanMs) / 8;
    if (clock.now() - best.since >= memoryMs) best = { since: clock.now(), ms: meanMs, previousMs: best.ms };
    best.ms = Math.min(best.ms, meanMs);
    return meanMs > slowFactor * Math.min(best.ms, best.previousMs) + slackMs;
  };
  return {
    hasRoom: () => underWay < Math.floor(size),
    size: () => Math.floor(size),
    underWay: () => underWay,
    setMost(next) {
      most = Math.max(1, next);
      size = Math.min(size, most);
    },
    begin() {
      const begunAt = clock.now();
      underWay++;
      return (outcome) => {
        const wasInUse = 2 * underWay > Math.floor(size);
        underWay--;
        if (outcome === "other") return;
        const isSinceCut = begunAt >= cutAt;
        if (outcome === "overloaded") {
          if (isSinceCut) cut(1 / 2);
          return;
        }
        if (!isSinceCut) return;
        if (isSlow(clock.now() - begunAt)) cut(4 / 5);
        else if (wasInUse) size = Math.min(most, size + (isDoubling ? 1 : 1 / size));
      };
    },
  };
}
