import { expect, test } from "bun:test";
import { array, assert as check, double, integer, nat, property, record } from "fast-check";
import type { Rule } from "../../../src/limits/rate-rules.ts";
import { nextArrival, resetSecondsOf, waitMsOf } from "../../../src/platform/rate-limits/rate-limits.ts";

type Numbers = Pick<Rule, "burst" | "intervalMs">;
const ruleOf = (numbers: Numbers): Rule => ({ scope: "session", act: "steps", isChosen: false, ...numbers });
const numbers = record({
  burst: integer({ min: 1, max: 50 }),
  intervalMs: double({ min: 0.1, max: 5_000, noNaN: true }),
});

/** Which of the acts at these times are admitted. */
function admittedAt(rule: Rule, times: readonly number[]): number[] {
  let tat = Number.NEGATIVE_INFINITY;
  return times.filter((now) => {
    const arrival = nextArrival(rule, tat, now);
    if (waitMsOf(rule, arrival, now) > 0) return false;
    tat = arrival;
    return true;
  });
}

/** Times from 0 on, with these pauses between them. */
const timesOf = (pauses: readonly number[]): number[] => {
  let now = 0;
  return pauses.map((pause) => (now += pause));
};

test("between any two acts that were admitted lie no more than the burst and what the rate gives in the time between", () => {
  const pauses = array(integer({ min: 0, max: 3_000 }), { maxLength: 120 });
  check(
    property(numbers, pauses, (chosen, between) => {
      const admitted = admittedAt(ruleOf(chosen), timesOf(between));
      for (const [first, from] of admitted.entries()) {
        for (const [last, to] of admitted.entries()) {
          if (last < first) continue;
          expect(last - first + 1).toBeLessThanOrEqual(chosen.burst + (to - from) / chosen.intervalMs + 0.01);
        }
      }
    }),
  );
});

test("a caller that never exceeds the burst and the rate is never refused", () => {
  check(
    property(numbers, array(nat(3_000), { maxLength: 200 }), (chosen, extra) => {
      // A burst, and then one act for each interval or later.
      const pauses = [...Array(chosen.burst).fill(0), ...extra.map((more) => chosen.intervalMs + more)];
      const times = timesOf(pauses);
      expect(admittedAt(ruleOf(chosen), times)).toEqual(times);
    }),
  );
});

test("a caller that waits as long as the answer says is admitted, and not a moment earlier", () => {
  check(
    property(numbers, array(nat(2_000), { minLength: 1, maxLength: 100 }), (chosen, pauses) => {
      const rule = ruleOf(chosen);
      let tat = Number.NEGATIVE_INFINITY;
      for (const now of timesOf(pauses)) {
        const arrival = nextArrival(rule, tat, now);
        const waitMs = waitMsOf(rule, arrival, now);
        if (waitMs === 0) {
          tat = arrival;
          continue;
        }
        const later = now + waitMs;
        expect(waitMsOf(rule, nextArrival(rule, tat, later), later)).toBe(0);
        const early = later - Math.max(0.01, waitMs / 100);
        expect(waitMsOf(rule, nextArrival(rule, tat, early), early)).toBeGreaterThan(0);
      }
    }),
  );
});

test("the reported reset is the time at which a whole burst is admitted again", () => {
  const rule = ruleOf({ burst: 3, intervalMs: 1_500 });
  let tat = 0;
  for (let act = 0; act < 3; act++) tat = nextArrival(rule, tat, 10);
  expect(resetSecondsOf(Number.NEGATIVE_INFINITY, 10)).toBe(0);
  expect(resetSecondsOf(tat, 10)).toBe(5);
  expect(resetSecondsOf(tat, 4_000)).toBe(1);
});
