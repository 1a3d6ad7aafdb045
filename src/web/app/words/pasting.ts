import english from "./en/pasting.json";
import { area } from "./language.ts";

/** The words of what is pasted from elsewhere. */
export const pastingWords = area("pasting", english);
