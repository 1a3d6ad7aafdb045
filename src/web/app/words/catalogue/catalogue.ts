import type { Language } from "../language.ts";
import { english } from "./en.ts";

/**
 * What the service's catalogue of blocks and fields says, in another language: by the English sentence, so that a new block type needs nothing here.
 * What has no translation is shown in English, and named by a test where it is ours.
 */
export type Catalogue = {
  /** Names, titles, summaries, help, titles of examples, lines of blocks. */
  readonly texts: Readonly<Record<string, string>>;
  /** Words that a field takes: by the word, or by the field's key and the word, as `capture: user`. */
  readonly choices: Readonly<Record<string, string>>;
  /** Words that blocks are searched by. */
  readonly search: Readonly<Record<string, string>>;
};

/** The catalogue of a language; it comes with the first form that is shown in it. */
export async function loadCatalogue(language: Language): Promise<Catalogue> {
  switch (language) {
    case "en":
      return english;
    case "de":
      return (await import("./de/index.ts")).german;
    case "pt-BR":
      return (await import("./pt-BR/index.ts")).portuguese;
  }
}
