import { area, language, say, type WordsOf } from "./language.ts";

type Nouns = Readonly<Partial<Record<"group" | "block" | "event" | "variable" | "theme" | "settings", number>>>;

/** "1 group, 3 blocks and the theme". */
function together(parts: readonly string[]): string {
  return new Intl.ListFormat(language.value, { type: "conjunction" }).format(parts);
}

/** A sentence of several acts; nothing where there is none. */
function sentence(parts: readonly string[]): string {
  const text = parts.filter((part) => part !== "").join("; ");
  return text === "" ? "" : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

type Counts = Readonly<Record<"added" | "changed" | "moved" | "removed", Nouns>>;

/** The parts of a flow as a sentence counts them, and the acts of that sentence. */
export const partWords = area("part", {
  group: (count: number) => say({ one: "1 group", other: "{count} groups" }, { count }),
  block: (count: number) => say({ one: "1 block", other: "{count} blocks" }, { count }),
  event: (count: number) => say({ one: "1 event", other: "{count} events" }, { count }),
  variable: (count: number) => say({ one: "1 variable", other: "{count} variables" }, { count }),
  theme: "the theme",
  settings: "the settings",
  added: (parts: string) => say("adds {parts}", { parts }),
  changed: (parts: string) => say("changes {parts}", { parts }),
  moved: (parts: string) => say("moves {parts}", { parts }),
  removed: (parts: string) => say("removes {parts}", { parts }),
});

/** The words of what sets two flows apart. */
export const differenceWords = area("difference", {
  is: { added: "added", removed: "removed", changed: "changed", moved: "moved", same: "" },
  summary: (counts: Counts) => {
    const parts = partWords.value;
    const nouns = ({ group = 0, block = 0, event = 0, variable = 0, theme, settings }: Nouns) =>
      together([
        ...(group ? [parts.group(group)] : []),
        ...(block ? [parts.block(block)] : []),
        ...(event ? [parts.event(event)] : []),
        ...(variable ? [parts.variable(variable)] : []),
        ...(theme ? [parts.theme] : []),
        ...(settings ? [parts.settings] : []),
      ]);
    const acts = (["added", "changed", "moved", "removed"] as const).map((act) => {
      const of = nouns(counts[act]);
      return of === "" ? "" : parts[act](of);
    });
    return sentence(acts);
  },
  nothing: "No changes for visitors.",
  same: "Both are the same.",
  list: "Differences",
  unnoticed: (count: number) =>
    say(
      { one: "Only visible in the editor: 1 change", other: "Only visible in the editor: {count} changes" },
      { count },
    ),
  groupOf: "Group",
  theme: "Theme",
  settings: "Settings",
  variable: "Variable",
  connection: "Connection",
  note: "Note",
  frame: "Frame",
  editor: "Editor",
  flow: "Flow",
  item: "Item",
  on: "On",
  off: "Off",
  none: "nothing",
  byDefault: "default",
  defaultOf: (text: string) => say("{text} (default)", { text }),
  yes: "yes",
  no: "no",
  area: { text: "Text", title: "Title", color: "Color", size: "Size", lock: "Locked", noColor: "none" },
  leadsTo: "Leads to",
  leadsOf: (name: string) => say("“{name}” leads to", { name }),
  onFailure: "On failure leads to",
  onTimeout: "After the time without an answer leads to",
  otherwise: "Leads to",
  nowhere: "nowhere",
  gone: "a deleted item",
  became: "then",
  movedFrom: (title: string) => say("was in “{title}”", { title }),
  movedWithin: "changed its position",
  movedOnCanvas: "moved on the canvas",
  leadsOn: (title: string) => say("from nowhere to “{title}”", { title }),
  looksOnly: "Formatting changed.",
  was: "was",
  wordsAdded: "added:",
  wordsRemoved: "removed:",
  go: (name: string) => say("Go to {name}", { name }),
  more: (count: number) => say({ one: "Show 1 more", other: "Show {count} more" }, { count }),
  moreBefore: (count: number) => say({ one: "Show 1 before", other: "Show {count} before" }, { count }),
  unsentId: "an unnamed item",
  thisBot: "This bot",
  legend: "Legend",
  counted: {
    added: (count: number) => say("{count} added", { count }),
    removed: (count: number) => say("{count} removed", { count }),
    changed: (count: number) => say("{count} changed", { count }),
    moved: (count: number) => say("{count} moved", { count }),
  },
  step: (at: number, count: number) => say("Change {at} of {count}", { at, count }),
  steps: (count: number) => say({ one: "1 change", other: "{count} changes" }, { count }),
  next: "Next change",
  previous: "Previous change",
  showOnCanvas: "Show on canvas",
});

export type DifferenceWords = WordsOf<typeof differenceWords>;
