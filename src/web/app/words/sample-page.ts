import english from "./en/sample-page.json";
import { area, type WordsOf } from "./language.ts";

/** The words of the page that previews a theme and settings: its surroundings, and its conversation. */
export const samplePageWords = area("samplePage", english);

export type SamplePageWords = WordsOf<typeof samplePageWords>;
