import { area, say } from "./language.ts";

/** The words of what one does on the canvas: palette, menus, bars, keys. */
export const canvasActWords = area("canvasAct", {
  palette: {
    title: "Blocks",
    search: "Search blocks",
    none: "No blocks found.",
    beside: "Beside the flow",
    note: "Note",
    frame: "Frame",
    open: "Add",
    close: "Close the palette",
    hint: "Drag a block onto the canvas, or press it.",
    placed: (name: string) => say("{name}: drag it onto the canvas, or press it", { name }),
  },
  ghost: { title: "What does your bot say first?", text: "Say hello", other: "Another block…" },
  chosenLabel: "Selection",
  note: {
    name: "Note",
    empty: "Write a note…",
    read: (text: string) => say({ by: "text", "=": "Empty note", other: "Note: {text}" }, { text }),
  },
  frame: {
    name: "Frame",
    untitled: "Frame",
    read: (title: string) => say({ by: "title", "=": "Frame without a title", other: "Frame: {title}" }, { title }),
    holds: (count: number) => say({ one: "around 1 card", other: "around {count} cards" }, { count }),
    rename: "Title of the frame",
  },
  follow: { on: "Where to?", back: "Back to where?", none: "No line leads there." },
  chosen: { after: (count: number) => say({ one: "1 card selected", other: "{count} cards selected" }, { count }) },
});
