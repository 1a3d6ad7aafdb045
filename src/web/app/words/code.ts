import english from "./en/code.json";
import { area } from "./language.ts";

/** The words of the editor for code. */
export const codeWords = area("code", english);
