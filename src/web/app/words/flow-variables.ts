import { area, say } from "./language.ts";

/** The words of the panel of variables. */
export const variableWords = area("variable", {
  add: "New variable",
  addButton: "Add",
  filter: "Filter",
  all: "All",
  unusedOnly: (count: number) => say("Unused ({count})", { count }),
  none: "No variables yet. Variables keep visitors’ answers.",
  noneSuch: "No variables found.",
  name: "Name",
  details: (name: string) => say("Details of {name}", { name }),
  unused: "Unused",
  written: (count: number) => say("written {count}×", { count }),
  read: (count: number) => say("read {count}×", { count }),
  notInResults: "not in results",
  inResults: "Kept in results",
  notPrefillable: "not prefillable",
  prefillable: "May be prefilled",
  prefillableHelp:
    "The page’s address and the program that starts the chat may set it. Switch it off for prices and the like.",
  start: "Start value",
  startList: "The start value is a list, which stays as it is.",
  last: "In the last preview",
  empty: "empty",
  writtenIn: "Written in",
  readIn: "Read in",
  nowhere: "Nowhere",
  more: (count: number) => say("and {count} more", { count }),
  showMore: (count: number) => say("Show {count} more", { count }),
  merge: "Merge into…",
  mergeTitle: (name: string) => say("Merge “{name}” into another variable", { name }),
  mergeInto: "Into",
  mergeText: (name: string, into: string, count: number) =>
    say(
      {
        "=0": "“{name}” is removed. Nothing else changes.",
        one: "“{name}” is removed. One place will use “{into}” instead.",
        other: "“{name}” is removed. {count} places will use “{into}” instead.",
      },
      { name, into, count },
    ),
  mergeButton: "Merge",
  noOther: "No variables found.",
  remove: "Remove…",
  removeTitle: (name: string) => say("Remove “{name}”?", { name }),
  removeText: (count: number) =>
    say(
      {
        "=0": "Nothing uses it.",
        one: "One place uses it. Its fields are cleared; texts keep the name.",
        other: "{count} places use it. Their fields are cleared; texts keep the name.",
      },
      { count },
    ),
  removeButton: "Remove",
  renameTitle: (from: string, to: string) => say("Rename “{from}” to “{to}”?", { from, to }),
  renameText: (count: number) =>
    say({ one: "This place will be updated:", other: "These {count} places will be updated:" }, { count }),
  renameButton: "Rename",
  takenTitle: (name: string) => say("There is already a variable “{name}”", { name }),
  takenText: "Two variables with the same name are easily confused. Merge them?",
  twins: (count: number, name: string) => say("{count} variables are called “{name}”", { count, name }),
  twinsText: (count: number) =>
    say(
      {
        "=0": "Fields keep them apart, but a text that names them could not.",
        one: "Fields keep them apart, but one text names them and can’t.",
        other: "Fields keep them apart, but {count} texts name them and can’t.",
      },
      { count },
    ),
  makeOne: "Merge them",
});
