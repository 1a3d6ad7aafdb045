import english from "./en/panel.json";
import { area } from "./language.ts";

/** The words of the panels beside the flow; what these are called is in `flow-panel-names`. */
export const panelWords = area("panel", english);
