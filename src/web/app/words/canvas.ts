import { area, say } from "./language.ts";

/** The words of the canvas itself: the texts on cards, and those of its tools. */
export const canvasWords = area("canvas", {
  card: {
    otherwise: "Otherwise",
    failure: "On failure",
    untitled: "Untitled group",
    unknownType: "Not known here",
    empty: "No blocks yet",
  },
  name: (bot: string, groups: number) =>
    say({ by: "groups", one: "Flow of {bot}, 1 group", other: "Flow of {bot}, {groups} groups" }, { bot, groups }),
  role: "canvas",
  group: (title: string) => say("Group {title}", { title }),
  event: (title: string) => say("Event {title}", { title }),
  leads: (titles: string) => say("leads to {titles}", { titles }),
  leadsNowhere: "leads nowhere",
  missing: "something that is gone",
  locked: "locked",
  play: "Preview from here",
  tools: "View",
  zoomIn: "Zoom in",
  zoomOut: "Zoom out",
  zoomTo: (percent: number) => say("Zoom: {percent} %. Show at 100 %", { percent }),
  fullSize: "Show at 100 %",
  fit: "Show all",
  fitSelection: "Show the selection",
  wheel: "The wheel",
  wheels: { auto: "By what it seems to be", zoom: "Zooms", pan: "Moves" },
  loading: "Opening the flow",
  switchTo: { canvas: "Show as canvas", outline: "Show as outline" },
});
