import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { defaultSystemMessages } from "../../../src/core/interpreter/schemas/defaults.ts";

/** Texts in the structure of their files: texts, plural forms of texts, and nested parts. */
export type Words = { readonly [key: string]: string | Words };

/** English texts and their translations, either of the builder or of the chat page. */
export type Vocabulary = {
  readonly name: string;
  /** A folder with one file of texts per part. */
  readonly english: string;
  /** A folder with one file per other language. */
  readonly languages: string;
  readEnglish(): Words;
};

const web = join(import.meta.dir, "../../../src/web");

export const builder: Vocabulary = {
  name: "builder",
  english: join(web, "app/words/en"),
  languages: join(web, "app/words/languages"),
  // Each part has a separate file, so that a screen loads only its parts.
  readEnglish() {
    return Object.assign({}, ...jsonIn(this.english).map((name) => readWords(join(this.english, name))));
  },
};

export const page: Vocabulary = {
  name: "page",
  english: join(web, "conversation/en"),
  languages: join(web, "conversation/languages"),
  // A translation has all texts of the page in one file: the parts, and the messages that an author may override.
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

/** Returns the file of a part. For example, the part `canvasMenu` of the builder is in `canvas-menu.json`. */
export function fileOf(part: string): string {
  return `${part.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.json`;
}

/** Returns the tags of the languages other than English. */
export function listLanguages({ languages }: Vocabulary): readonly string[] {
  return jsonIn(languages).map((name) => name.replace(/\.json$/, ""));
}

export function languageFile({ languages }: Vocabulary, tag: string): string {
  return join(languages, `${tag}.json`);
}

/** Returns the texts of another language, without the builder's sentences of the catalogue. */
export function readLanguage(vocabulary: Vocabulary, tag: string): Words {
  const { catalogue: _, ...words } = readWords(languageFile(vocabulary, tag));
  return words;
}

function readWords(path: string): Words {
  return JSON.parse(readFileSync(path, "utf8"));
}
