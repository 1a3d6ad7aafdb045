import type { Words } from "./words.ts";

/** Why a model's answer ends before its end, in the page's words; undefined if it is whole. */
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
