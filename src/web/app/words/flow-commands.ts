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
    connect: (title: string) => say({ by: "title", "=": "Connect", other: "Lead to “{title}”" }, { title }),
    disconnect: "Take a connection away",
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
    restore: "Bring an earlier draft back",
    replaceTheme: (from: string) => say("Take the theme of “{from}”", { from }),
    replaceTexts: (text: string, by: string) => say("Replace “{text}” with “{by}”", { text, by }),
    mendFindings: (count: number) => say({ one: "Mend a finding", other: "Mend {count} findings" }, { count }),
  },
  colors: canvasCommands.colors,
  refusals: {
    ...canvasCommands.refusals,
    gone: "It is not there any more.",
    start: "The start cannot be removed: it is where every chat begins.",
    first: "It is the first already.",
    last: "It is the last already.",
    noName: "A variable needs a name, without curly brackets.",
    nameTaken: "There is a variable of that name already.",
    tooManyGroups: "A flow has at most 2,000 groups.",
    tooManyBlocks: "A flow has at most 10,000 blocks.",
    tooLong: "This is too long for a text: 100,000 characters at most.",
    olderFlow: "Flows of this older version know no events.",
    readOnly: "You may read this bot, but not change it.",
    nothing: "There is nothing to do that with.",
    cannotBeMade: "That cannot be done to the flow as it is now.",
  },
  events: { start: "Start", command: "Command", reply: "Reply", invalidReply: "Invalid reply" },
  announce: {
    saved: "Saved",
    offline: "The service cannot be reached. Your work is kept in this browser.",
    back: "The service is there again.",
    conflict: "Somebody else changed the same. Choose what stays.",
    ended: {
      equal: "Both are the same by now. Nothing is to be decided.",
      mine: "What you write counts.",
      newer: "Your later change is to be decided.",
      removed: "What was to be decided is removed.",
      restored: "An earlier state was restored. Nothing is to be decided.",
      undone: "Your change is taken back.",
    },
    joined: (name: string) => say("{name} is here", { name }),
    others: (name: string) => say("{name} changed the flow", { name }),
    copied: (count: number) => say({ one: "1 part copied", other: "{count} parts copied" }, { count }),
    findings: (count: number) => say({ one: "1 finding", other: "{count} findings" }, { count }),
  },
});

export type CommandWords = WordsOf<typeof commandWords>;
