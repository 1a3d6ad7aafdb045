import { at, numberAt } from "../read.ts";

/** Calendar functions for days such as `2026-05-31`, which sort as texts. */

/** Adds `count` days to a day. */
export function daysLater(day: string, count: number): string {
  const date = utc(day);
  date.setUTCDate(date.getUTCDate() + count);
  return dayOf(date);
}

/** Returns the same day of the month after `count` months, or the last day of that month if it is shorter. */
export function monthsLater(day: string, count: number): string {
  const date = utc(day);
  const wanted = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + count);
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(wanted, last));
  return dayOf(date);
}

/** Returns the number of days that precede a day in its week. */
export function placeInWeek(day: string, locale: string): number {
  return (utc(day).getUTCDay() - firstWeekday(locale) + 7) % 7;
}

/** Returns the weeks of a day's month. Days of other months are undefined. */
export function weeksOf(day: string, locale: string): (string | undefined)[][] {
  const month = day.slice(0, "2026-05".length);
  const first = `${month}-01`;
  const begin = daysLater(first, -placeInWeek(first, locale));
  const weeks: (string | undefined)[][] = [];
  for (let monday = begin; monday.slice(0, month.length) <= month; monday = daysLater(monday, 7)) {
    const days = Array.from({ length: 7 }, (_, index) => daysLater(monday, index));
    weeks.push(days.map((one) => (one.startsWith(month) ? one : undefined)));
  }
  return weeks;
}

/** Formats a day in a language. */
export function dayIn(locale: string, day: string, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(locale, { ...options, calendar: "gregory", timeZone: "UTC" }).format(utc(day));
}

/** Returns the current day in the visitor's time zone. */
export function today(): string {
  const now = new Date();
  return dayOf(new Date(Date.UTC(now.getFullYear(), now.getMonth(), now.getDate())));
}

/** Returns the first day of the week, where Sunday is 0. */
function firstWeekday(locale: string): number {
  const { region } = new Intl.Locale(locale).maximize();
  return (toldFirst(locale) ?? (sundays.has(region ?? "") ? 0 : 1)) % 7;
}

/**
 * Returns the first day of the week as the browser reports it. Some browsers report it by a function and older ones by
 * a property. Undefined if the browser does not report it.
 */
function toldFirst(locale: string): number | undefined {
  const known: object = new Intl.Locale(locale);
  const told: unknown =
    "getWeekInfo" in known && typeof known.getWeekInfo === "function" ? known.getWeekInfo() : at(known, "weekInfo");
  return numberAt(told, "firstDay");
}

const sundays = new Set("BR CA CO HK ID IL IN JP KR MX PE PH PK SA TH TW US VE ZA".split(" "));

function utc(day: string): Date {
  return new Date(`${day}T00:00Z`);
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, "2026-05-31".length);
}
