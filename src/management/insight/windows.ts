import { type CountedWindow, roundedOut } from "../../core/measures/spans.ts";
import type { ManagementDependencies } from "../access/dependencies.ts";
import { findWindowBefore } from "../counts/windows.sql.ts";
import { readNewWindow, readTimeZone, type WindowRequest } from "../results/time-windows.ts";

export type { WindowRequest };

/** Returns the window of a request, rounded out to whole quarters of an hour. The default is the last seven days. */
export async function readCountedWindow(
  deps: Pick<ManagementDependencies, "sql">,
  request: WindowRequest,
): Promise<CountedWindow> {
  return roundedOut(await readNewWindow(deps, { ...request, timeFilter: filterOf(request) }));
}

/**
 * Returns the window before this window, by the calendar of the time zone. It has as many days, or is the corresponding
 * part of the previous month or year. Returns undefined if the window has no start.
 */
export async function windowBefore(
  deps: Pick<ManagementDependencies, "sql">,
  request: WindowRequest,
  { from, to }: CountedWindow,
): Promise<{ readonly from: Date; readonly to: Date } | undefined> {
  if (from === null) return undefined;
  const isNamed = request.from === undefined && request.to === undefined;
  const period = isNamed ? periods[filterOf(request)] : undefined;
  const before = await findWindowBefore(deps.sql, { from, to, period, timeZone: readTimeZone(request.timeZone) });
  return roundedOut(before);
}

type TimeFilter = NonNullable<WindowRequest["timeFilter"]>;

/** The time between a named window and the previous window. */
const periods = {
  allTime: undefined,
  today: "1 day",
  last7Days: "7 days",
  last30Days: "30 days",
  monthToDate: "1 month",
  lastMonth: "1 month",
  yearToDate: "1 year",
} as const satisfies Readonly<Record<TimeFilter, string | undefined>>;

function filterOf({ timeFilter, from, to }: WindowRequest): TimeFilter {
  return timeFilter ?? (from === undefined && to === undefined ? "last7Days" : "allTime");
}
