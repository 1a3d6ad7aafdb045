import { area, say, type WordsOf } from "./language.ts";

/** The words of the panels beside the flow; what these are called is in `flow-panel-names`. */
export const panelWords = area("panel", {
  panel: {
    block: "Block",
    options: "Options",
    help: "Help",
    json: "JSON",
    previous: "Previous block",
    following: "Next block",
    leads: "Leads to",
    nothingSelected: "Choose a block to see its options.",
    several: (count: number) => say("{count} blocks", { count }),
    severalHelp: "What you set here is set in all of them.",
    locked: "Locked against accidental change.",
    nothingShared: "These blocks have no option in common.",
    asJson: "The block as JSON",
    apply: "Apply",
    badJson: (why: string) => say("This is no JSON: {why}", { why }),
    notObject: "A block is an object with a type.",
    groupTitle: "Title of the group",
    eventCommand: "Command that it listens for",
    resumeAfter: "Go back to where the chat was",
    contentVariable: "Variable for the reply",
    inputNameVariable: "Variable for the title of the input's group",
    inputTypeVariable: "Variable for the type of the input",
    noVariable: "None",
    gone: "What you edited was removed by somebody else.",
  },
  findings: {
    none: "Nothing to report: this flow can be published.",
    go: "Go there",
    fix: "Fix",
    fixAll: (count: number) => say("Fix all of this kind ({count})", { count }),
    fixed: (count: number) => say({ one: "1 finding mended", other: "{count} findings mended" }, { count }),
    nothingToFix: "Nothing is left to mend here.",
    severities: { error: "Errors", warning: "Warnings", info: "Hints" },
    reading: "Reading the flow…",
    more: (count: number) => say("and {count} more", { count }),
  },
  history: {
    none: "Nobody has changed this draft yet.",
    by: (name: string) => say("{name}", { name }),
    changes: (count: number) => say({ one: "1 change", other: "{count} changes" }, { count }),
    look: "Look",
    restore: "Restore",
    restoreTitle: "Make the draft what it was then?",
    restoreBody: "It is one more change, so that it can be taken back.",
    restored: "Restored",
    unknown: "Somebody",
    sizes: (groups: number, blocks: number) =>
      say(
        {
          by: "groups",
          one: { by: "blocks", one: "1 group, 1 block", other: "1 group, {blocks} blocks" },
          other: { by: "blocks", one: "{groups} groups, 1 block", other: "{groups} groups, {blocks} blocks" },
        },
        { groups, blocks },
      ),
  },
});

export type PanelWords = WordsOf<typeof panelWords>;
