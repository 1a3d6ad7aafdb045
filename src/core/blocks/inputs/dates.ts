import type * as Utc from "@date-fns/utc";
import type * as Chrono from "chrono-node/en";
import type * as DateFormat from "date-fns/format";
import { limits } from "../../../limits/index.ts";

/** A date or a range of dates, as wall-clock times in milliseconds, interpreted as UTC. */
export type ParsedDates = { readonly start: number; readonly end?: number };

/**
 * Parses the first date, time or range in an English text. Dates may be written in digits or in words such as
 * `tomorrow`. Returns undefined if the text contains no date or is too long.
 */
export function parseDates(
  text: string,
  { now, isDayFirst }: { now: number; isDayFirst: boolean },
): ParsedDates | undefined {
  if (text.length > limits.reply.searchedCharacters) return undefined;
  // The library interprets `now` in the process's time zone. The instant is shifted so that its wall-clock time in the
  // process's time zone equals its time in UTC.
  const reference = new Date(now + new Date(now).getTimezoneOffset() * minuteMs);
  const { GB, casual } = reader();
  const [found] = (isDayFirst ? GB : casual).parse(text, { instant: reference });
  if (!found) return undefined;
  return { start: instantOf(found.start, now), ...(found.end && { end: instantOf(found.end, now) }) };
}

/**
 * Formats an instant with a date-fns pattern, or with the pattern `otherwise` if the first pattern is empty or invalid.
 */
export function printDate(instant: number, pattern: string | undefined, otherwise: string): string {
  const { format } = printer();
  const date = new (utc().UTCDate)(instant);
  if (pattern) {
    try {
      return format(date, pattern, printing);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
  }
  return format(date, otherwise, printing);
}

/**
 * A date limit in the format that the input shows, with its first and last instant. A day lasts until its last
 * millisecond.
 */
export type DateLimit = { readonly shown: string; readonly from: number; readonly to: number };

/**
 * Parses a limit whose variables are already replaced. An invalid date has NaN as its instants. Returns undefined for
 * an empty limit.
 */
export function parseDateLimit(text: string, { hasTime }: { hasTime: boolean }): DateLimit | undefined {
  const fragment = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.exec(text)?.[0];
  const shown = fragment === undefined ? text : hasTime ? fragment : fragment.slice(0, dayCharacters);
  if (shown === "") return undefined;
  const from = Date.parse(shown === fragment ? `${shown}Z` : shown);
  const isDay = !shown.includes(":") && from % dayMs === 0;
  return { shown, from, to: isDay ? from + dayMs - 1 : from };
}

// The libraries are loaded when they are first used, because `chrono-node/en` and `date-fns/format` consist of 130
// files. The main entry of `date-fns` has 300 files.
const reader = (): typeof Chrono => require("chrono-node/en");
const printer = (): typeof DateFormat => require("date-fns/format");
const utc = (): typeof Utc => require("@date-fns/utc");

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const dayCharacters = "2024-05-31".length;
const printing = { useAdditionalDayOfYearTokens: true, useAdditionalWeekYearTokens: true };

function instantOf(components: Chrono.ParsedResult["start"], now: number): number {
  const date = components.date();
  if (components.isCertain("timezoneOffset")) return date.getTime();
  const instant = date.getTime() - date.getTimezoneOffset() * minuteMs;
  // The library adds the current time of day to words such as `tomorrow`. Such a date gets noon as its time instead.
  const isTimeOfNow = !components.isCertain("hour") && (instant - now) % dayMs === 0;
  return isTimeOfNow ? Math.floor(instant / dayMs) * dayMs + dayMs / 2 : instant;
}
