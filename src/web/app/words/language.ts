import { computed, type ReadonlySignal, signal } from "@preact/signals";
import { hasPlaces, isMessage, messageText, type Values } from "../../../core/words/message.ts";
import type { Parts } from "./keys.d.ts";

/** The translated texts, by the name of their part of the builder. Missing texts are shown in English. */
type Translations = { readonly [part: string]: object };

const spoken = signal<{ readonly tag: string; readonly translations: Translations }>({ tag: "en", translations: {} });

/** The tag of the builder's current language. */
export const language: ReadonlySignal<string> = computed(() => spoken.value.tag);

/** Sets the current language. */
export function speak(tag: string, translations: Translations): void {
  spoken.value = { tag, translations };
}

/** The texts of a part of the builder, by its name. A text with placeholders is a function. */
export type WordsOf<Part extends keyof Parts> = Parts[Part];

const known = new WeakMap<object, ReadonlySignal<unknown>>();

/**
 * Returns the texts of a part in the current language, for example `currentWords(shareWords)`. The argument is the
 * part's English file in `en/`, an object whose only key is the name of the part.
 */
export function currentWords<Part extends keyof Parts>(english: Readonly<Record<Part, object>>): WordsOf<Part>;
export function currentWords(english: Readonly<Record<string, object>>): unknown {
  const words = known.get(english) ?? computed(() => translate(english));
  known.set(english, words);
  return words.value;
}

function translate(english: Readonly<Record<string, object>>): unknown {
  const { tag, translations } = spoken.value;
  const [part] = Object.entries(english).map(([name, words]) => inLanguage(words, translations[name], tag));
  return part;
}

/** Merges English texts with their translations. Missing translations stay in English. */
export function inLanguage(english: unknown, translated: unknown, tag: string): unknown {
  if (isMessage(english)) {
    // An English sentence needs English plural rules.
    const [message, itsTag] = isMessage(translated) ? [translated, tag] : [english, "en"];
    return hasPlaces(english) ? (values: Values) => messageText(message, values, itsTag) : message;
  }
  if (!isRecord(english)) return english;
  const theirs = isRecord(translated) ? translated : {};
  const all = Object.entries({ ...theirs, ...english });
  return Object.fromEntries(all.map(([key, own]) => [key, inLanguage(own, theirs[key], tag)]));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

/** Formats a number in the current language. */
export function numberText(value: number): string {
  return value.toLocaleString(language.value);
}

/** Formats an amount of money, in whole currency units, in the current language. */
export function moneyText(amount: number, currency: string): string {
  return amount.toLocaleString(language.value, { style: "currency", currency });
}

/** Formats a calendar day such as `2026-11-05` in the current language. */
export function dayText(day: string): string {
  return new Date(`${day}T12:00:00`).toLocaleDateString(language.value, { dateStyle: "medium" });
}

/** Formats the size of a file, for example "4.8 kB". */
export function sizeText(bytes: number): string {
  const isSmall = bytes < 1_000_000;
  const amount = isSmall ? bytes / 1_000 : bytes / 1_000_000;
  return `${amount.toLocaleString(language.value, { maximumFractionDigits: 1 })} ${isSmall ? "kB" : "MB"}`;
}

const units = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
] as const;

/** Formats a duration in its two largest units that are not zero, for example "10 minutes" or "1 day 6 hours". */
export function durationText(seconds: number): string {
  let left = Math.round(seconds);
  const parts = units.flatMap(([unit, size]) => {
    const count = Math.floor(left / size);
    left -= count * size;
    const format = { style: "unit", unit, unitDisplay: "long" } as const;
    return count > 0 ? [new Intl.NumberFormat(language.value, format).format(count)] : [];
  });
  return parts.slice(0, 2).join(" ");
}

/** Formats a moment relative to now, for example "5 minutes ago" or "yesterday", or as a date if it is long ago. */
export function whenText(time: string | number | Date, now: number = Date.now()): string {
  const then = new Date(time);
  const seconds = Math.round((then.getTime() - now) / 1_000);
  const format = new Intl.RelativeTimeFormat(language.value, { numeric: "auto" });
  const size = Math.abs(seconds);
  if (size < 45) return format.format(0, "second");
  if (size < 45 * 60) return format.format(Math.round(seconds / 60), "minute");
  if (size < 22 * 3_600) return format.format(Math.round(seconds / 3_600), "hour");
  if (size < 7 * 86_400) return format.format(Math.round(seconds / 86_400), "day");
  const isThisYear = then.getFullYear() === new Date(now).getFullYear();
  return then.toLocaleDateString(language.value, {
    day: "numeric",
    month: "short",
    ...(!isThisYear && { year: "numeric" }),
  });
}

/** Formats a moment with date and time, for the tooltip of a relative time. */
export function timeText(time: string | number | Date): string {
  return new Date(time).toLocaleString(language.value, { dateStyle: "medium", timeStyle: "short" });
}

/** Formats a moment with seconds, to distinguish chats that began within the same minute. */
export function exactTimeText(time: string | number | Date): string {
  return new Date(time).toLocaleString(language.value, { dateStyle: "medium", timeStyle: "medium" });
}
