import { describe, expect, test } from "bun:test";
import { array, assert as check, constantFrom, integer, property, record } from "fast-check";
import { type CallOutcome, createAdaptiveWindow } from "../../../src/platform/concurrency/adaptive-window.ts";
import { createVirtualClock, type VirtualClock } from "../../support/virtual-clock.ts";

/**
 * Starts calls whenever there is room, for the given time. The receiver determines the duration of each call. Returns
 * the maximum number of concurrent calls, and the number of calls that ended.
 */
async function callFor(
  clock: VirtualClock,
  {
    ms,
    window,
    answer,
  }: {
    ms: number;
    window: ReturnType<typeof createAdaptiveWindow>;
    answer(underWay: number): { ms: number; outcome: CallOutcome };
  },
): Promise<{ most: number; ended: number }> {
  const until = clock.now() + ms;
  const seen = { most: 0, ended: 0 };
  const begin = (): void => {
    while (clock.now() < until && window.hasRoom()) {
      const end = window.begin();
      seen.most = Math.max(seen.most, window.underWay());
      const { ms: takes, outcome } = answer(window.underWay());
      clock.startTimer(takes, () => {
        end(outcome);
        seen.ended++;
        begin();
      });
    }
  };
  begin();
  await clock.advance(ms);
  return seen;
}

const moves = array(
  record({
    begins: integer({ min: 0, max: 20 }),
    ends: integer({ min: 0, max: 20 }),
    outcome: constantFrom<CallOutcome[]>("succeeded", "overloaded", "other"),
    ms: integer({ min: 0, max: 2_000 }),
    most: integer({ min: 1, max: 64 }),
  }),
  { maxLength: 40 },
);

test("an adaptive window stays within its limits", () =>
  check(
    property(moves, (made) => {
      let now = 0;
      const clock = { now: () => now, startTimer: () => () => {}, setImmediate: () => {} };
      const window = createAdaptiveWindow({ most: 64, clock });
      let most = 64;
      const calls: { end(outcome: CallOutcome): void; begunAt: number }[] = [];
      let cutAt = -1;
      for (const move of made) {
        now += move.ms;
        if (move.ms % 7 === 0) {
          most = move.most;
          window.setMost(most);
        }
        for (let index = 0; index < move.begins && window.hasRoom(); index++) {
          calls.push({ end: window.begin(), begunAt: now });
          expect(window.underWay()).toBeLessThanOrEqual(window.size());
        }
        for (const { end, begunAt } of calls.splice(0, move.ends)) {
          const before = window.size();
          end(move.outcome);
          if (window.size() < before) {
            expect(begunAt).toBeGreaterThanOrEqual(cutAt);
            cutAt = now;
          }
          if (move.outcome === "other") expect(window.size()).toBe(before);
        }
        expect(window.underWay()).toBe(calls.length);
        expect(window.size()).toBeGreaterThanOrEqual(1);
        expect(window.size()).toBeLessThanOrEqual(most);
      }
    }),
  ));

describe("an adaptive window", () => {
  test("an adaptive window grows to its maximum within six rounds", async () => {
    const clock = createVirtualClock();
    const window = createAdaptiveWindow({ most: 128, clock });

    const { most } = await callFor(clock, { ms: 1_200, window, answer: () => ({ ms: 200, outcome: "succeeded" }) });

    expect(most).toBe(128);
  });

  test("an adaptive window stays near the limit of a receiver", async () => {
    const clock = createVirtualClock();
    const window = createAdaptiveWindow({ most: 128, clock });
    const answer = (underWay: number) => ({
      ms: 20,
      outcome: underWay > 20 ? ("overloaded" as const) : ("succeeded" as const),
    });

    await callFor(clock, { ms: 10_000, window, answer });
    const later = await callFor(clock, { ms: 10_000, window, answer });

    expect(window.size()).toBeGreaterThanOrEqual(9);
    expect(later.most).toBeLessThanOrEqual(22);
  });

  test("an adaptive window stops growing if more calls only make a receiver slower", async () => {
    const clock = createVirtualClock();
    const window = createAdaptiveWindow({ most: 128, clock });
    // The receiver handles ten calls concurrently, so further calls wait.
    const answer = (underWay: number) => ({ ms: 40 * Math.max(1, underWay / 10), outcome: "succeeded" as const });

    await callFor(clock, { ms: 20_000, window, answer });

    expect(window.size()).toBeGreaterThanOrEqual(10);
    // The window grows only while a call takes at most twice its normal time, plus the slack.
    expect(window.size()).toBeLessThan(45);
  });

  test("an adaptive window grows again if the receiver stays slow", async () => {
    const clock = createVirtualClock();
    const window = createAdaptiveWindow({ most: 32, clock });
    await callFor(clock, { ms: 5_000, window, answer: () => ({ ms: 20, outcome: "succeeded" }) });
    await callFor(clock, { ms: 5_000, window, answer: () => ({ ms: 500, outcome: "succeeded" }) });
    expect(window.size()).toBeLessThan(32);

    await callFor(clock, { ms: 100_000, window, answer: () => ({ ms: 500, outcome: "succeeded" }) });

    expect(window.size()).toBe(32);
  });
});
