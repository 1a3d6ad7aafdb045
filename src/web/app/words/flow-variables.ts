import english from "./en/variable.json";
import { area } from "./language.ts";

/** The words of the panel of variables. */
export const variableWords = area("variable", english);
