import { defaultLanguage, type Language, languageOf, parseLanguage } from "../conversation/language.ts";
import { isSupported, loadWords } from "../conversation/languages/index.ts";
import { rareEnglish } from "../conversation/rare-words.ts";
import type { PageSettings } from "../conversation/settings.ts";
import { addEnglish, type Words, wordsOf } from "../conversation/words.ts";

addEnglish(rareEnglish);

/** The language of a page and its words. */
export type PageLanguage = Language & {
  readonly words: Words;
  /** The words that are not English: the page's script has only the English ones. */
  readonly translated: Partial<Words>;
  /** Sets `Content-Language`, and `Vary` where the visitor's languages decided. */
  setHeaders(headers: Headers): void;
};

/** The bot's language, else the first one of the visitor's that the page has words in, else English. */
export async function languageFor(
  settings: Pick<PageSettings, "language" | "systemMessages">,
  { headers: asked }: Request,
): Promise<PageLanguage> {
  const own = languageOf(settings);
  const language = own ?? wantedLanguage(asked.get("accept-language") ?? "") ?? defaultLanguage;
  const translated = language.lang === defaultLanguage.lang ? {} : await loadWords(language.lang);
  return {
    ...language,
    words: wordsOf(settings, translated),
    translated,
    setHeaders(headers) {
      headers.set("Content-Language", language.lang);
      if (own === undefined) headers.append("Vary", "Accept-Language");
    },
  };
}

/** The visitor's first choice among the languages that the page has words in. */
function wantedLanguage(accepted: string): Language | undefined {
  return accepted
    .split(",", maxChoices)
    .map((choice) => {
      const [tag = "", ...parameters] = choice.split(";").map((part) => part.trim());
      const weight = parameters.find((parameter) => /^q\s*=/i.test(parameter))?.replace(/^q\s*=\s*/i, "");
      return { language: parseLanguage(tag), weight: weight === undefined ? 1 : Number(weight) };
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ language }) => language)
    .find((language) => language !== undefined && isSupported(language.lang));
}

/** Browsers send a handful. */
const maxChoices = 30;
