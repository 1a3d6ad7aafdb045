/**
 * The lengths of time that are counted separately: quarters of an hour, since in every time zone days begin at a
 * quarter, UTC days, and UTC months.
 */
export const units = ["quarter", "day", "month"] as const;
export type Unit = (typeof units)[number];

/** The stretch of counts of one unit that begin at or after the start and before the end. Null: without an end. */
export type Span = { readonly unit: Unit; readonly from: Date | null; readonly to: Date | null };

/** A window of whole quarters of an hour. Null: without an end. */
export type CountedWindow = { readonly from: Date | null; readonly to: Date | null };

const quarterMs = 900_000;

/** A window of time, rounded to whole quarters of an hour. */
export function roundedOut(window: { readonly from: Date; readonly to: Date }): { from: Date; to: Date };
export function roundedOut(window: CountedWindow): CountedWindow;
export function roundedOut({ from, to }: CountedWindow): CountedWindow {
  return {
    from: from && new Date(Math.floor(from.getTime() / quarterMs) * quarterMs),
    to: to && new Date(Math.ceil(to.getTime() / quarterMs) * quarterMs),
  };
}

/**
 * The fewest stretches of counts that make up a window of whole quarters of an hour, without overlap: months, then days
 * and quarters at both ends.
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

/** The moment at which a unit begins: this moment, or the nearest before or after it. */
function beginning(moment: Date, unit: Unit, direction: "up" | "down"): Date {
  const before = startOf(moment, unit);
  if (direction === "down" || before.getTime() === moment.getTime()) return before;
  if (unit === "quarter") return new Date(before.getTime() + quarterMs);
  if (unit === "day") return new Date(before.getTime() + 86_400_000);
  return new Date(Date.UTC(before.getUTCFullYear(), before.getUTCMonth() + 1));
}

/** The beginning of the unit that contains a moment. */
export function startOf(moment: Date, unit: Unit): Date {
  if (unit === "quarter") return new Date(Math.floor(moment.getTime() / quarterMs) * quarterMs);
  const [year, month, day] = [moment.getUTCFullYear(), moment.getUTCMonth(), moment.getUTCDate()];
  return new Date(unit === "day" ? Date.UTC(year, month, day) : Date.UTC(year, month));
}
