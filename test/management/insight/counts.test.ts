import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { countedValuesOf } from "../../../src/core/measures/counted-values.ts";
import { bucketOf, quantile } from "../../../src/core/measures/histogram.ts";
import { measuresOf, type ResultFacts } from "../../../src/core/measures/measures.ts";
import { type PaidAmount, paidIn, paidMeasures } from "../../../src/core/measures/paid.ts";
import { roundedOut, spansOf, startOf } from "../../../src/core/measures/spans.ts";

const quarterMs = 900_000;

describe("a period of time", () => {
  const moment = fc.date({ min: new Date("1996-02-01"), max: new Date("2032-03-01"), noInvalidDate: true });

  test("a period of time is divided into at most five stored spans without gaps", () => {
    fc.assert(
      fc.property(moment, fc.integer({ min: 1, max: 9_000 }), moment, (begin, quarters, other) => {
        const { from } = roundedOut({ from: begin, to: null });
        if (!from) throw new Error("a beginning was expected");
        const to = new Date(from.getTime() + quarters * quarterMs);
        const spans = spansOf({ from, to });
        const covered = spans.map((span) => [span.from?.getTime(), span.to?.getTime()]);

        expect(covered[0]?.[0]).toBe(from.getTime());
        expect(covered.at(-1)?.[1]).toBe(to.getTime());
        for (const [index, [, end]] of covered.entries()) {
          if (index + 1 < covered.length) expect(covered[index + 1]?.[0]).toBe(end);
        }
        for (const { unit, from, to } of spans) {
          if (from) expect(startOf(from, unit)).toEqual(from);
          if (to) expect(startOf(to, unit)).toEqual(to);
        }
        expect(spans.length).toBeLessThanOrEqual(5);
        // For any number of months, at most two days of quarter-hours and two months of days are read.
        const rows = (unit: string, ms: number) =>
          spans
            .filter((span) => span.unit === unit)
            .reduce((sum, { from, to }) => sum + (Number(to) - Number(from)) / ms, 0);
        expect(rows("quarter", quarterMs)).toBeLessThan(192);
        expect(rows("day", 86_400_000)).toBeLessThan(62);
        expect(startOf(startOf(other, "day"), "month")).toEqual(startOf(other, "month"));
      }),
    );
  });

  test("a period without a beginning is divided into months and a remainder", () => {
    expect(spansOf({ from: null, to: null })).toEqual([{ unit: "month", from: null, to: null }]);
    const to = new Date("2026-03-01T00:15:00Z");
    expect(spansOf({ from: null, to })).toEqual([
      { unit: "month", from: null, to: new Date("2026-03-01") },
      { unit: "quarter", from: new Date("2026-03-01"), to },
    ]);
    expect(spansOf({ from: to, to })).toEqual([]);
  });
});

test("estimated quantiles deviate from the exact values by at most one per cent", () => {
  const times = fc.array(fc.integer({ min: 1, max: 3_000_000_000 }), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(times, fc.constantFrom(0.01, 0.5, 0.9, 1), (spans, share) => {
      const sorted = spans.toSorted((a, b) => a - b);
      const exact = sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
      const found = quantile(
        spans.map((span) => ({ bucket: bucketOf(span), count: 1 })),
        share,
      );
      expect(Math.abs(Number(found) - exact)).toBeLessThanOrEqual(exact * 0.0101);
    }),
  );
  expect(quantile([], 0.5)).toBeNull();
  expect(quantile([{ bucket: 3, count: 0 }], 0.5)).toBeNull();
});

describe("counted values", () => {
  const counted = countedValuesOf([
    {
      id: "one",
      type: "choice input",
      items: [
        { id: "a", content: "Yes" },
        { id: "b", content: "No", value: "n" },
      ],
    },
    {
      id: "many",
      type: "choice input",
      options: { isMultipleChoice: true },
      items: [
        { id: "a", content: " Tea " },
        { id: "b", content: "Tea, green" },
        { id: "c", content: "Milk" },
      ],
    },
    { id: "picture", type: "picture choice input", items: [{ id: "p", title: "", pictureSrc: "https://p.test" }] },
    { id: "card", type: "cards", items: [{ id: "c", title: "Gold" }] },
    { id: "rating", type: "rating input" },
    { id: "text", type: "text input" },
    { id: "broken", type: "choice input", items: 7 },
  ]);
  test.each<[string, string, readonly string[] | undefined]>([
    ["one", "Yes", ["Yes"]],
    ["one", "n", ["n"]],
    ["one", "what a variable gave", [""]],
    ["many", "Tea, green, Milk", ["Tea, green", "Milk"]],
    ["many", "Tea, Tea, green", ["Tea", "Tea, green"]],
    ["many", "Cocoa, Milk, Rum", ["", "Milk"]],
    ["picture", "https://p.test", ["https://p.test"]],
    ["card", "Gold", ["Gold"]],
    ["rating", " +7", ["7"]],
    ["rating", "5000000", [""]],
    ["text", "whatever", undefined],
    ["broken", "x", [""]],
  ])("an answer to the block %s is counted only by known values: %s", (block, answer, expected) => {
    expect(counted.get(block)?.(answer)).toEqual(expected);
  });
});

