import english from "./en/erasures.json";
import { area } from "./language.ts";

/** The words of the screen that erases people. */
export const erasureWords = area("erasures", english);
