import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { defaultSystemMessages } from "../../../src/core/interpreter/schemas/defaults.ts";

/** Words in the form of their files: texts, forms of texts, and parts with words. */
export type Words = { readonly [key: string]: string | Words };

/** Texts in English, with their translations: those of the builder, or those of the chat page. */
export type Vocabulary = {
  readonly name: string;
  /** A folder with a file of words for each part. */
  readonly english: string;
  /** A folder with a file for each other language. */
  readonly languages: string;
  readEnglish(): Words;
};

const web = join(import.meta.dir, "../../../src/web");

export const builder: Vocabulary = {
  name: "builder",
  english: join(web, "app/words/en"),
  languages: join(web, "app/words/languages"),
  // A file for each part: a screen only loads its parts.
  readEnglish() {
    return Object.assign({}, ...jsonIn(this.english).map((name) => readWords(join(this.english, name))));
  },
};

export const page: Vocabulary = {
  name: "page",
  english: join(web, "conversation/en"),
  languages: join(web, "conversation/languages"),
  // All parts in one file: texts that are loaded later have the same place in other languages. An author may replace
  // the messages.
  readEnglish() {
    const parts = jsonIn(this.english).map((name) => readWords(join(this.english, name)));
    return Object.assign({}, defaultSystemMessages, ...parts);
  },
};

function jsonIn(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .toSorted();
}

/** The part `canvasMenu` of the builder is in `canvas-menu.json`. */
export function fileOf(part: string): string {
  return `${part.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.json`;
}

/** The tags of the other languages. */
export function listLanguages({ languages }: Vocabulary): readonly string[] {
  return jsonIn(languages).map((name) => name.replace(/\.json$/, ""));
}

export function languageFile({ languages }: Vocabulary, tag: string): string {
  return join(languages, `${tag}.json`);
}

/** The words of another language, without the builder's sentences of the catalogue. */
export function readLanguage(vocabulary: Vocabulary, tag: string): Words {
  const { catalogue: _, ...words } = readWords(languageFile(vocabulary, tag));
  return words;
}

function readWords(path: string): Words {
  return JSON.parse(readFileSync(path, "utf8"));
}
