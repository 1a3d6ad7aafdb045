import { area } from "./language.ts";

/** The words of the edge between a flow and the panel beside it. */
export const panelEdgeWords = area({
  en: {
    label: "Width of the panel",
    pixels: (width: number) => `${width} pixels`,
    hint: "Drag to make the panel wider; double-click for its usual width",
  },
  de: {
    label: "Breite des Bereichs",
    pixels: (width) => `${width} Pixel`,
    hint: "Ziehen, um den Bereich breiter zu machen; Doppelklick für die übliche Breite",
  },
  "pt-BR": {
    label: "Largura do painel",
    pixels: (width) => `${width} pixels`,
    hint: "Arraste para alargar o painel; clique duas vezes para a largura habitual",
  },
});
