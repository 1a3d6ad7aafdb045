import { area, say } from "./language.ts";

/** The words of finding and replacing in a flow. */
export const findWords = area("find", {
  label: "Find in this flow",
  replaceBy: "Replace with",
  isCaseSensitive: "Match case",
  isWholeWord: "Whole words",
  showReplace: "Replace…",
  hits: (count: number) => say({ one: "1 place", other: "{count} places" }, { count }),
  nth: (index: number, count: number) => say("{index} of {count}", { index, count }),
  none: "Found nowhere",
  names: (count: number) =>
    say(
      {
        one: "One is the name of a variable: rename it under Variables, then all its places change along.",
        other: "{count} are names of variables: rename it under Variables, then all its places change along.",
      },
      { count },
    ),
  next: "Next place",
  previous: "Previous place",
  close: "Close the search",
  replace: "Replace",
  replaceAll: (count: number) => say("Replace all ({count})", { count }),
  locked: (count: number, titles: string) =>
    say(
      {
        one: "1 place stays as it is, locked in {titles}.",
        other: "{count} places stay as they are, locked in {titles}.",
      },
      { count, titles },
    ),
  replaced: (count: number) => say({ one: "1 place replaced", other: "{count} places replaced" }, { count }),
  list: "Places",
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
