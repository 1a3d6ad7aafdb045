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
    nothingSelected: "Select a block to see its options.",
    several: (count: number) => say("{count} blocks", { count }),
    severalHelp: "Changes apply to all selected blocks.",
    locked: "Locked against accidental change.",
    nothingShared: "These blocks have no option in common.",
    asJson: "The block as JSON",
    apply: "Apply",
    badJson: (why: string) => say("This is not valid JSON: {why}", { why }),
    notObject: "A block is an object with a type.",
    groupTitle: "Title of the group",
    eventCommand: "Command to listen for",
    resumeAfter: "Go back to where the chat was",
    contentVariable: "Variable for the reply",
    inputNameVariable: "Variable for the title of the input's group",
    inputTypeVariable: "Variable for the type of the input",
    noVariable: "None",
    gone: "Someone else removed this.",
  },
  findings: {
    none: "No problems found. This flow can be published.",
    go: "Show",
    fix: "Fix",
    fixAll: (count: number) => say("Fix all of this kind ({count})", { count }),
    fixed: (count: number) => say({ one: "1 finding fixed", other: "{count} findings fixed" }, { count }),
    nothingToFix: "There is nothing left to fix.",
    severities: { error: "Errors", warning: "Warnings", info: "Hints" },
    reading: "Checking the flow…",
    more: (count: number) => say("and {count} more", { count }),
  },
  history: {
    none: "No changes yet.",
    by: (name: string) => say("{name}", { name }),
    changes: (count: number) => say({ one: "1 change", other: "{count} changes" }, { count }),
    look: "View",
    restore: "Restore",
    restoreTitle: "Make the draft what it was then?",
    restoreBody: "It is one more change, so that it can be taken back.",
    restored: "Restored",
    unknown: "Someone",
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
