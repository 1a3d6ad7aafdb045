import { type ReadonlySignal, signal } from "@preact/signals";

/** The languages that the builder speaks, by their tags, as they call themselves. */
export const languageNames = { en: "English", de: "Deutsch", "pt-BR": "Português (Brasil)" } as const;
export type Language = keyof typeof languageNames;
/** All of them, in the order in which they are offered. */
export const languages: readonly Language[] = ["en", "de", "pt-BR"];

/** Whether the builder speaks what somebody has stored. */
export function isLanguage(value: unknown): value is Language {
  return languages.some((each) => each === value);
}

const current = signal<Language>("en");

/** The language that the builder speaks now. */
export const language: ReadonlySignal<Language> = current;

/** Speaks another language from now on; its words have to be there. */
export function speak(next: Language): void {
  current.value = next;
  document.documentElement.lang = next;
}

/** The first of these tags that the builder speaks; English where it speaks none of them. */
export function languageFor(tags: readonly string[]): Language {
  for (const tag of tags) {
    const wanted = tag.toLowerCase();
    if (wanted.startsWith("de")) return "de";
    if (wanted.startsWith("pt")) return "pt-BR";
    if (wanted.startsWith("en")) return "en";
  }
  return "en";
}

/** The words of one part of the builder in all languages: each says the same, English first. */
export type Area<Words> = { readonly [Name in Language]: Words };

/** Declares the words of a part: `const words = area({ en: { … }, de: { … }, "pt-BR": { … } })`; the compiler names what a language lacks. */
export function area<Words extends object>(
  languages: { readonly en: Words } & { readonly [Name in Exclude<Language, "en">]: NoInfer<Words> },
): Area<Words> {
  return languages;
}

/** The form of a word that fits a count, by the rules of the language: `plural(3, { one: "1 bot", other: "3 bots" })`. */
export function plural(count: number, forms: { readonly one: string; readonly other: string }): string {
  return rulesOf(current.value).select(count) === "one" ? forms.one : forms.other;
}

const rules = new Map<Language, Intl.PluralRules>();

/** Made once: making them takes 0.1 ms, and a list says hundreds of counts. */
function rulesOf(language: Language): Intl.PluralRules {
  const known = rules.get(language) ?? new Intl.PluralRules(language);
  rules.set(language, known);
  return known;
}

/** A number as the language writes it. */
export function numberText(value: number): string {
  return value.toLocaleString(current.value);
}

/** A day of the calendar, `2026-11-05`, as the language writes it. */
export function dayText(day: string): string {
  return new Date(`${day}T12:00:00`).toLocaleDateString(current.value, { dateStyle: "medium" });
}

/** How large a file is: "4.8 kB". */
export function sizeText(bytes: number): string {
  const isSmall = bytes < 1_000_000;
  const amount = isSmall ? bytes / 1_000 : bytes / 1_000_000;
  return `${amount.toLocaleString(current.value, { maximumFractionDigits: 1 })} ${isSmall ? "kB" : "MB"}`;
}

/** A moment as people speak of it: "5 minutes ago", "yesterday", and the date where it is long ago. */
export function whenText(time: string | number | Date, now: number = Date.now()): string {
  const then = new Date(time);
  const seconds = Math.round((then.getTime() - now) / 1_000);
  const format = new Intl.RelativeTimeFormat(current.value, { numeric: "auto" });
  const size = Math.abs(seconds);
  if (size < 45) return format.format(0, "second");
  if (size < 45 * 60) return format.format(Math.round(seconds / 60), "minute");
  if (size < 22 * 3_600) return format.format(Math.round(seconds / 3_600), "hour");
  if (size < 7 * 86_400) return format.format(Math.round(seconds / 86_400), "day");
  const isThisYear = then.getFullYear() === new Date(now).getFullYear();
  return then.toLocaleDateString(current.value, {
    day: "numeric",
    month: "short",
    ...(!isThisYear && { year: "numeric" }),
  });
}

/** A moment in full, for the title of a short one. */
export function timeText(time: string | number | Date): string {
  return new Date(time).toLocaleString(current.value, { dateStyle: "medium", timeStyle: "short" });
}
