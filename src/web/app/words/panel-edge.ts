import english from "./en/panel-edge.json";
import { area } from "./language.ts";

/** The words of the edge between a flow and the panel beside it. */
export const panelEdgeWords = area("panelEdge", english);
