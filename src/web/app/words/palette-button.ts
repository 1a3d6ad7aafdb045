import { area } from "./language.ts";

/** The words of the button that opens the palette: they are there before it is. */
export const paletteButtonWords = area({
  en: { open: "Commands and places" },
  de: { open: "Befehle und Orte" },
  "pt-BR": { open: "Comandos e lugares" },
});
