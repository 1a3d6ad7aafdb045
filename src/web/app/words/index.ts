import { computed, type ReadonlySignal } from "@preact/signals";
import shellWords from "./en/shell.json";
import type { Parts } from "./keys.d.ts";
import { currentWords, speak, language as tag, type WordsOf } from "./language.ts";
import { type Translation, translations } from "./languages/index.ts";

export {
  currentWords,
  exactTimeText,
  moneyText,
  numberText,
  sizeText,
  timeText,
  type WordsOf,
  whenText,
} from "./language.ts";
/** The texts of the shell and its components, and of the screens for sign-in, bots, workspace and account. */
export type Words = WordsOf<"shell">;

export type Language = keyof typeof translations;

/** The languages of the builder, in display order. */
export const languages: readonly Language[] = Object.keys(translations).filter(isLanguage);

/** Whether a value is the tag of a language that the builder supports. */
export function isLanguage(value: unknown): value is Language {
  return typeof value === "string" && Object.hasOwn(translations, value);
}

/** Returns the name of a language, in the language itself. */
export function languageName(language: Language): string {
  return translations[language].name;
}

/** The current language of the builder. */
export const language: ReadonlySignal<Language> = computed(() => (isLanguage(tag.value) ? tag.value : "en"));

/** Returns the first supported language among the tags, or English if there is none. */
export function languageFor(tags: readonly string[]): Language {
  const spoken = tags.map((wanted) => languages.find((each) => primary(each) === primary(wanted)));
  return spoken.find((each) => each !== undefined) ?? "en";
}

function primary(tag: string): string | undefined {
  return tag.toLowerCase().split("-")[0];
}

/** The texts of the shell in the current language. */
export const words: ReadonlySignal<Words> = computed(() => currentWords(shellWords));

/**
 * Returns the texts of the part whose English file is given, or the texts of the shell if no file is given. The calling
 * component is rendered again when the language changes.
 */
export function useWords(): Words;
export function useWords<Part extends keyof Parts>(english: Readonly<Record<Part, object>>): WordsOf<Part>;
export function useWords<Part extends keyof Parts>(english?: Readonly<Record<Part, object>>): Words | WordsOf<Part> {
  return english ? currentWords(english) : words.value;
}

/** Loads the texts of a language and makes the language current. */
export async function setLanguage(next: Language): Promise<void> {
  speak(next, await loadTranslation(next));
  document.documentElement.lang = next;
}

/** Loads the texts of a language. Missing texts are shown in English. */
export async function loadTranslation(language: Language): Promise<Translation> {
  return translations[language].load();
}
