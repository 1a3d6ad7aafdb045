import { type Language, languageFrom, languageOf, usualLanguage } from "../conversation/language.ts";
import { isSpoken, loadWords } from "../conversation/languages/index.ts";
import type { PageSettings } from "../conversation/settings.ts";
import { type Words, wordsOf } from "../conversation/words.ts";

/** How a page speaks. */
export type PageLanguage = Language & {
  readonly words: Words;
  /** What the page's script has to be told of the words: all that is not English. */
  readonly told: Partial<Words>;
  /** Says in a page's headers how it speaks, and whether another visitor's would speak otherwise. */
  mark(headers: Headers): void;
};

/** The bot's language, else the first one of the visitor's that the page has words in, else English. */
export async function languageFor(
  settings: Pick<PageSettings, "language" | "systemMessages">,
  { headers: asked }: Request,
): Promise<PageLanguage> {
  const own = languageOf(settings);
  const language = own ?? wantedLanguage(asked.get("accept-language") ?? "") ?? usualLanguage;
  const told = language.lang === usualLanguage.lang ? {} : await loadWords(language.lang);
  return {
    ...language,
    words: wordsOf(settings, told),
    told,
    mark(headers) {
      headers.set("Content-Language", language.lang);
      if (own === undefined) headers.append("Vary", "Accept-Language");
    },
  };
}

/** The visitor's first choice among the languages that the page has words in. */
function wantedLanguage(accepted: string): Language | undefined {
  return accepted
    .split(",", mostChoices)
    .map((choice) => {
      const [tag = "", ...parameters] = choice.split(";").map((part) => part.trim());
      const weight = parameters.find((parameter) => /^q\s*=/i.test(parameter))?.replace(/^q\s*=\s*/i, "");
      return { language: languageFrom(tag), weight: weight === undefined ? 1 : Number(weight) };
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ language }) => language)
    .find((language) => language !== undefined && isSpoken(language.lang));
}

/** Browsers send a handful. */
const mostChoices = 30;
