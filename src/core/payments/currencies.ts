/**
 * How Stripe counts a currency, copied from its page "Currencies" (docs.stripe.com/currencies, "Zero-decimal",
 * "Three-decimal" and "Special cases") on 2026-11-24. Every other currency has two decimals.
 */
const wholeCurrencies = new Set("BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF".split(" "));

/**
 * Stripe also lists UGX among the currencies without decimals; its special case ("to charge 5 UGX, provide an amount of
 * 500") determines the charge.
 */
const wholeInHundredths = new Set(["ISK", "UGX"]);

/** Counted in thousandths, whose last digit must be 0. */
const threeDecimalCurrencies = new Set(["BHD", "JOD", "KWD", "OMR", "TND"]);

/** The most that Stripe takes: eight digits. */
const mostUnits = 99_999_999;

/** An amount as the provider counts it, and as people write it. */
export type Charge = { readonly currency: string; readonly units: number; readonly label: string };

/** The charge for this many whole units of a currency; undefined if the charge is impossible. */
export function chargeOf(amount: number, currency: string): Charge | undefined {
  if (!/^[A-Z]{3}$/.test(currency) || !Number.isFinite(amount)) return undefined;
  const { each, unitsOf } = countOf(currency);
  const units = unitsOf(amount);
  if (units < 1 || units > mostUnits) return undefined;
  return { currency, units, label: labelOf(units / each, currency) };
}

/** An amount of the provider, as people write it. */
export function labelOfUnits({ currency, units }: Pick<Charge, "currency" | "units">): string {
  return labelOf(wholeUnits({ currency, units }), currency);
}

/** An amount of the provider in whole units of its currency. */
export function wholeUnits({ currency, units }: Pick<Charge, "currency" | "units">): number {
  return units / countOf(currency).each;
}

/** The number of smallest units in a whole one, and in an amount. */
function countOf(currency: string): { each: number; unitsOf(amount: number): number } {
  if (wholeCurrencies.has(currency)) return { each: 1, unitsOf: Math.round };
  if (wholeInHundredths.has(currency)) return { each: 100, unitsOf: (amount) => Math.round(amount) * 100 };
  if (threeDecimalCurrencies.has(currency)) return { each: 1000, unitsOf: (amount) => Math.round(amount * 100) * 10 };
  return { each: 100, unitsOf: (amount) => Math.round(amount * 100) };
}

/** A language that formats a currency in the usual way: French for EUR, as flows have always shown it. */
export function labelOf(amount: number, currency: string): string {
  if (!/^[A-Z]{3}$/.test(currency)) return `${amount} ${currency}`;
  return new Intl.NumberFormat(currency === "EUR" ? "fr-FR" : "en-US", { style: "currency", currency }).format(amount);
}
