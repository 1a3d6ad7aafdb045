import { area } from "./language.ts";

/** The words of the hint above a flow whose cards have no places of their own. */
export const heapWords = area({
  en: {
    text: "Cards lie on one another, or far away. Tidy the flow to see them all.",
    tidy: "Tidy",
    close: "Leave them as they are",
  },
  de: {
    text: "Karten liegen aufeinander oder weit entfernt. Räume den Flow auf, um alle zu sehen.",
    tidy: "Aufräumen",
    close: "So lassen",
  },
  "pt-BR": {
    text: "Há cartões uns sobre os outros ou muito distantes. Organize o fluxo para ver todos.",
    tidy: "Organizar",
    close: "Deixar como está",
  },
});
