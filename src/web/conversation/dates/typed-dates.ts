import { asciiDigits, typedTime } from "./typed-times.ts";

/**
 * Parses a day as it is typed in a language, and returns it in the form `2026-05-31`. Accepts the language's order of
 * day, month and year, any separators or none, years of two or four digits, a month name, and the form `2026-05-31`. A
 * two-digit year is at most twenty years in the future. Returns undefined for any other text, and for a day that does
 * not exist.
 */
export function typedDay(text: string, locale: string, thisYear = new Date().getUTCFullYear()): string | undefined {
  const plain = asciiDigits(text, locale).toLowerCase().trim();
  const order = orderOf(locale);
  const numbers = numbersIn(plain, order);
  if (numbers.length === 3) return dayOfNumbers(numbers, order, thisYear);
  const month = monthIn(plain, locale);
  const [first = "", second = ""] = numbers;
  if (month === undefined || numbers.length !== 2) return undefined;
  const isYearFirst = first.length === 4 || (second.length < 3 && order.startsWith("y"));
  const [year, day] = isYearFirst ? [first, second] : [second, first];
  return existingDay(wholeYear(year, thisYear), month, Number(day));
}

/**
 * Parses a day and a time as they are typed in a language, in either order, and returns the form `2026-05-31T09:30`.
 * Returns undefined for any other text.
 */
export function typedMoment(text: string, locale: string, thisYear?: number): string | undefined {
  const plain = asciiDigits(text, locale)
    .trim()
    .replace(/^(\d{4}-\d{2}-\d{2})t/i, "$1 ");
  const gaps = [...plain.matchAll(/[\s,،、]+/g)].map(({ 0: gap, index }) => [index, index + gap.length]);
  const noGap = /^\d{12}|^\d{8}\d{1,4}\s*\p{L}/u.test(plain) ? [[8, 8]] : [];
  for (const [end, begin] of [...gaps, ...noGap]) {
    const day = typedDay(plain.slice(0, end), locale, thisYear);
    const rest = plain.slice(begin);
    // A word such as `at` may separate the day and the time.
    const time = day && (typedTime(rest, locale) ?? typedTime(rest.replace(/^\p{L}+\s+/u, ""), locale));
    if (time) return `${day}T${time}`;
    // Some languages write the time first.
    const later = typedDay(rest, locale, thisYear);
    const first = later && typedTime(plain.slice(0, end), locale);
    if (first) return `${later}T${first}`;
  }
  return undefined;
}

/** Formats a date such as `2026-05-31` or `2026-05-31T09:30` as people type it in the locale. */
export function dateAsTyped(date: string, locale: string): string {
  const time = date.includes("T") ? ({ hour: "2-digit", minute: "2-digit" } as const) : {};
  return new Intl.DateTimeFormat(locale, { ...numeric, ...time }).format(
    new Date(date.includes("T") ? `${date}Z` : date),
  );
}

const numeric = { calendar: "gregory", year: "numeric", month: "2-digit", day: "2-digit", timeZone: "UTC" } as const;

/** Returns a language's order of day, month and year, such as `dmy`. */
function orderOf(locale: string): string {
  const parts = new Intl.DateTimeFormat(locale, numeric).formatToParts(0);
  return parts.map(({ type }) => (/^(?:day|month|year)$/.test(type) ? type.charAt(0) : "")).join("");
}

/** Returns the numbers of a date. A single number of six or eight digits is split into a whole date. */
function numbersIn(text: string, order: string): string[] {
  const [whole] = /^(?:\d{6}|\d{8})$/.exec(text) ?? [];
  if (whole === undefined) return text.match(/\d+/g) ?? [];
  let at = 0;
  return [...order].map((part) => {
    const from = at;
    at += part === "y" ? whole.length - 4 : 2;
    return whole.slice(from, at);
  });
}

function dayOfNumbers(numbers: readonly string[], order: string, thisYear: number): string | undefined {
  const [first = "", second = "", third = ""] = numbers;
  const isYearFirst = first.length > 2 || (third.length < 3 && order.startsWith("y"));
  const [year, ...rest] = isYearFirst ? [first, second, third] : [third, first, second];
  const [one = 0, other = 0] = rest.map(Number);
  // If the year is at an unusual position, the day and month can be distinguished only if one number is greater than
  // twelve.
  const isClear = isYearFirst || !order.startsWith("y") || one === other || Math.max(one, other) > 12;
  const isMonthFirst = isYearFirst || order.startsWith("m");
  const [month, day] = isMonthFirst ? [one, other] : [other, one];
  if (!isClear) return undefined;
  return month > 12 && !isYearFirst
    ? existingDay(wholeYear(year, thisYear), day, month)
    : existingDay(wholeYear(year, thisYear), month, day);
}

function wholeYear(text: string, thisYear: number): number {
  if (text.length !== 2) return text.length === 4 ? Number(text) : Number.NaN;
  const century = Math.floor((thisYear + yearsAhead) / 100) * 100;
  const year = century + Number(text);
  return year > thisYear + yearsAhead ? year - 100 : year;
}

const yearsAhead = 20;

function existingDay(year: number, month: number, day: number): string | undefined {
  const date = new Date(Date.UTC(year, month - 1, day));
  const isSo = year >= 1000 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isSo ? date.toISOString().slice(0, "2026-05-31".length) : undefined;
}

/**
 * Returns the number of the month whose name a text contains; undefined if the text contains no name. Recognizes the
 * long and short forms that the language uses in a date and on their own.
 */
function monthIn(text: string, locale: string): number | undefined {
  const styles = [
    { month: "long" },
    { month: "short" },
    { month: "long", day: "numeric" },
    { month: "short", day: "numeric" },
  ] as const;
  const names = styles.flatMap((style) => {
    const format = new Intl.DateTimeFormat(locale, { ...style, calendar: "gregory", timeZone: "UTC" });
    return Array.from({ length: 12 }, (_, index) => {
      const parts = format.formatToParts(Date.UTC(2026, index, 1));
      const name =
        parts
          .find(({ type }) => type === "month")
          ?.value.toLowerCase()
          .replace(/\.$/, "") ?? "";
      return { name, month: index + 1 };
    });
  });
  const found = names.filter(({ name }) => /\D/.test(name) && text.includes(name));
  return found.sort((a, b) => b.name.length - a.name.length)[0]?.month;
}
