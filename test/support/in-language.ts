import { type Language, loadTranslation } from "../../src/web/app/words/index.ts";
import { speak } from "../../src/web/app/words/language.ts";

/** Runs `use` with the builder in this language, and then restores English for the other tests of the process. */
export async function inLanguage<Result>(language: Language, use: () => Result): Promise<Result> {
  speak(language, await loadTranslation(language));
  try {
    return use();
  } finally {
    speak("en", {});
  }
}
