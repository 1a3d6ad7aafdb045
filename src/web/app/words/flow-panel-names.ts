import english from "./en/panel-name.json";
import { area } from "./language.ts";

/** What the panels beside the flow are called: known before any of them is loaded. */
export const panelNameWords = area("panelName", english);
