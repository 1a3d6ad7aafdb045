import { parseLanguage } from "../../../conversation/language.ts";

/**
 * How the visitor is used to type dates: as in the page's language, in the visitor's own country where the browser
 * tells it. On an English page that is the day first in London, the month first in New York.
 */
export function typingLocale(language: string): string {
  if (typeof document === "undefined") return language;
  const [wanted] = language.split("-");
  const own = navigator.languages.map((tag) => parseLanguage(tag)?.lang);
  return own.find((tag) => tag?.split("-")[0] === wanted) ?? language;
}
