import { area, say } from "./language.ts";

/** The words of the canvas itself: the texts on cards, and those of its tools. */
export const canvasWords = area("canvas", {
  card: {
    otherwise: "Otherwise",
    ways: {
      failure: "On failure",
      /** `time`: a length of time in words, or the name of a variable in braces. */
      after: (time: string) => say("After {time}", { time }),
      noTime: "After a time that is not set",
    },
    untitled: "Untitled group",
    unknownType: "Unknown type",
    empty: "No blocks yet",
  },
  name: (bot: string, groups: number) =>
    say({ by: "groups", one: "Flow of {bot}, 1 group", other: "Flow of {bot}, {groups} groups" }, { bot, groups }),
  role: "canvas",
  group: (title: string) => say("Group {title}", { title }),
  event: (title: string) => say("Event {title}", { title }),
  leads: (titles: string) => say("leads to {titles}", { titles }),
  leadsNowhere: "leads nowhere",
  missing: "a deleted item",
  locked: "locked",
  play: "Preview from here",
  tools: "View",
  zoomIn: "Zoom in",
  zoomOut: "Zoom out",
  zoomTo: (percent: number) => say("Zoom: {percent} %. Show at 100 %", { percent }),
  fullSize: "Show at 100 %",
  fit: "Show all",
  fitSelection: "Show the selection",
  wheel: "Mouse wheel",
  wheels: { auto: "Automatic", zoom: "Zoom", pan: "Pan" },
  loading: "Opening the flow",
  switchTo: { canvas: "Show as canvas", outline: "Show as outline" },
});
