import { area, say, type WordsOf } from "./language.ts";

/** How many findings there are. */
export const findingWords = area("finding", {
  errors: (count: number) => say({ one: "1 error", other: "{count} errors" }, { count }),
  warnings: (count: number) => say({ one: "1 warning", other: "{count} warnings" }, { count }),
  infos: (count: number) => say({ one: "1 hint", other: "{count} hints" }, { count }),
});

/** The words of the outline, its menu and its pickers. */
export const outlineWords = area("outline", {
  outline: {
    name: (bot: string, groups: number) =>
      say({ by: "groups", one: "Flow of {bot}, 1 group", other: "Flow of {bot}, {groups} groups" }, { bot, groups }),
    columns: { what: "What", says: "Says", savesTo: "Saves to", leadsTo: "Leads to", findings: "Findings" },
    group: "Group",
    untitled: "Untitled group",
    items: (count: number) => say({ one: "1 item", other: "{count} items" }, { count }),
    blocks: (count: number) => say({ one: "1 block", other: "{count} blocks" }, { count }),
    chosenBlocks: (count: number) => say({ one: "1 block selected", other: "{count} blocks selected" }, { count }),
    savedTo: (name: string) => say("saved to {name}", { name }),
    leads: (title: string) => say("leads to {title}", { title }),
    leadsOn: "then on",
    nowhere: "nowhere",
    ends: "ends here",
    missing: "a deleted item",
    next: "next block",
    otherwise: "Otherwise",
    item: (position: number) => say("Item {position}", { position }),
    unreachable: "Nothing leads here",
    unknownType: "Unknown type",
    findings: ({ errors, warnings, infos }: { errors: number; warnings: number; infos: number }) => {
      const words = findingWords.value;
      const parts = [errors && words.errors(errors), warnings && words.warnings(warnings), infos && words.infos(infos)];
      return parts.filter(Boolean).join(", ");
    },
    addGroup: "Add group",
    addBlock: "Add block",
    addEvent: "Add event",
    actions: (name: string) => say("Actions for {name}", { name }),
    empty: "What does your bot say first?",
    emptyHelp: "Add a first block. Every edit is saved automatically.",
    isHere: (name: string) => say("{name} is here", { name }),
    walked: "Walked in the preview",
    waits: "The preview waits here",
  },
  menu: {
    open: "Open",
    rename: "Rename",
    addAfter: "Add a block after…",
    addItem: "Add an item",
    addWay: (line: string) => say("Add “{line}”", { line }),
    leadTo: "Leads to…",
    leadNowhere: "Remove the connection",
    up: "Move up",
    down: "Move down",
    moveTo: "Move to…",
    duplicate: "Duplicate",
    copy: "Copy",
    cut: "Cut",
    paste: "Paste",
    remove: "Remove",
    turnInto: "Turn into…",
    expand: "Expand all groups",
    collapse: "Collapse all groups",
  },
  picker: {
    block: "Which block?",
    blockSearch: "Search blocks",
    port: "Which line?",
    portSearch: "Search lines",
    lead: "Where does it lead?",
    leadSearch: "Search groups",
    newGroup: (title: string) => say({ by: "title", "=": "A new group", other: "A new group “{title}”" }, { title }),
    none: "No results.",
    moveTo: "Move to which group?",
    families: { bubble: "Says", input: "Asks", logic: "Decides", integration: "Connects", event: "Events" },
  },
});

export type OutlineWords = WordsOf<typeof outlineWords>;
