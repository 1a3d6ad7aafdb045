import { parseLanguage } from "../../../conversation/language.ts";

/**
 * The visitor's usual format for typing dates: that of the page's language in the visitor's own country, if the browser
 * reports it. On an English page the day is first in London, and the month in New York.
 */
export function typingLocale(language: string): string {
  if (typeof document === "undefined") return language;
  const [wanted] = language.split("-");
  const own = navigator.languages.map((tag) => parseLanguage(tag)?.lang);
  return own.find((tag) => tag?.split("-")[0] === wanted) ?? language;
}
