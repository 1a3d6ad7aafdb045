import { expect, test } from "bun:test";
import { riseOf, slopeOf } from "./numbers.ts";

test("collinear values give the exact slope with an error of zero", () => {
  expect(slopeOf([3, 5, 7, 9])).toEqual({ slope: 2, error: 0 });
  expect(riseOf([3, 5, 7, 9])).toBe(1);
});

test("values that deviate from the line give the slope an error", () => {
  const { slope, error } = slopeOf([1, 3, 2, 4]);

  expect(slope).toBeCloseTo(0.8);
  // The residuals are -0.3, 0.9, -0.9 and 0.3.
  expect(error).toBeCloseTo(Math.sqrt(1.8 / 2 / 5));
});
