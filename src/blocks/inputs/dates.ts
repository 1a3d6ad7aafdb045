import { UTCDate } from "@date-fns/utc";
import { casual, GB, type ParsedResult } from "chrono-node/en";
import { format } from "date-fns";
import { limits } from "../../limits.ts";

/** What a reply says about time. Instants are milliseconds of the wall clock, read as if it stood in UTC. */
export type SaidDates = { readonly start: number; readonly end?: number };

/** The first date or time that a reply names in English, in figures or words such as `tomorrow`; undefined without one. */
export function readDates(
  text: string,
  { now, isDayFirst }: { now: number; isDayFirst: boolean },
): SaidDates | undefined {
  if (text.length > limits.reply.searchedCharacters) return undefined;
  // The library thinks in the process's zone: it gets a `now` whose clock there shows what ours shows in UTC.
  const reference = new Date(now + new Date(now).getTimezoneOffset() * minuteMs);
  const [found] = (isDayFirst ? GB : casual).parse(text, { instant: reference });
  if (!found) return undefined;
  return { start: instantOf(found.start, now), ...(found.end && { end: instantOf(found.end, now) }) };
}

/** Prints an instant with a pattern of date-fns; with the other one where the pattern is empty or none. */
export function printDate(instant: number, pattern: string | undefined, otherwise: string): string {
  const date = new UTCDate(instant);
  if (pattern) {
    try {
      return format(date, pattern, printing);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
  }
  return format(date, otherwise, printing);
}

/** A limit as an input shows it and as it is compared: a day's last limit is its end. */
export type DateLimit = { readonly shown: string; readonly from: number; readonly to: number };

/** Reads a limit whose variables are replaced. One that is no date limits nothing; undefined for an empty one. */
export function readDateLimit(text: string, { hasTime }: { hasTime: boolean }): DateLimit | undefined {
  const fragment = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.exec(text)?.[0];
  const shown = fragment === undefined ? text : hasTime ? fragment : fragment.slice(0, dayCharacters);
  if (shown === "") return undefined;
  const from = Date.parse(shown === fragment ? `${shown}Z` : shown);
  const isDay = !shown.includes(":") && from % dayMs === 0;
  return { shown, from, to: isDay ? from + dayMs - 1 : from };
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const dayCharacters = "2024-05-31".length;
const printing = { useAdditionalDayOfYearTokens: true, useAdditionalWeekYearTokens: true };

function instantOf(components: ParsedResult["start"], now: number): number {
  const date = components.date();
  if (components.isCertain("timezoneOffset")) return date.getTime();
  const instant = date.getTime() - date.getTimezoneOffset() * minuteMs;
  // `tomorrow` and the like come with the present time of day, but nobody said it: dates without a time are at noon.
  const isTimeOfNow = !components.isCertain("hour") && (instant - now) % dayMs === 0;
  return isTimeOfNow ? Math.floor(instant / dayMs) * dayMs + dayMs / 2 : instant;
}
