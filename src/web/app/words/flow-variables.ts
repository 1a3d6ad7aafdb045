import { area, say } from "./language.ts";

/** The words of the panel of variables. */
export const variableWords = area("variable", {
  add: "New variable",
  addButton: "Add",
  filter: "Filter",
  all: "All",
  unusedOnly: (count: number) => say("Unused ({count})", { count }),
  none: "No variables yet. They keep what visitors answer.",
  noneSuch: "No variable is called so.",
  name: "Name",
  details: (name: string) => say("Details of {name}", { name }),
  unused: "Unused",
  written: (count: number) => say("written {count}×", { count }),
  read: (count: number) => say("read {count}×", { count }),
  notInResults: "not in results",
  inResults: "Kept in results",
  start: "Starts as",
  startList: "It starts as a list, which is kept.",
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
        "=0": "“{name}” goes. Nothing else changes.",
        one: "“{name}” goes. One place will name “{into}” from then on.",
        other: "“{name}” goes. {count} places will name “{into}” from then on.",
      },
      { name, into, count },
    ),
  mergeButton: "Merge",
  noOther: "No variable is called so.",
  remove: "Remove…",
  removeTitle: (name: string) => say("Remove “{name}”?", { name }),
  removeText: (count: number) =>
    say(
      {
        "=0": "Nothing uses it.",
        one: "One place uses it. Fields that name it are emptied; texts keep its name.",
        other: "{count} places use it. Fields that name it are emptied; texts keep its name.",
      },
      { count },
    ),
  removeButton: "Remove",
  renameTitle: (from: string, to: string) => say("Rename “{from}” to “{to}”?", { from, to }),
  renameText: (count: number) =>
    say({ one: "This place changes along:", other: "These {count} places change along:" }, { count }),
  renameButton: "Rename",
  takenTitle: (name: string) => say("There is a variable “{name}” already", { name }),
  takenText: "Two of one name are told apart by nobody. Make one of both?",
  twins: (count: number, name: string) => say("{count} variables are called “{name}”", { count, name }),
  twinsText: (count: number) =>
    say(
      {
        "=0": "Fields know which one they mean; a text that names them would not.",
        one: "Fields know which one they mean; a text names them and cannot.",
        other: "Fields know which one they mean; {count} texts name them and cannot.",
      },
      { count },
    ),
  makeOne: "Make one of them",
});
