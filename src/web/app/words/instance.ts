import english from "./en/instance.json";
import { area, type WordsOf } from "./language.ts";

/** The words of the screens for administrators of the instance. */
export const instanceWords = area("instance", english);

export type InstanceWords = WordsOf<typeof instanceWords>;
