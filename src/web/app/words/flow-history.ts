import english from "./en/history.json";
import { area, type WordsOf } from "./language.ts";

/** The words of a draft's history: how it was at a moment, and going back there; and of what publishing does. */
export const historyWords = area("history", english);

type HistoryWords = WordsOf<typeof historyWords>;

/** The title of a set: those that the service gives are said in the language of the page. */
export function titleText(title: string, { titles }: HistoryWords): string {
  if (title === "Changed by a program") return titles.program;
  if (title === "Import") return titles.import;
  const [, what, number = ""] = /^Restored (version|revision) (\d+)$/.exec(title) ?? [];
  if (what === "version") return titles.version({ number });
  return what === "revision" ? titles.revision : title;
}
