import { area } from "./language.ts";

/** The words of what comes over a card: its title and texts in their places, and the whole of a folded row. */
export const onCardWords = area({
  en: {
    title: "Title of the group",
    text: "Text",
    thisBot: "This bot",
    savedTo: (name: string) => `Saved to ${name}`,
    findingsOf: (title: string) => `Findings of “${title}”`,
    allFindings: "Show all",
  },
  de: {
    title: "Titel der Gruppe",
    text: "Text",
    thisBot: "Dieser Bot",
    savedTo: (name) => `Gespeichert in ${name}`,
    findingsOf: (title) => `Befunde zu „${title}“`,
    allFindings: "Alle zeigen",
  },
  "pt-BR": {
    title: "Título do grupo",
    text: "Texto",
    thisBot: "Este bot",
    savedTo: (name) => `Salvo em ${name}`,
    findingsOf: (title) => `Achados de “${title}”`,
    allFindings: "Mostrar todos",
  },
});
