import english from "./en/text.json";
import { area } from "./language.ts";

/** The words of the editor for rich text. */
export const textWords = area("text", english);
