import { AppError } from "../../errors.ts";
import { invalidInput } from "../../platform/http/requests/invalid-input.ts";
import { isTimeZone, timeZoneProblem } from "../../platform/http/requests/time-zone.ts";
import type { ManagementDependencies } from "../access/dependencies.ts";
import { findWindow, type TimeFilter, type Window } from "./results.sql.ts";

export { timeFilters } from "./results.sql.ts";

/** A window of time: the days or months of a time filter, limited to the time between `from` and `to`. */
export type WindowRequest = {
  readonly timeFilter?: TimeFilter | undefined;
  readonly timeZone?: string | undefined;
  /** The inclusive start in ISO 8601. */
  readonly from?: string | undefined;
  /** The exclusive end in ISO 8601. */
  readonly to?: string | undefined;
};

/**
 * Returns the window that the time filter and the given times have in common, relative to the current time. Throws
 * `request.invalid` if `to` is not later than `from`, or for an unknown time zone.
 */
export async function readNewWindow(
  deps: Pick<ManagementDependencies, "sql">,
  { timeFilter, timeZone, from, to }: WindowRequest & { readonly timeFilter: TimeFilter },
): Promise<Window> {
  const named = await findWindow(deps.sql, { timeFilter, timeZone: readTimeZone(timeZone) });
  const given = { from: from === undefined ? null : new Date(from), to: to === undefined ? null : new Date(to) };
  if (given.from && given.to && given.from >= given.to) {
    throw invalidInput([{ path: "to", message: "must be later than `from`" }]);
  }
  return { from: pick(named.from, given.from, Math.max), to: pick(named.to, given.to, Math.min) };
}

/** Writes the window and the mark of the list's other filters for a cursor. */
export function writeWindow({ from, to }: Window, mark: string): string {
  return `${from?.getTime() ?? ""},${to?.getTime() ?? ""}${mark}`;
}

/**
 * Reads the window from a cursor. Throws `cursor.invalid` for a text without a window, or if the list's filters have
 * changed.
 */
export function readWindow(text: string | undefined, mark: string): Window {
  const [, from, to, given] = /^(-?\d{0,14}),(-?\d{0,14})(.*)$/.exec(text ?? "") ?? [];
  if (from === undefined || to === undefined || given !== mark) throw new AppError("cursor.invalid");
  return { from: readTime(from), to: readTime(to) };
}

function readTime(text: string): Date | null {
  return text === "" ? null : new Date(Number(text));
}

function pick(a: Date | null, b: Date | null, which: (a: number, b: number) => number): Date | null {
  return a && b ? new Date(which(a.getTime(), b.getTime())) : (a ?? b);
}

export function readTimeZone(timeZone = "UTC"): string {
  if (isTimeZone(timeZone)) return timeZone;
  throw invalidInput([{ path: "timeZone", message: timeZoneProblem }]);
}
