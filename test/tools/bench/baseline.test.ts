import { expect, test } from "bun:test";
import { verdictOn } from "./baseline.ts";
import { createFigures } from "./figures.ts";

const rate = { unit: "", better: "more", median: 0.4, min: 0.35, max: 0.45 } as const;
const cost = { unit: "µs", better: "less", median: 80, min: 70, max: 90 } as const;

test.each([
  [rate, 0.35, "within its spread"],
  [rate, 0.45, "within its spread"],
  [rate, 0.34, "WORSE"],
  [rate, 0.46, "better"],
  [cost, 90, "within its spread"],
  [cost, 91, "WORSE"],
  [cost, 69, "better"],
] as const)("with a baseline of %o, a median of %p is rated %p", (before, median, verdict) => {
  expect(verdictOn({ median }, before)).toBe(verdict);
});

test("a figure has a median and a range, and is omitted without measured values", () => {
  const figures = createFigures();
  figures.ratio("of the floor", [0.5, 0.2, 0.3]);
  figures.cost("memory", "MB", []);

  expect(Object.fromEntries(figures.all)).toEqual({
    "of the floor": { unit: "", better: "more", median: 0.3, min: 0.2, max: 0.5 },
  });
});
