import { typedDay, typedMoment } from "../../../conversation/dates/typed-dates.ts";
import { typedTime } from "../../../conversation/dates/typed-times.ts";
import { say } from "../../../conversation/rare-words.ts";
import { filledTextAt, flagAt, textAt } from "../../../conversation/read.ts";
import type { Input } from "../../../conversation/step.ts";
import type { Words } from "../../../conversation/words.ts";
import { textOf } from "../parts/field.tsx";

export function isRange(input: Input): boolean {
  return flagAt(input, "options", "isRange") === true;
}

export function hasTime(input: Input): boolean {
  return flagAt(input, "options", "hasTime") === true;
}

export const plainDate = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2})?$/;

/** Returns a limit in the field's format, or undefined if the limit is not a date. */
export function limitOf(input: Input, name: "min" | "max"): string | undefined {
  const limit = textAt(input, "options", name)?.slice(0, "2024-05-31T09:00".length) ?? "";
  return plainDate.test(limit) ? limitText(limit, name, hasTime(input)) : undefined;
}

export function limitText(limit: string, name: "min" | "max", hasTime: boolean): string {
  const [day = "", time] = limit.split("T");
  return hasTime ? `${day}T${time ?? (name === "min" ? "00:00" : "23:59")}` : day;
}

/**
 * Returns the error for dates that a date picker would not allow; undefined if the dates are allowed. Dates in another
 * format are checked only by the server.
 */
export function dateError(dates: readonly string[], input: Input, words: Words): string | undefined {
  if (!dates.every((date) => plainDate.test(date))) return undefined;
  const min = limitOf(input, "min");
  const max = limitOf(input, "max");
  const [from = "", to = from] = dates;
  if (to < from) return words.dateOrder;
  if (min !== undefined && from < min) return say(words, "dateTooEarly", { limit: dateIn(words, min) });
  if (max !== undefined && to > max) return say(words, "dateTooLate", { limit: dateIn(words, max) });
  return undefined;
}

/** Formats a date picker's value in the page's language. */
function dateIn({ language }: Words, date: string): string {
  const hasTime = date.includes("T");
  return dateFormat(language, { hasTime }).format(new Date(hasTime ? `${date}Z` : date));
}

export function dateFormat(language: string, { hasTime }: { hasTime: boolean }): Intl.DateTimeFormat {
  const time = hasTime ? ({ timeStyle: "short" } as const) : {};
  return new Intl.DateTimeFormat(language, { dateStyle: "long", ...time, timeZone: "UTC" });
}

/**
 * Reads a date from a form, and returns it in the format of a browser's date picker. A text that cannot be parsed stays
 * unchanged, because the service recognizes words such as `tomorrow`. The time may be in its own field.
 */
export function dateFrom(
  form: FormData,
  { name, input, locale }: { name: string; input: Input; locale: string },
): string {
  const text = textOf(form, name).trim();
  const time = textOf(form, `${name}-time`).trim();
  if (!hasTime(input)) return typedDay(text, locale) ?? text;
  const day = typedDay(text, locale);
  const said = typedTime(time, locale);
  if (day !== undefined && said !== undefined) return `${day}T${said}`;
  return typedMoment(text, locale) ?? [text, time].filter(Boolean).join(" ");
}

/** Whether a text is neither a date in the format that is sent, nor words that the service may recognize. */
export function isNoDate(date: string, input: Input): boolean {
  if (plainDate.test(date)) return hasTime(input) !== date.includes("T");
  return !/\p{L}{2}/u.test(date);
}

/**
 * Reads the dates of an answer, in the date picker's format or the block's format. A date in another format is kept as
 * text.
 */
export function initialDates(input: Input, initial: string): string[] {
  const separator = filledTextAt(input, "options", "labels", "separator") ?? "to";
  const between = initial.includes(` ${separator} `) ? ` ${separator} ` : " to ";
  const parts = isRange(input) ? initial.split(between) : [initial];
  return parts.map((part) => pickerDate(part.trim(), input) ?? part.trim());
}

function pickerDate(text: string, input: Input): string | undefined {
  const date = plainDate.test(text) ? text : storedDate(text, input);
  if (date === undefined) return undefined;
  return hasTime(input) ? (date.includes("T") ? date : `${date}T12:00`) : date.slice(0, "2024-05-31".length);
}

/**
 * Reads a date in the block's format. Returns undefined if the format contains names of months or other words, or if
 * the text does not match.
 */
function storedDate(text: string, input: Input): string | undefined {
  const usual = hasTime(input) ? "dd/MM/yyyy HH:mm" : "dd/MM/yyyy";
  const format = filledTextAt(input, "options", "format") ?? usual;
  const names: string[] = [];
  const pattern = format.replaceAll(/yyyy|MM|dd|HH|mm|[^a-z]/gu, (part) => {
    if (!/^[a-z]/i.test(part)) return `\\u{${part.codePointAt(0)?.toString(16)}}`;
    names.push(part);
    return `(\\d{${part.length}})`;
  });
  const found = /[a-z]/i.test(format.replaceAll(/yyyy|MM|dd|HH|mm/g, ""))
    ? null
    : new RegExp(`^${pattern}$`, "u").exec(text);
  const part = (name: string): string | undefined => found?.[names.indexOf(name) + 1];
  if (!found || !["yyyy", "MM", "dd"].every((name) => names.includes(name))) return undefined;
  const time = names.includes("HH") && names.includes("mm") ? `T${part("HH")}:${part("mm")}` : "";
  return `${part("yyyy")}-${part("MM")}-${part("dd")}${time}`;
}
