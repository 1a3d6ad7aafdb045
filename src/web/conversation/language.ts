import type { PageSettings } from "./settings.ts";

/** A language, and the direction it is written in. */
export type Language = { readonly lang: string; readonly dir: "ltr" | "rtl" };

/** The language that a bot's settings name; undefined if they name none. */
export function languageOf({ language }: Pick<PageSettings, "language">): Language | undefined {
  return parseLanguage(language ?? "");
}

/** Parses a language tag such as `pt-BR`; undefined if it is not one. */
export function parseLanguage(tag: string): Language | undefined {
  if (!/^[a-z]{2,3}(-|$)/i.test(tag)) return undefined;
  try {
    const locale = new Intl.Locale(tag);
    return { lang: locale.toString(), dir: rightToLeft.has(locale.maximize().script ?? "") ? "rtl" : "ltr" };
  } catch {
    return undefined;
  }
}

/** The language where none is named. */
export const defaultLanguage: Language = { lang: "en", dir: "ltr" };

/** Scripts that are written from right to left and are in use. */
const rightToLeft = new Set(["Adlm", "Arab", "Aran", "Hebr", "Mand", "Nkoo", "Rohg", "Samr", "Syrc", "Thaa", "Yezi"]);
