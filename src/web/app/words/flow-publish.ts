import english from "./en/publish.json";
import { area } from "./language.ts";

/** The words of what is not saved, and of publishing. */
export const publishWords = area("publish", english);
