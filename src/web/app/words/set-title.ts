import type { WordsOf } from "./language.ts";

/** The title of a set: those that the service gives are said in the language of the page. */
export function titleText(title: string, { titles }: WordsOf<"history">): string {
  if (title === "Changed by a program") return titles.program;
  if (title === "Import") return titles.import;
  const [, what, number = ""] = /^Restored (version|revision) (\d+)$/.exec(title) ?? [];
  if (what === "version") return titles.version({ number });
  return what === "revision" ? titles.revision : title;
}
