import { area, say } from "./language.ts";

/** The words of the edge between a flow and the panel beside it. */
export const panelEdgeWords = area("panelEdge", {
  label: "Width of the panel",
  pixels: (width: number) => say("{width} pixels", { width }),
  hint: "Drag to make the panel wider; double-click for its usual width",
});
