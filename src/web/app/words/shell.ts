import english from "./en/shell.json";
import { area, type WordsOf } from "./language.ts";

/**
 * The words of the builder's shell, its components and its screens of sign-in, bots, workspace and account, in English.
 * Other languages: `languages/`.
 */
export const shellWords = area("shell", english);

export type Words = WordsOf<typeof shellWords>;
