import { afterEach, describe, expect, spyOn, test } from "bun:test";
import { createSandbox } from "../../../src/platform/sandbox/index.ts";
import { plainRequest, resultOf, runnerOf } from "./scripts.ts";

const run = runnerOf(await createSandbox());
const spies: { mockRestore(): void }[] = [];
afterEach(() => {
  for (const spy of spies.splice(0)) spy.mockRestore();
});

const languages = ["de", "en-US", "ar-EG", "ja", "sv"];
const dateOptions: object[] = [
  {},
  { weekday: "long" },
  { month: "long", day: "numeric" },
  { hour: "2-digit" },
  { hour: "numeric", hour12: true },
  { dayPeriod: "long" },
  { second: "numeric", fractionalSecondDigits: 3 },
  { era: "short" },
  { timeZoneName: "short" },
  { hour12: false },
  { timeZone: "Asia/Tokyo" },
  { timeZone: "America/New_York", timeZoneName: "long", year: "2-digit" },
  { dateStyle: "full" },
  { timeStyle: "short" },
  { dateStyle: "short", timeStyle: "medium" },
  { calendar: "buddhist" },
  { numberingSystem: "thai" },
  { dateStyle: "full", hour: "numeric" },
  { timeZone: "Mars/Base" },
];
const numberOptions: object[] = [
  {},
  { style: "percent" },
  { style: "currency", currency: "EUR" },
  { style: "currency" },
  { notation: "compact" },
  { minimumFractionDigits: 4 },
  { useGrouping: false },
];

/** Returns the engine's value outside the sandbox. A script in the sandbox must get the same value. */
function outside(value: number | bigint | Date, method: string, languagesAndOptions: readonly unknown[]): string {
  const found: unknown = Reflect.get(value instanceof Date ? Date.prototype : Object(value), method);
  if (typeof found !== "function") throw new Error(`There is no ${method}`);
  try {
    return String(Reflect.apply(found, value, [...languagesAndOptions]));
  } catch (error) {
    return error instanceof Error ? error.name : String(error);
  }
}

function inside(value: string, method: string, languagesAndOptions: readonly unknown[]): unknown {
  const call = `(${value}).${method}(...${JSON.stringify(languagesAndOptions)})`;
  return resultOf(run(`try { return ${call} } catch (error) { return error.name }`));
}

describe("the format of dates and numbers", () => {
  const moments = [plainRequest.now, 0, -62_135_596_800_001, Number.NaN];

  test.each(["toLocaleString", "toLocaleDateString", "toLocaleTimeString"])(
    "the format equals the engine's format: Date.%s",
    (method) => {
      const unequal: unknown[] = [];
      for (const language of languages) {
        for (const options of dateOptions) {
          for (const moment of moments) {
            const given = [language, { timeZone: "UTC", ...options }];
            const [found, expected] = [
              inside(`new Date(${moment})`, method, [language, options]),
              outside(new Date(moment), method, given),
            ];
            if (found !== expected) unequal.push({ language, options, moment, found, expected });
          }
        }
      }
      expect(unequal).toEqual([]);
    },
  );

  test("toLocaleString formats numbers and bigints like the host's engine", () => {
    const unequal: unknown[] = [];
    for (const language of languages) {
      for (const options of numberOptions) {
        for (const value of [0, -1.5, 1e21, Number.NaN, Number.POSITIVE_INFINITY, 12345678901234567890n]) {
          const written = typeof value === "bigint" ? `${value}n` : `${value}`;
          const found = inside(written, "toLocaleString", [language, options]);
          const expected = outside(value, "toLocaleString", [language, options]);
          if (found !== expected) unequal.push({ language, options, value: `${value}`, found, expected });
        }
      }
    }
    expect(unequal).toEqual([]);
  });
});

describe("the work of host calls", () => {
  test("formatting in a script never calls the host's toLocaleString", () => {
    const slow = [
      spyOn(Date.prototype, "toLocaleString"),
      spyOn(Date.prototype, "toLocaleDateString"),
      spyOn(Date.prototype, "toLocaleTimeString"),
      spyOn(Number.prototype, "toLocaleString"),
      spyOn(BigInt.prototype, "toLocaleString"),
    ];
    spies.push(...slow);
    const source = `
      const day = new Date();
      for (let turn = 0; turn < 1000; turn++) {
        day.toLocaleString("de");
        day.toLocaleDateString("de", { weekday: "long" });
        day.toLocaleTimeString("de");
        turn.toLocaleString("de", { style: "percent" });
        10n.toLocaleString("de");
      }`;
    expect(run(source).kind).toBe("returned");
    expect(slow.map((spy) => spy.mock.calls.length)).toEqual([0, 0, 0, 0, 0]);
  });

  const atLeast: [what: string, source: string, ticks: number][] = [
    [
      "each formatter",
      "for (let i = 0; i < 90; i++) new Intl.NumberFormat('de', { minimumFractionDigits: i })",
      90 * 75_000,
    ],
    [
      "each named language",
      "const all = Array.from({ length: 5000 }, (_, i) => 'de-x-a' + i); Intl.getCanonicalLocales(all)",
      5_000 * 2_500,
    ],
    ["each character", "'x'.repeat(2e5).localeCompare('x'.repeat(5e4), 'de')", 250_000 * 10],
    ["each call", "const f = new Intl.NumberFormat('de'); for (let i = 0; i < 1000; i++) f.format(i)", 1_000 * 1_500],
    [
      "copied bytes",
      "const a = new Uint8Array(8e6), b = new Uint8Array(8e6); for (let i = 0; i < 10; i++) a.set(b)",
      (10 * 8e6) / 64,
    ],
  ];

  test.each(atLeast)("the ticks of a script include the cost of %s", (_what, source, ticks) => {
    const outcome = run(source);
    expect(outcome.kind).toBe("returned");
    expect(outcome.ticks).toBeGreaterThan(ticks);
    expect(run(source).ticks).toBe(outcome.ticks);
  });
});
