import { say } from "./language.ts";

/** The words of commands that arrange a flow and write beside it: what they do, and why not. */
export const canvasCommands = {
  acts: {
    moveThings: (count: number) => say({ one: "Move a card", other: "Move {count} cards" }, { count }),
    align: {
      left: "Align left edges",
      center: "Align centers",
      right: "Align right edges",
      top: "Align top edges",
      middle: "Align middles",
      bottom: "Align bottom edges",
    },
    distribute: { across: "Distribute across", down: "Distribute down" },
    tidy: "Tidy up",
    insertBlock: (name: string) => say("Insert “{name}” into a line", { name }),
    insertGroup: (title: string) => say("Insert “{title}” into a line", { title }),
    takeOut: (count: number) =>
      say({ one: "Move a block to a new group", other: "Move {count} blocks to a new group" }, { count }),
    reroute: "Reconnect a line",
    addNote: "Add a note",
    writeNote: "Write a note",
    resizeNote: "Resize a note",
    addFrame: "Add a frame",
    renameFrame: (title: string) => say("Rename a frame to “{title}”", { title }),
    resizeFrame: "Resize a frame",
    paint: (color: string) => say("Color {color}", { color }),
    unpaint: "Remove color",
    lock: (count: number) => say({ one: "Lock a group", other: "Lock {count} groups" }, { count }),
    unlock: (count: number) => say({ one: "Unlock a group", other: "Unlock {count} groups" }, { count }),
  },
  colors: {
    red: "red",
    orange: "orange",
    yellow: "yellow",
    green: "green",
    teal: "teal",
    blue: "blue",
    purple: "purple",
    pink: "pink",
  },
  refusals: {
    locked: "This group is locked. Unlock it to change it.",
    fewerThanTwo: "Select at least two cards.",
    fewerThanThree: "Select at least three cards.",
    notesFull: "Notes and frames of a flow can have at most 1 MB together.",
    leadsOn: "This is already connected. Remove that line first.",
  },
};
