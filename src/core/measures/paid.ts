/** Payments of the same amount in the same currency. The amount is in the smallest unit of the currency. */
export type PaidAmount = { readonly currency: string; readonly amount: number; readonly count: number };

export type PaidSum = { readonly currency: string; readonly count: number; readonly units: number };

type PaidMeasure = {
  readonly kind: "paid" | "paidPart";
  readonly subject: "";
  readonly value: string;
  readonly times: number;
};

/**
 * The place values of the parts in which an amount is counted. Each part is less than a thousand, because counts are
 * four-byte integers and the revenue of a month may exceed their range: 21 million dollars, or 2.1 billion dong (about
 * 80,000 dollars).
 */
const places = [1, 1_000, 1_000_000, 1_000_000_000] as const;

export function paidMeasures(payments: readonly PaidAmount[]): PaidMeasure[] {
  return payments.flatMap(({ currency, amount, count }): PaidMeasure[] => [
    { kind: "paid", subject: "", value: currency, times: count },
    ...places.flatMap((place): PaidMeasure[] => {
      const part = Math.floor(amount / place) % 1_000;
      return part === 0 ? [] : [{ kind: "paidPart", subject: "", value: `${currency} ${place}`, times: part * count }];
    }),
  ]);
}

/** Returns the number and the total amount of payments for each currency, from sums of measures. */
export function paidIn(
  sums: readonly { readonly kind: string; readonly value: string; readonly times: number }[],
): PaidSum[] {
  const paid = new Map<string, { count: number; units: number }>();
  const add = (currency: string, { count, units }: Omit<PaidSum, "currency">) => {
    const before = paid.get(currency) ?? { count: 0, units: 0 };
    paid.set(currency, { count: before.count + count, units: before.units + units });
  };
  for (const { kind, value, times } of sums) {
    if (kind === "paid") add(value, { count: times, units: 0 });
    if (kind !== "paidPart") continue;
    const [currency = "", place] = value.split(" ");
    add(currency, { count: 0, units: times * Number(place) });
  }
  return [...paid]
    .map(([currency, sum]) => ({ currency, ...sum }))
    .toSorted((one, other) => (one.currency < other.currency ? -1 : 1));
}
