import type { PageSettings } from "./settings.ts";

/** A language, and its writing direction. */
export type Language = { readonly lang: string; readonly dir: "ltr" | "rtl" };

/** The language that a bot's settings name; undefined if there is none. */
export function languageOf({ language }: Pick<PageSettings, "language">): Language | undefined {
  return parseLanguage(language ?? "");
}

/** Parses a language tag such as `pt-BR`; undefined if the text is not a tag. */
export function parseLanguage(tag: string): Language | undefined {
  if (!/^[a-z]{2,3}(-|$)/i.test(tag)) return undefined;
  try {
    const locale = new Intl.Locale(tag);
    return { lang: locale.toString(), dir: rightToLeft.has(locale.maximize().script ?? "") ? "rtl" : "ltr" };
  } catch {
    return undefined;
  }
}

/** The default language. */
export const defaultLanguage: Language = { lang: "en", dir: "ltr" };

/** Current scripts that are written from right to left. */
const rightToLeft = new Set(["Adlm", "Arab", "Aran", "Hebr", "Mand", "Nkoo", "Rohg", "Samr", "Syrc", "Thaa", "Yezi"]);
