import english from "./en/result.json";
import { area, type WordsOf } from "./language.ts";

export const resultWords = area("result", english);

export type ResultWords = WordsOf<typeof resultWords>;
