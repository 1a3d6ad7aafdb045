import { area, say, type WordsOf } from "./language.ts";

/** The words of the palette: everything that can be done or gone to, by typing. */
export const paletteWords = area("palette", {
  title: "Commands and places",
  label: "Type a command or a place",
  close: "Close",
  none: (typed: string) =>
    say(
      {
        by: "typed",
        "=": "No commands here.",
        other: "No results for “{typed}”. Try fewer letters or another word.",
      },
      { typed },
    ),
  found: (count: number) => say({ one: "1 entry", other: "{count} entries" }, { count }),
  ofThisBot: "this bot",
  workspace: "Workspace",
  findIn: (typed: string) => say("Find “{typed}” in the texts of this flow", { typed }),
  searchBots: (typed: string) => say("Search bots for “{typed}”", { typed }),
  compareWithDraft: "Compare the draft with the live version",
  newFromTemplate: "New bot from a template",
  newBlank: "New blank bot",
  newFromFile: "Import a bot",
  sections: {
    chosen: "Selection",
    acts: "Commands",
    screens: "Screens",
    parts: "Sections",
    bots: "Bots",
    groups: "Groups",
    blocks: "Blocks",
    variables: "Variables",
    workspaces: "Workspaces",
  },
  botScreens: {
    flow: "Flow",
    preview: "Preview",
    theme: "Theme",
    settings: "Settings",
    share: "Share",
    results: "Results",
    analytics: "Analytics",
    versions: "Versions",
  },
});

export type PaletteWords = WordsOf<typeof paletteWords>;
