import { languageOf } from "../conversation/language.ts";
import { chooseLanguage, loadWords } from "../conversation/languages/index.ts";
import type { PageSettings } from "../conversation/settings.ts";
import "../conversation/rare-words.ts";
import { wordsOf } from "../conversation/words.ts";

/** The language of a page and its words. */
export type PageLanguage = Awaited<ReturnType<typeof languageFor>>;

/** The bot's language, otherwise the first of the visitor's languages that the page has words in, otherwise English. */
export async function languageFor(
  settings: Pick<PageSettings, "language" | "systemMessages">,
  { headers: asked }: Request,
) {
  const language = chooseLanguage(settings, wantedTags(asked.get("accept-language") ?? ""));
  const translated = await loadWords(language.lang);
  return {
    ...language,
    words: wordsOf(settings, translated),
    /** The words that are not English: the page's script contains only English ones. */
    translated,
    /** Sets `Content-Language`, and `Vary` if the visitor's languages decided. */
    setHeaders(headers: Headers): void {
      headers.set("Content-Language", language.lang);
      if (languageOf(settings) === undefined) headers.append("Vary", "Accept-Language");
    },
  };
}

/** The languages that a visitor's browser accepts, in order of preference. */
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

/** Browsers send a handful. */
const maxChoices = 30;
