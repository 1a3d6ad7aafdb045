import { defaultLanguage, type Language, languageOf, parseLanguage } from "../language.ts";
import type { PageSettings } from "../settings.ts";
import type { Words } from "../words.ts";

/**
 * The page's texts by language. Each language has its own file, which is loaded on demand; English is always available.
 */
const languages = new Map<string, () => Promise<Partial<Words>>>([
  ["ar", async () => (await import("./ar.json")).default],
  ["de", async () => (await import("./de.json")).default],
  ["es", async () => (await import("./es.json")).default],
  ["fr", async () => (await import("./fr.json")).default],
  ["he", async () => (await import("./he.json")).default],
  ["hi", async () => (await import("./hi.json")).default],
  ["it", async () => (await import("./it.json")).default],
  ["ja", async () => (await import("./ja.json")).default],
  ["nl", async () => (await import("./nl.json")).default],
  ["pl", async () => (await import("./pl.json")).default],
  ["pt", async () => (await import("./pt.json")).default],
  ["tr", async () => (await import("./tr.json")).default],
  ["zh", async () => (await import("./zh.json")).default],
]);

/** The languages for which the page has texts. */
export const supportedLanguages: readonly string[] = ["en", ...languages.keys()];

/** Returns the bot's language, otherwise the first of these tags for which the page has texts, otherwise English. */
export function chooseLanguage(settings: Pick<PageSettings, "language">, tags: readonly string[]): Language {
  const wanted = tags.flatMap((tag) => parseLanguage(tag) ?? []);
  const isSupported = ({ lang }: Language) => supportedLanguages.some((language) => isSame(lang, language));
  return languageOf(settings) ?? wanted.find(isSupported) ?? defaultLanguage;
}

/**
 * Loads the texts that replace English in a page of this language, for `wordsOf`. Except for `en`, the result includes
 * the language tag, which determines the format of numbers and dates. Languages without texts have only the tag.
 */
export async function loadWords(tag: string): Promise<Partial<Words>> {
  if (tag === defaultLanguage.lang) return {};
  const load = [...languages].find(([language]) => isSame(tag, language))?.[1];
  return { ...(load && (await load())), language: tag };
}

/** Whether a tag has this language and the language's usual script: `pt-BR` is `pt`, but `zh-TW` is not `zh`. */
function isSame(tag: string, language: string): boolean {
  const [one, other] = [tag, language].map((each) => new Intl.Locale(each).maximize());
  return one?.language === other?.language && one?.script === other?.script;
}
