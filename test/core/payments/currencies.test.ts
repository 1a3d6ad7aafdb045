import { describe, expect, test } from "bun:test";
import { chargeOf } from "../../../src/core/payments/currencies.ts";

const charges = (amount: number, currency: string) => {
  const charge = chargeOf(amount, currency);
  return charge && [charge.units, charge.label];
};

// Stripe's page "Currencies", as of 2026-11-24.
describe("an amount of money", () => {
  test.each("BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF".split(" "))(
    "an amount is charged in whole %s",
    (currency) => {
      expect(charges(500, currency)?.[0]).toBe(500);
      expect(charges(499.6, currency)?.[0]).toBe(500);
    },
  );

  test.each(["ISK", "UGX"])("an amount is charged in hundredths of %s, without a fraction of a unit", (currency) => {
    expect(charges(5, currency)).toEqual([500, expect.stringContaining("5")]);
    expect(charges(5.4, currency)?.[0]).toBe(500);
  });

  test.each("BHD JOD KWD OMR TND".split(" "))(
    "an amount is charged in thousandths of %s whose last digit is 0",
    (currency) => {
      expect(charges(5.124, currency)).toEqual([5120, expect.stringContaining("5.120")]);
      expect(charges(5.125, currency)?.[0]).toBe(5130);
    },
  );

  test.each([
    ["USD", 5, 500, "$5.00"],
    ["USD", 0.1, 10, "$0.10"],
    ["EUR", 12.345, 1235, "12,35\u00a0€"],
    ["HUF", 10.5, 1050, "HUF\u00a010.50"],
    ["TWD", 800.45, 80_045, "NT$800.45"],
  ] as const)("an amount is charged in hundredths of %s", (currency, amount, units, label) => {
    expect(charges(amount, currency)).toEqual([units, label]);
  });

  test.each([
    [0, "USD"],
    [0.004, "USD"],
    [-1, "USD"],
    [Number.NaN, "USD"],
    [Number.POSITIVE_INFINITY, "USD"],
    [1_000_000, "USD"],
    [100_000_000, "JPY"],
    [5, "usd"],
    [5, "EURO"],
    [5, ""],
  ] as const)("an amount is not charged if it is %d %s", (amount, currency) => {
    expect(chargeOf(amount, currency)).toBeUndefined();
  });

  test("an amount of eight digits in the currency's smallest unit is accepted", () => {
    expect(charges(999_999.99, "USD")?.[0]).toBe(99_999_999);
    expect(charges(99_999_999, "JPY")?.[0]).toBe(99_999_999);
  });
});
