import type { Words } from "./words.ts";

/** Returns why a model's answer is incomplete, in the page's language, or undefined if it is complete. */
export function unfinishedText(why: unknown, words: Words): string | undefined {
  switch (why) {
    case undefined:
      return undefined;
    case "length":
      return words.answerTooLong;
    case "filtered":
      return words.answerFiltered;
    case "stopped":
      return words.answerStopped;
    default:
      return words.answerCut;
  }
}
