/**
 * Returns the known language that matches a language tag such as `pt-BR`. Returns undefined if there is none or if the
 * text is not a language tag. A language with another script does not match: `zh-TW` is not `zh`.
 */
export function knownLanguage(tag: string, known: readonly string[]): string | undefined {
  const wanted = localeOf(tag)?.maximize();
  return known.find((one) => {
    const { language, script } = new Intl.Locale(one).maximize();
    return language === wanted?.language && script === wanted.script;
  });
}

/** Returns the locale of a language tag, or undefined for any other text. Authors can enter any text as a language. */
export function localeOf(tag: string): Intl.Locale | undefined {
  try {
    return new Intl.Locale(tag);
  } catch {
    return undefined;
  }
}

/** Returns the name of each language in the language itself. */
export function languageNames(languages: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    languages.map((language) => {
      const name = new Intl.DisplayNames([language], { type: "language" }).of(language) ?? language;
      return [language, name.charAt(0).toLocaleUpperCase(language) + name.slice(1)];
    }),
  );
}
