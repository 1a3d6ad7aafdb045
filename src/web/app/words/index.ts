import { type ReadonlySignal, signal } from "@preact/signals";
import { type Area, type Language, language, speak } from "./language.ts";
import { english, type Words } from "./words.ts";

export {
  area,
  dayText,
  isLanguage,
  type Language,
  language,
  languageFor,
  languageNames,
  languages,
  numberText,
  plural,
  sizeText,
  timeText,
  whenText,
} from "./language.ts";
export type { Words } from "./words.ts";

const known = signal<Words>(english);

/** The shell's words in the language of now. */
export const words: ReadonlySignal<Words> = known;

/** The words that a component shows: the shell's, or those of a part that it names (`area`). It is drawn again when the language changes. */
export function useWords(): Words;
export function useWords<Part>(part: Area<Part>): Part;
export function useWords<Part>(part?: Area<Part>): Words | Part {
  return part ? part[language.value] : known.value;
}

/** Loads the words of a language and speaks it from then on. */
export async function setLanguage(next: Language): Promise<void> {
  known.value = await load(next);
  speak(next);
}

async function load(next: Language): Promise<Words> {
  switch (next) {
    case "en":
      return english;
    case "de":
      return (await import("./languages/de.ts")).german;
    case "pt-BR":
      return (await import("./languages/pt-BR.ts")).portuguese;
  }
}
