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
/** The words of the shell, its components and its screens of sign-in, bots, workspace and account. */
export type Words = WordsOf<"shell">;

export type Language = keyof typeof translations;

/** All languages of the builder, in the order in which they are offered. */
export const languages: readonly Language[] = Object.keys(translations).filter(isLanguage);

/** Whether the builder supports a stored language. */
export function isLanguage(value: unknown): value is Language {
  return typeof value === "string" && Object.hasOwn(translations, value);
}

/** The name of a language, in the language itself. */
export function languageName(language: Language): string {
  return translations[language].name;
}

/** The current language of the builder. */
export const language: ReadonlySignal<Language> = computed(() => (isLanguage(tag.value) ? tag.value : "en"));

/** The first of these tags that the builder supports; English if there is none. */
export function languageFor(tags: readonly string[]): Language {
  const spoken = tags.map((wanted) => languages.find((each) => primary(each) === primary(wanted)));
  return spoken.find((each) => each !== undefined) ?? "en";
}

function primary(tag: string): string | undefined {
  return tag.toLowerCase().split("-")[0];
}

/** The shell's words in the current language. */
export const words: ReadonlySignal<Words> = computed(() => currentWords(shellWords));

/**
 * The words of a component: the shell's, or those of a part, given its English file. The component is drawn again when
 * the language changes.
 */
export function useWords(): Words;
export function useWords<Part extends keyof Parts>(english: Readonly<Record<Part, object>>): WordsOf<Part>;
export function useWords<Part extends keyof Parts>(english?: Readonly<Record<Part, object>>): Words | WordsOf<Part> {
  return english ? currentWords(english) : words.value;
}

/** Loads the words of a language and uses it from then on. */
export async function setLanguage(next: Language): Promise<void> {
  speak(next, await loadTranslation(next));
  document.documentElement.lang = next;
}

/** The words of a language; missing words are in English. */
export async function loadTranslation(language: Language): Promise<Translation> {
  return translations[language].load();
}
