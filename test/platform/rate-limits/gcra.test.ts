import { expect, test } from "bun:test";
import fc from "fast-check";
import { createBucket } from "../../../src/platform/rate-limits/gcra.ts";

test("a full bucket admits its burst immediately", () => {
  const bucket = createBucket({ perSecond: 2, burst: 3 }, 0, { isEmpty: false });
  const gone = [0, 0, 0, 0, 0].map(() => {
    const at = bucket.waitMs(0);
    bucket.take(at);
    return at;
  });
  expect(gone).toEqual([0, 0, 0, 500, 1_000]);
});

test("an empty bucket admits one request, and no burst", () => {
  const bucket = createBucket({ perSecond: 2, burst: 3 }, 0, { isEmpty: true });
  expect(bucket.waitMs(0)).toBe(0);
  bucket.take(0);
  expect(bucket.waitMs(0)).toBe(500);
  expect(bucket.isFull(1_000)).toBe(false);
  expect(bucket.isFull(1_500)).toBe(true);
});

test("a bucket never admits more than its rate plus one burst in a second", () => {
  const gaps = fc.array(fc.integer({ min: 0, max: 800 }), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(gaps, fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 10 }), (pauses, perSecond, burst) => {
      const bucket = createBucket({ perSecond, burst }, 0, { isEmpty: false });
      const times: number[] = [];
      let now = 0;
      for (const pause of pauses) {
        now += pause;
        now += bucket.waitMs(now);
        bucket.take(now);
        times.push(now);
      }
      for (const from of times) {
        const within = times.filter((at) => at >= from && at < from + 1_000).length;
        expect(within).toBeLessThanOrEqual(perSecond + burst);
      }
    }),
  );
});
