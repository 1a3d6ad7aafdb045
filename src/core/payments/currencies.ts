/**
 * The currencies without decimals at Stripe. Currencies that are in none of the lists in this file have two decimals.
 * Source: "Currencies" (docs.stripe.com/currencies, "Zero-decimal", "Three-decimal" and "Special cases"), read on
 * 2026-11-24.
 */
const wholeCurrencies = new Set("BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF".split(" "));

/**
 * Stripe also lists UGX among the currencies without decimals, but its special case ("to charge 5 UGX, provide an
 * amount of 500") determines the charge.
 */
const wholeInHundredths = new Set(["ISK", "UGX"]);

/** Amounts in these currencies are in thousandths, and the last digit must be 0. */
const threeDecimalCurrencies = new Set(["BHD", "JOD", "KWD", "OMR", "TND"]);

/** The maximum amount that Stripe accepts: eight digits. */
const mostUnits = 99_999_999;

/** An amount in the provider's units and in a human-readable format. */
export type Charge = { readonly currency: string; readonly units: number; readonly label: string };

/**
 * Returns the charge for an amount in the main unit of a currency. Returns undefined for an invalid currency code, or
 * for an amount that Stripe cannot charge.
 */
export function chargeOf(amount: number, currency: string): Charge | undefined {
  if (!/^[A-Z]{3}$/.test(currency) || !Number.isFinite(amount)) return undefined;
  const { each, unitsOf } = countOf(currency);
  const units = unitsOf(amount);
  if (units < 1 || units > mostUnits) return undefined;
  return { currency, units, label: labelOf(units / each, currency) };
}

export function labelOfUnits({ currency, units }: Pick<Charge, "currency" | "units">): string {
  return labelOf(wholeUnits({ currency, units }), currency);
}

export function wholeUnits({ currency, units }: Pick<Charge, "currency" | "units">): number {
  return units / countOf(currency).each;
}

/**
 * Returns the number of Stripe's units in the main unit of a currency, and a function that converts an amount to
 * Stripe's units.
 */
function countOf(currency: string): { each: number; unitsOf(amount: number): number } {
  if (wholeCurrencies.has(currency)) return { each: 1, unitsOf: Math.round };
  if (wholeInHundredths.has(currency)) return { each: 100, unitsOf: (amount) => Math.round(amount) * 100 };
  if (threeDecimalCurrencies.has(currency)) return { each: 1000, unitsOf: (amount) => Math.round(amount * 100) * 10 };
  return { each: 100, unitsOf: (amount) => Math.round(amount * 100) };
}

/**
 * Formats an amount for the United States, or for France if the currency is EUR, as in earlier releases. If the
 * currency is not a valid code, returns the amount followed by the currency.
 */
export function labelOf(amount: number, currency: string): string {
  if (!/^[A-Z]{3}$/.test(currency)) return `${amount} ${currency}`;
  return new Intl.NumberFormat(currency === "EUR" ? "fr-FR" : "en-US", { style: "currency", currency }).format(amount);
}
