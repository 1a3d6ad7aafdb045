import { parseLanguage } from "../../../conversation/language.ts";

/**
 * Returns the visitor's usual format for typing dates: the format of the page's language in the visitor's country, if
 * the browser reports the country. On an English page, the day comes first in London, and the month in New York.
 */
export function typingLocale(language: string): string {
  if (typeof document === "undefined") return language;
  const [wanted] = language.split("-");
  const own = navigator.languages.map((tag) => parseLanguage(tag)?.lang);
  return own.find((tag) => tag?.split("-")[0] === wanted) ?? language;
}
