import { area } from "./language.ts";

/** What the panels beside the flow are called: known before any of them is loaded. */
export const panelNameWords = area({
  en: {
    block: "Block",
    variables: "Variables",
    findings: "Findings",
    history: "History",
    unsaved: "Not saved",
    preview: "Preview",
  },
  de: {
    block: "Block",
    variables: "Variablen",
    findings: "Befunde",
    history: "Verlauf",
    unsaved: "Nicht gespeichert",
    preview: "Vorschau",
  },
  "pt-BR": {
    block: "Bloco",
    variables: "Variáveis",
    findings: "Achados",
    history: "Histórico",
    unsaved: "Não salvo",
    preview: "Prévia",
  },
});
