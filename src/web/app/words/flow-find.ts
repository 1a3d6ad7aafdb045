import { area, say } from "./language.ts";

/** The words of finding and replacing in a flow. */
export const findWords = area("find", {
  label: "Find in this flow",
  replaceBy: "Replace with",
  isCaseSensitive: "Match case",
  isWholeWord: "Whole words",
  showReplace: "Replace…",
  hits: (count: number) => say({ one: "1 match", other: "{count} matches" }, { count }),
  nth: (index: number, count: number) => say("{index} of {count}", { index, count }),
  none: "No matches",
  names: (count: number) =>
    say(
      {
        one: "One match is the name of a variable. Rename it under Variables to change all its uses.",
        other: "{count} matches are names of variables. Rename them under Variables to change all their uses.",
      },
      { count },
    ),
  next: "Next match",
  previous: "Previous match",
  close: "Close the search",
  replace: "Replace",
  replaceAll: (count: number) => say("Replace all ({count})", { count }),
  locked: (count: number, titles: string) =>
    say(
      {
        one: "1 match stays as it is, locked in {titles}.",
        other: "{count} matches stay as they are, locked in {titles}.",
      },
      { count, titles },
    ),
  replaced: (count: number) => say({ one: "1 match replaced", other: "{count} matches replaced" }, { count }),
  list: "Matches",
  more: (count: number) => say("and {count} more", { count }),
  variableName: "name of a variable",
  fields: {
    title: "Title",
    text: "Text",
    code: "Code",
    note: "Note",
    frame: "Frame",
    event: "Event",
    theme: "Theme",
    settings: "Settings",
  },
});
