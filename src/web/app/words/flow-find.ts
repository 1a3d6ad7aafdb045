import english from "./en/find.json";
import { area } from "./language.ts";

/** The words of finding and replacing in a flow. */
export const findWords = area("find", english);
