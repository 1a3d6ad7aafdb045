import { area } from "./language.ts";

export const botBarWords = area({
  en: {
    back: "Back to the bots",
    parts: "Parts of the bot",
    name: "Name of the bot",
    flow: "Flow",
    theme: "Theme",
    settings: "Settings",
    preview: "Preview",
    share: "Share",
    results: "Results",
  },
  de: {
    back: "Zurück zu den Bots",
    parts: "Teile des Bots",
    name: "Name des Bots",
    flow: "Flow",
    theme: "Aussehen",
    settings: "Einstellungen",
    preview: "Vorschau",
    share: "Teilen",
    results: "Ergebnisse",
  },
  "pt-BR": {
    back: "Voltar aos bots",
    parts: "Partes do bot",
    name: "Nome do bot",
    flow: "Fluxo",
    theme: "Tema",
    settings: "Configurações",
    preview: "Prévia",
    share: "Compartilhar",
    results: "Resultados",
  },
});