test("reached blocks stay counted after the deletion of steps", () => {
  const facts: ResultFacts = {
    createdAt: new Date(0),
    hasStarted: true,
    isCompleted: false,
    answers: [{ blockId: "a", content: "x", createdAt: new Date(1_000) }],
    edges: [],
    failures: [],
    ratings: [],
    payments: [],
    shownBlockIds: [],
    waitingBlockId: null,
    before: [
      { kind: "reached", subject: "hello", value: "" },
      { kind: "left", subject: "b", value: "" },
      { kind: "time", subject: "", value: "7" },
    ],
  };
  const of = (more: Partial<ResultFacts>) =>
    measuresOf({ ...facts, ...more }, () => undefined).map(({ kind, subject, value }) => `${kind} ${subject}${value}`);

  expect(of({})).toEqual(["view ", "start ", "left b", "reached hello", "reached a", "answered a"]);
  expect(of({ waitingBlockId: undefined })).not.toContain("left b");
  expect(of({ isCompleted: true })).toContain("time 7");
  expect(of({ isCompleted: true })).not.toContain("left b");
  expect(of({ isCompleted: true, before: [] })).toContain(`time ${bucketOf(1_000)}`);
  expect(of({ isCompleted: true, before: [], answers: [] }).join()).not.toContain("time");
});

describe("payments", () => {
  const amounts = fc.record({
    currency: fc.constantFrom("EUR", "JPY", "VND"),
    amount: fc.integer({ min: 0, max: 2 ** 31 - 1 }),
    count: fc.integer({ min: 1, max: 20 }),
  });

  test("payment measures add up to the amounts of each currency", () => {
    fc.assert(
      fc.property(fc.array(amounts, { maxLength: 30 }), (payments) => {
        const measures = payments.flatMap((one) => paidMeasures([one]));
        const sums = Map.groupBy(measures, ({ kind, value }) => `${kind} ${value}`).values();
        const summed = [...sums].flatMap(([first, ...others]) =>
          first ? [{ ...first, times: others.reduce((sum, { times }) => sum + times, first.times) }] : [],
        );

        expect(paidIn(summed)).toEqual(byCurrency(payments));
        expect(Math.max(0, ...measures.map(({ times }) => times))).toBeLessThan(20_000);
      }),
    );
  });

  function byCurrency(payments: readonly PaidAmount[]) {
    return ["EUR", "JPY", "VND"].flatMap((currency) => {
      const own = payments.filter((one) => one.currency === currency);
      const count = own.reduce((sum, one) => sum + one.count, 0);
      return count === 0 ? [] : [{ currency, count, units: own.reduce((sum, one) => sum + one.amount * one.count, 0) }];
    });
  }

  test("payments of one result are counted by currency", () => {
    const counted = paidMeasures([
      { currency: "EUR", amount: 1_250, count: 2 },
      { currency: "EUR", amount: 2_000_000, count: 1 },
      { currency: "JPY", amount: 500, count: 1 },
    ]);
    expect(counted.map(({ kind, value, times }) => `${kind} ${value}: ${times}`)).toEqual([
      ...["paid EUR: 2", "paidPart EUR 1: 500", "paidPart EUR 1000: 2"],
      ...["paid EUR: 1", "paidPart EUR 1000000: 2", "paid JPY: 1", "paidPart JPY 1: 500"],
    ]);
    expect(paidIn(counted)).toEqual([
      { currency: "EUR", count: 3, units: 2_002_500 },
      { currency: "JPY", count: 1, units: 500 },
    ]);
  });
});
