import type { PageSettings } from "./settings.ts";

/** A language and its writing direction. */
export type Language = { readonly lang: string; readonly dir: "ltr" | "rtl" };

/** Returns the language that a bot's settings specify, if any. */
export function languageOf({ language }: Pick<PageSettings, "language">): Language | undefined {
  return parseLanguage(language ?? "");
}

/** Parses a language tag such as `pt-BR`. Returns undefined if the text is not a language tag. */
export function parseLanguage(tag: string): Language | undefined {
  if (!/^[a-z]{2,3}(-|$)/i.test(tag)) return undefined;
  try {
    const locale = new Intl.Locale(tag);
    return { lang: locale.toString(), dir: rightToLeft.has(locale.maximize().script ?? "") ? "rtl" : "ltr" };
  } catch {
    return undefined;
  }
}

export const defaultLanguage: Language = { lang: "en", dir: "ltr" };

/** Scripts in current use that are written from right to left. */
const rightToLeft = new Set(["Adlm", "Arab", "Aran", "Hebr", "Mand", "Nkoo", "Rohg", "Samr", "Syrc", "Thaa", "Yezi"]);
