import { defaultLanguage, type Language, languageOf, parseLanguage } from "../conversation/language.ts";
import { isSupported, loadWords } from "../conversation/languages/index.ts";
import type { PageSettings } from "../conversation/settings.ts";
import type { Words } from "../conversation/words.ts";

/** The bot's language, else that of the page around the chat where we have words in it, else English. */
export function languageIn(settings: PageSettings, place: HTMLElement): Language {
  const own = languageOf(settings);
  if (own) return own;
  const root = place.getRootNode();
  const host = root instanceof ShadowRoot ? root.host : place;
  const pageLanguage = parseLanguage(host.closest<HTMLElement>("[lang]")?.lang ?? "");
  return pageLanguage && isSupported(pageLanguage.lang) ? pageLanguage : defaultLanguage;
}

/** The words of a language; English where they cannot be loaded. */
export async function wordsIn({ lang }: Language): Promise<Partial<Words>> {
  return lang === defaultLanguage.lang ? {} : loadWords(lang).catch(() => ({ language: lang }));
}
