import { area } from "./language.ts";

export const botBarWords = area({
  en: {
    back: "Back to the bots",
    parts: "Parts of the bot",
    flow: "Flow",
    preview: "Preview",
    share: "Share",
    results: "Results",
  },
  de: {
    back: "Zurück zu den Bots",
    parts: "Teile des Bots",
    flow: "Ablauf",
    preview: "Vorschau",
    share: "Teilen",
    results: "Ergebnisse",
  },
  "pt-BR": {
    back: "Voltar aos bots",
    parts: "Partes do bot",
    flow: "Fluxo",
    preview: "Prévia",
    share: "Compartilhar",
    results: "Resultados",
  },
});
