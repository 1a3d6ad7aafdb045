import { area } from "./language.ts";

/** The words of the hint above a flow whose cards have no places of their own. */
export const heapWords = area("heap", {
  text: "Some cards overlap or are far away. Tidy the flow to see them all.",
  tidy: "Tidy",
  close: "Leave as is",
});
