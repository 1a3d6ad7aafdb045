import { area, say, type WordsOf } from "./language.ts";

/** The words of a draft's history: how it was at a moment, and going back there; and of what publishing does. */
export const historyWords = area("history", {
  title: (when: string) => say("The draft, {when}", { when }),
  since: "Changes since then",
  flow: "The flow at that time",
  restore: "Restore this draft",
  restoreText: "You can undo this. Visitors notice nothing.",
  same: "The current draft is the same.",
  restored: "Draft restored.",
  undo: "Undo",
  undone: "Undone.",
  each: (count: number) => say("Show each of {count} changes", { count }),
  older: "Show older changes",
  lookAt: (title: string, when: string) => say("View: {title}, {when}", { title, when }),
  gone: "The history does not go back that far.",
  titles: {
    version: (number: string) => say("Restored version {number}", { number }),
    revision: "Restored an earlier draft",
    program: "Changed by a program",
    import: "Import",
  },
  alsoBy: (names: string) => say("With changes by {names}.", { names }),
  person: (name: string, count: number) =>
    say({ one: "{name} (1 change)", other: "{name} ({count} changes)" }, { name, count }),
  notSaved: "Not everything is saved yet. Publish when it is.",
  held: "Changes that are not saved are not included.",
});

type HistoryWords = WordsOf<typeof historyWords>;

/** The title of a set: those that the service gives are said in the language of the page. */
export function titleText(title: string, { titles }: HistoryWords): string {
  if (title === "Changed by a program") return titles.program;
  if (title === "Import") return titles.import;
  const [, what, number = ""] = /^Restored (version|revision) (\d+)$/.exec(title) ?? [];
  if (what === "version") return titles.version(number);
  return what === "revision" ? titles.revision : title;
}
