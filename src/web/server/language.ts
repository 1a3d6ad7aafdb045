import { languageOf } from "../conversation/language.ts";
import { chooseLanguage, loadWords } from "../conversation/languages/index.ts";
import type { PageSettings } from "../conversation/settings.ts";
import "../conversation/rare-words.ts";
import { wordsOf } from "../conversation/words.ts";

/** The language of a page and its texts. */
export type PageLanguage = Awaited<ReturnType<typeof languageFor>>;

/**
 * Returns the bot's language, otherwise the first of the visitor's languages for which the page has texts, otherwise
 * English.
 */
export async function languageFor(
  settings: Pick<PageSettings, "language" | "systemMessages">,
  { headers: asked }: Request,
) {
  const language = chooseLanguage(settings, wantedTags(asked.get("accept-language") ?? ""));
  const translated = await loadWords(language.lang);
  return {
    ...language,
    words: wordsOf(settings, translated),
    /** The texts of the page's language; empty for `en`. The page's script contains only the English texts. */
    translated,
    /** Sets `Content-Language`, and `Vary` if the language depends on the visitor's browser. */
    setHeaders(headers: Headers): void {
      headers.set("Content-Language", language.lang);
      if (languageOf(settings) === undefined) headers.append("Vary", "Accept-Language");
    },
  };
}

/** Returns the languages that a visitor's browser accepts, in order of preference. */
function wantedTags(accepted: string): readonly string[] {
  return accepted
    .split(",", maxChoices)
    .map((choice) => {
      const [tag = "", ...parameters] = choice.split(";").map((part) => part.trim());
      const weight = parameters.find((parameter) => /^q\s*=/i.test(parameter))?.replace(/^q\s*=\s*/i, "");
      return { tag, weight: weight === undefined ? 1 : Number(weight) };
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag);
}

/** The number of languages that are considered. Browsers send only a few. */
const maxChoices = 30;
