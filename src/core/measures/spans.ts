/**
 * The periods that are counted separately: quarters of an hour, UTC days, and UTC months. Quarters are used because
 * days begin at a quarter in every time zone.
 */
export const units = ["quarter", "day", "month"] as const;
export type Unit = (typeof units)[number];

/** A range of counts of one unit, from `from` (inclusive) to `to` (exclusive). Null means unlimited. */
export type Span = { readonly unit: Unit; readonly from: Date | null; readonly to: Date | null };

/** A time range in whole quarters of an hour. Null means unlimited. */
export type CountedWindow = { readonly from: Date | null; readonly to: Date | null };

const quarterMs = 900_000;

/** Extends a time range to whole quarters of an hour. */
export function roundedOut(window: { readonly from: Date; readonly to: Date }): { from: Date; to: Date };
export function roundedOut(window: CountedWindow): CountedWindow;
export function roundedOut({ from, to }: CountedWindow): CountedWindow {
  return {
    from: from && new Date(Math.floor(from.getTime() / quarterMs) * quarterMs),
    to: to && new Date(Math.ceil(to.getTime() / quarterMs) * quarterMs),
  };
}

/**
 * Covers a time range without overlap with as few ranges as possible: whole months, then whole days, then quarters. The
 * time range must consist of whole quarters of an hour.
 */
export function spansOf({ from, to }: CountedWindow): Span[] {
  return cover({ from, to }, ["month", "day", "quarter"]);
}

function cover({ from, to }: Omit<Span, "unit">, [unit, ...smaller]: readonly Unit[]): Span[] {
  if (unit === undefined || (from && to && from >= to)) return [];
  const inner = { from: from && beginning(from, unit, "up"), to: to && beginning(to, unit, "down") };
  if (inner.from && inner.to && inner.from >= inner.to) return cover({ from, to }, smaller);
  return [
    ...(from && inner.from ? cover({ from, to: inner.from }, smaller) : []),
    { unit, ...inner },
    ...(to && inner.to ? cover({ from: inner.to, to }, smaller) : []),
  ];
}

/** Rounds a moment up or down to the start of a unit. */
function beginning(moment: Date, unit: Unit, direction: "up" | "down"): Date {
  const before = startOf(moment, unit);
  if (direction === "down" || before.getTime() === moment.getTime()) return before;
  if (unit === "quarter") return new Date(before.getTime() + quarterMs);
  if (unit === "day") return new Date(before.getTime() + 86_400_000);
  return new Date(Date.UTC(before.getUTCFullYear(), before.getUTCMonth() + 1));
}

/** Returns the start of the unit that contains a moment. */
export function startOf(moment: Date, unit: Unit): Date {
  if (unit === "quarter") return new Date(Math.floor(moment.getTime() / quarterMs) * quarterMs);
  const [year, month, day] = [moment.getUTCFullYear(), moment.getUTCMonth(), moment.getUTCDate()];
  return new Date(unit === "day" ? Date.UTC(year, month, day) : Date.UTC(year, month));
}
