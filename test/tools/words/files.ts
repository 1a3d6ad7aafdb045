import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const folder = join(import.meta.dir, "../../../src/web/app/words");

/** Where the types of all words are written to. */
export const keysFile = join(folder, "keys.d.ts");

/** Words as their files have them: texts, forms of texts, and parts with words. */
export type Words = { readonly [key: string]: string | Words };

/** The English words, area by area, each from a file of its own: a screen loads what it shows. */
export function readEnglish(): Readonly<Record<string, Words>> {
  const names = readdirSync(join(folder, "en")).toSorted();
  return Object.fromEntries(names.map((name) => [areaOf(name), readWords(join(folder, "en", name))]));
}

/** `canvas-menu.json` has the area `canvasMenu`. */
function areaOf(file: string): string {
  return file.replace(/\.json$/, "").replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** The tags of the other languages. */
export function listLanguages(): readonly string[] {
  return readdirSync(join(folder, "languages"))
    .filter((name) => name.endsWith(".json"))
    .map((name) => name.replace(/\.json$/, ""))
    .toSorted();
}

export function languageFile(tag: string): string {
  return join(folder, "languages", `${tag}.json`);
}

/** The words of another language, without the sentences of the catalogue. */
export function readLanguage(tag: string): Readonly<Record<string, Words>> {
  const { catalogue: _, ...areas } = JSON.parse(readFileSync(languageFile(tag), "utf8"));
  return areas;
}

function readWords(path: string): Words {
  return JSON.parse(readFileSync(path, "utf8"));
}
