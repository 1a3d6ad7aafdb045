import { canvasCommands } from "./flow-canvas-commands.ts";
import { area, say, type WordsOf } from "./language.ts";

type Counts = {
  readonly groups: number;
  readonly blocks: number;
  readonly events: number;
  readonly items: number;
  readonly notes: number;
  readonly frames: number;
};

/** The parts of a flow as a removal counts them. */
export const removedWords = area("removed", {
  groups: (count: number) => say({ one: "a group", other: "{count} groups" }, { count }),
  blocks: (count: number) => say({ one: "a block", other: "{count} blocks" }, { count }),
  events: (count: number) => say({ one: "an event", other: "{count} events" }, { count }),
  items: (count: number) => say({ one: "an item", other: "{count} items" }, { count }),
  notes: (count: number) => say({ one: "a note", other: "{count} notes" }, { count }),
  frames: (count: number) => say({ one: "a frame", other: "{count} frames" }, { count }),
});

/** "a group, 3 blocks". */
function listed(counts: Counts): string {
  const words = removedWords.value;
  const parts = (["groups", "blocks", "events", "items", "notes", "frames"] as const).filter(
    (part) => counts[part] > 0,
  );
  return parts.map((part) => words[part](counts[part])).join(", ");
}

/** The words of commands: what they do, and why not. */
export const commandWords = area("command", {
  acts: {
    ...canvasCommands.acts,
    addGroup: "Add a group",
    renameGroup: (title: string) => say("Rename a group to “{title}”", { title }),
    remove: (counts: Counts) => say("Remove {parts}", { parts: listed(counts) }),
    moveGroups: (count: number) => say({ one: "Move a group", other: "Move {count} groups" }, { count }),
    connect: (title: string) => say({ by: "title", "=": "Connect", other: "Connect to “{title}”" }, { title }),
    disconnect: "Remove a connection",
    addBlock: (name: string) => say("Add “{name}”", { name }),
    setOption: (field: string | undefined) =>
      say({ by: "field", "=": "Change an option", other: "Change “{field}”" }, { field }),
    setOptionOf: (field: string | undefined, blocks: number) =>
      say(
        { by: "field", "=": "Change an option of {blocks} blocks", other: "Change “{field}” of {blocks} blocks" },
        { field, blocks },
      ),
    moveBlocks: (count: number) => say({ one: "Move a block", other: "Move {count} blocks" }, { count }),
    duplicate: (count: number) => say({ one: "Duplicate", other: "Duplicate {count} parts" }, { count }),
    removeWayOut: (line: string) => say("Remove “{line}”", { line }),
    addItem: "Add an item",
    moveItem: "Move an item",
    changeType: (name: string) => say("Turn into “{name}”", { name }),
    paste: (count: number) => say({ one: "Paste a part", other: "Paste {count} parts" }, { count }),
    addVariable: (name: string) => say("Add the variable “{name}”", { name }),
    renameVariable: (name: string) => say("Rename a variable to “{name}”", { name }),
    mergeVariable: (name: string) => say("Merge a variable into “{name}”", { name }),
    removeVariable: (name: string) => say("Remove the variable “{name}”", { name }),
    setVariable: (name: string) => say("Change the variable “{name}”", { name }),
    addEvent: (name: string) => say("Add the event “{name}”", { name }),
    restore: "Restore an earlier draft",
    replaceTheme: (from: string) => say("Apply the theme of “{from}”", { from }),
    replaceTexts: (text: string, by: string) => say("Replace “{text}” with “{by}”", { text, by }),
    mendFindings: (count: number) => say({ one: "Fix a finding", other: "Fix {count} findings" }, { count }),
  },
  colors: canvasCommands.colors,
  refusals: {
    ...canvasCommands.refusals,
    gone: "It no longer exists.",
    start: "The start cannot be removed: it is where every chat begins.",
    first: "It is already first.",
    last: "It is already last.",
    noName: "A variable needs a name, without curly brackets.",
    nameTaken: "There is already a variable with this name.",
    tooManyGroups: "A flow can have at most 2,000 groups.",
    tooManyBlocks: "A flow can have at most 10,000 blocks.",
    tooLong: "This text is too long: 100,000 characters at most.",
    olderFlow: "Flows of this older version don’t support events.",
    readOnly: "You can view this bot but not edit it.",
    nothing: "There is nothing to apply this to.",
    cannotBeMade: "This change is not possible in the current flow.",
  },
  events: { start: "Start", command: "Command", reply: "Reply", invalidReply: "Invalid reply" },
  announce: {
    saved: "Saved",
    offline: "You are offline. Your work is kept in this browser.",
    back: "You are back online.",
    conflict: "Someone else changed the same. Choose which version to keep.",
    ended: {
      equal: "Both versions are now the same. There is nothing left to decide.",
      mine: "Your version was kept.",
      newer: "Decide on your later change.",
      removed: "The item with the conflict was removed.",
      restored: "An earlier state was restored. There is nothing left to decide.",
      undone: "Your change was undone.",
    },
    joined: (name: string) => say("{name} is here", { name }),
    others: (name: string) => say("{name} changed the flow", { name }),
    copied: (count: number) => say({ one: "1 part copied", other: "{count} parts copied" }, { count }),
    findings: (count: number) => say({ one: "1 finding", other: "{count} findings" }, { count }),
  },
});

export type CommandWords = WordsOf<typeof commandWords>;
