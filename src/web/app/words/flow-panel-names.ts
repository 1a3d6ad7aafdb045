import { area } from "./language.ts";

/** What the panels beside the flow are called: known before any of them is loaded. */
export const panelNameWords = area("panelName", {
  block: "Block",
  variables: "Variables",
  findings: "Findings",
  history: "History",
  unsaved: "Not saved",
  preview: "Preview",
});
