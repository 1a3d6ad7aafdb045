import { area } from "./language.ts";
import { many } from "./many.ts";

/** The words of the palette: everything that can be done or gone to, by typing. */
export const paletteWords = area({
  en: {
    title: "Commands and places",
    label: "Type a command or a place",
    close: "Close",
    none: (typed: string) =>
      typed === ""
        ? "There is nothing to do here."
        : `Nothing is called “${typed}”. Try fewer letters, or another word for it.`,
    found: (count: number) => many(count, "1 entry", "# entries"),
    ofThisBot: "this bot",
    workspace: "Workspace",
    findIn: (typed: string) => `Find “${typed}” in the texts of this flow`,
    searchBots: (typed: string) => `Search bots for “${typed}”`,
    compareWithDraft: "Compare the draft with the live version",
    newFromTemplate: "New bot from a template",
    newBlank: "New blank bot",
    newFromFile: "Import a bot",
    sections: {
      chosen: "What is chosen",
      acts: "Commands",
      screens: "Screens",
      parts: "Sections",
      bots: "Bots",
      groups: "Groups",
      blocks: "Blocks",
      variables: "Variables",
      workspaces: "Workspaces",
    },
    botScreens: {
      flow: "Flow",
      preview: "Preview",
      theme: "Theme",
      settings: "Settings",
      share: "Share",
      results: "Results",
      analytics: "Analytics",
      versions: "Versions",
    },
  },
  de: {
    title: "Befehle und Orte",
    label: "Befehl oder Ort eingeben",
    close: "Schließen",
    none: (typed) =>
      typed === ""
        ? "Hier gibt es nichts zu tun."
        : `Nichts heißt „${typed}“. Versuchen Sie weniger Buchstaben oder ein anderes Wort dafür.`,
    found: (count) => many(count, "1 Eintrag", "# Einträge"),
    ofThisBot: "dieser Bot",
    workspace: "Arbeitsbereich",
    findIn: (typed) => `„${typed}“ in den Texten dieses Flows suchen`,
    searchBots: (typed) => `Bots nach „${typed}“ durchsuchen`,
    compareWithDraft: "Entwurf mit der Live-Version vergleichen",
    newFromTemplate: "Neuer Bot aus einer Vorlage",
    newBlank: "Neuer leerer Bot",
    newFromFile: "Bot importieren",
    sections: {
      chosen: "Was gewählt ist",
      acts: "Befehle",
      screens: "Seiten",
      parts: "Abschnitte",
      bots: "Bots",
      groups: "Gruppen",
      blocks: "Blöcke",
      variables: "Variablen",
      workspaces: "Arbeitsbereiche",
    },
    botScreens: {
      flow: "Ablauf",
      preview: "Vorschau",
      theme: "Aussehen",
      settings: "Einstellungen",
      share: "Teilen",
      results: "Ergebnisse",
      analytics: "Auswertung",
      versions: "Versionen",
    },
  },
  "pt-BR": {
    title: "Comandos e lugares",
    label: "Digite um comando ou um lugar",
    close: "Fechar",
    none: (typed) =>
      typed === "" ? "Não há nada a fazer aqui." : `Nada se chama “${typed}”. Tente menos letras, ou outra palavra.`,
    found: (count) => many(count, "1 entrada", "# entradas"),
    ofThisBot: "este bot",
    workspace: "Espaço de trabalho",
    findIn: (typed) => `Buscar “${typed}” nos textos deste fluxo`,
    searchBots: (typed) => `Buscar “${typed}” entre os bots`,
    compareWithDraft: "Comparar o rascunho com a versão no ar",
    newFromTemplate: "Novo bot a partir de um modelo",
    newBlank: "Novo bot vazio",
    newFromFile: "Importar um bot",
    sections: {
      chosen: "O que está escolhido",
      acts: "Comandos",
      screens: "Telas",
      parts: "Seções",
      bots: "Bots",
      groups: "Grupos",
      blocks: "Blocos",
      variables: "Variáveis",
      workspaces: "Espaços de trabalho",
    },
    botScreens: {
      flow: "Fluxo",
      preview: "Prévia",
      theme: "Tema",
      settings: "Configurações",
      share: "Compartilhar",
      results: "Resultados",
      analytics: "Análises",
      versions: "Versões",
    },
  },
});

export type PaletteWords = (typeof paletteWords)["en"];
