import { type CountedWindow, roundedOut } from "../../core/measures/spans.ts";
import type { ManagementDependencies } from "../access/dependencies.ts";
import { findWindowBefore } from "../counts/windows.sql.ts";
import { readNewWindow, readTimeZone, type WindowRequest } from "../results/time-windows.ts";

export type { WindowRequest };

/** The window that a request means, in whole quarters of an hour: the last seven days unless it names another one. */
export async function readCountedWindow(
  deps: Pick<ManagementDependencies, "sql">,
  request: WindowRequest,
): Promise<CountedWindow> {
  return roundedOut(await readNewWindow(deps, { ...request, timeFilter: filterOf(request) }));
}

/**
 * The window before, by the calendar of the time zone: as many days, or the month or year before up to the same moment
 * of it. Undefined if the window has no start.
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

/** The time between a named window and the one before. */
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
