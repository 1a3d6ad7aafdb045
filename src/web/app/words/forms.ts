import english from "./en/form.json";
import { area } from "./language.ts";

/** The words of forms. The name of a field comes from its schema. */
export const formWords = area("form", english);
