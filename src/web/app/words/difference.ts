import { area, language } from "./language.ts";
import { many } from "./many.ts";

type Nouns = Readonly<Partial<Record<"group" | "block" | "event" | "variable" | "theme" | "settings", number>>>;

/** "1 group, 3 blocks and the theme". */
function together(parts: readonly string[]): string {
  return new Intl.ListFormat(language.peek(), { type: "conjunction" }).format(parts);
}

/** A sentence of several acts; nothing where there is none. */
function sentence(parts: readonly string[]): string {
  const text = parts.filter((part) => part !== "").join("; ");
  return text === "" ? "" : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

type Counts = Readonly<Record<"added" | "changed" | "moved" | "removed", Nouns>>;

/** The words of what sets two flows apart. */
export const differenceWords = area({
  en: {
    is: { added: "added", removed: "removed", changed: "changed", moved: "moved", same: "" },
    summary: (counts: Counts) => {
      const nouns = ({ group = 0, block = 0, event = 0, variable = 0, theme, settings }: Nouns) =>
        together([
          ...(group ? [many(group, "1 group", "# groups")] : []),
          ...(block ? [many(block, "1 block", "# blocks")] : []),
          ...(event ? [many(event, "1 event", "# events")] : []),
          ...(variable ? [many(variable, "1 variable", "# variables")] : []),
          ...(theme ? ["the theme"] : []),
          ...(settings ? ["the settings"] : []),
        ]);
      const act = (verb: string, of: Nouns) => (nouns(of) === "" ? "" : `${verb} ${nouns(of)}`);
      return sentence([
        act("adds", counts.added),
        act("changes", counts.changed),
        act("moves", counts.moved),
        act("removes", counts.removed),
      ]);
    },
    nothing: "Visitors notice no difference.",
    same: "Both are the same.",
    list: "What is different",
    unnoticed: (count: number) => `Only in the editor: ${many(count, "1 thing", "# things")}`,
    groupOf: "Group",
    theme: "Theme",
    settings: "Settings",
    variable: "Variable",
    connection: "Connection",
    note: "Note",
    frame: "Frame",
    editor: "Editor",
    flow: "Flow",
    item: "Item",
    on: "On",
    off: "Off",
    none: "nothing",
    byDefault: "as by default",
    defaultOf: (text: string) => `${text} (default)`,
    yes: "yes",
    no: "no",
    area: { text: "Text", title: "Title", color: "Color", size: "Size", lock: "Locked", noColor: "none" },
    leadsTo: "Leads to",
    leadsOf: (name: string) => `“${name}” leads to`,
    onFailure: "On failure leads to",
    otherwise: "Leads to",
    nowhere: "nowhere",
    gone: "something that is gone",
    became: "then",
    movedFrom: (title: string) => `was in “${title}”`,
    movedWithin: "has another place",
    movedOnCanvas: "lies elsewhere on the canvas",
    leadsOn: (title: string) => `from nowhere to “${title}”`,
    looksOnly: "Its formatting changed.",
    was: "was",
    wordsAdded: "added:",
    wordsRemoved: "removed:",
    go: (name: string) => `Go to ${name}`,
    more: (count: number) => many(count, "Show 1 more", "Show # more"),
    moreBefore: (count: number) => many(count, "Show 1 before", "Show # before"),
    unsentId: "something that has no name here",
    thisBot: "This bot",
    legend: "What the signs mean",
    counted: {
      added: (count: number) => `${count} added`,
      removed: (count: number) => `${count} removed`,
      changed: (count: number) => `${count} changed`,
      moved: (count: number) => `${count} moved`,
    },
    step: (at: number, count: number) => `Change ${at} of ${count}`,
    steps: (count: number) => many(count, "1 change", "# changes"),
    next: "Next change",
    previous: "Previous change",
    showOnCanvas: "See it on the canvas",
  },
  de: {
    is: { added: "neu", removed: "entfernt", changed: "geändert", moved: "verschoben", same: "" },
    summary: (counts) => {
      const nouns = ({ group = 0, block = 0, event = 0, variable = 0, theme, settings }: Nouns) =>
        together([
          ...(group ? [many(group, "1 Gruppe", "# Gruppen")] : []),
          ...(block ? [many(block, "1 Block", "# Blöcke")] : []),
          ...(event ? [many(event, "1 Ereignis", "# Ereignisse")] : []),
          ...(variable ? [many(variable, "1 Variable", "# Variablen")] : []),
          ...(theme ? ["das Design"] : []),
          ...(settings ? ["die Einstellungen"] : []),
        ]);
      const act = (verb: string, of: Nouns, after = "") => (nouns(of) === "" ? "" : `${verb} ${nouns(of)}${after}`);
      return sentence([
        act("fügt", counts.added, " hinzu"),
        act("ändert", counts.changed),
        act("verschiebt", counts.moved),
        act("entfernt", counts.removed),
      ]);
    },
    nothing: "Besucher bemerken keinen Unterschied.",
    same: "Beide sind gleich.",
    list: "Was anders ist",
    unnoticed: (count) => `Nur im Editor: ${many(count, "1 Sache", "# Sachen")}`,
    groupOf: "Gruppe",
    theme: "Design",
    settings: "Einstellungen",
    variable: "Variable",
    connection: "Verbindung",
    note: "Notiz",
    frame: "Rahmen",
    editor: "Editor",
    flow: "Flow",
    item: "Eintrag",
    on: "An",
    off: "Aus",
    none: "nichts",
    byDefault: "wie vorgegeben",
    defaultOf: (text) => `${text} (Standard)`,
    yes: "ja",
    no: "nein",
    area: { text: "Text", title: "Titel", color: "Farbe", size: "Größe", lock: "Gesperrt", noColor: "keine" },
    leadsTo: "Führt zu",
    leadsOf: (name) => `„${name}“ führt zu`,
    onFailure: "Führt bei Fehlschlag zu",
    otherwise: "Führt zu",
    nowhere: "nichts",
    gone: "etwas, das es nicht mehr gibt",
    became: "dann",
    movedFrom: (title) => `war in „${title}“`,
    movedWithin: "steht an anderer Stelle",
    movedOnCanvas: "liegt woanders auf der Fläche",
    leadsOn: (title) => `von nirgends zu „${title}“`,
    looksOnly: "Die Formatierung hat sich geändert.",
    was: "war",
    wordsAdded: "neu:",
    wordsRemoved: "entfernt:",
    go: (name) => `Zu ${name}`,
    more: (count) => many(count, "1 weitere zeigen", "# weitere zeigen"),
    moreBefore: (count) => many(count, "1 davor zeigen", "# davor zeigen"),
    unsentId: "etwas, das hier keinen Namen hat",
    thisBot: "Dieser Bot",
    legend: "Was die Zeichen bedeuten",
    counted: {
      added: (count) => `${count} neu`,
      removed: (count) => `${count} entfernt`,
      changed: (count) => `${count} geändert`,
      moved: (count) => `${count} verschoben`,
    },
    step: (at, count) => `Änderung ${at} von ${count}`,
    steps: (count) => many(count, "1 Änderung", "# Änderungen"),
    next: "Nächste Änderung",
    previous: "Vorige Änderung",
    showOnCanvas: "Auf der Fläche ansehen",
  },
  "pt-BR": {
    is: { added: "novo", removed: "removido", changed: "alterado", moved: "movido", same: "" },
    summary: (counts) => {
      const nouns = ({ group = 0, block = 0, event = 0, variable = 0, theme, settings }: Nouns) =>
        together([
          ...(group ? [many(group, "1 grupo", "# grupos")] : []),
          ...(block ? [many(block, "1 bloco", "# blocos")] : []),
          ...(event ? [many(event, "1 evento", "# eventos")] : []),
          ...(variable ? [many(variable, "1 variável", "# variáveis")] : []),
          ...(theme ? ["o tema"] : []),
          ...(settings ? ["as configurações"] : []),
        ]);
      const act = (verb: string, of: Nouns) => (nouns(of) === "" ? "" : `${verb} ${nouns(of)}`);
      return sentence([
        act("adiciona", counts.added),
        act("altera", counts.changed),
        act("move", counts.moved),
        act("remove", counts.removed),
      ]);
    },
    nothing: "Os visitantes não notam diferença.",
    same: "Os dois são iguais.",
    list: "O que é diferente",
    unnoticed: (count) => `Só no editor: ${many(count, "1 coisa", "# coisas")}`,
    groupOf: "Grupo",
    theme: "Tema",
    settings: "Configurações",
    variable: "Variável",
    connection: "Conexão",
    note: "Nota",
    frame: "Moldura",
    editor: "Editor",
    flow: "Fluxo",
    item: "Item",
    on: "Ligado",
    off: "Desligado",
    none: "nada",
    byDefault: "como o padrão",
    defaultOf: (text) => `${text} (padrão)`,
    yes: "sim",
    no: "não",
    area: { text: "Texto", title: "Título", color: "Cor", size: "Tamanho", lock: "Bloqueado", noColor: "nenhuma" },
    leadsTo: "Leva a",
    leadsOf: (name) => `“${name}” leva a`,
    onFailure: "Em caso de falha, leva a",
    otherwise: "Leva a",
    nowhere: "nada",
    gone: "algo que não existe mais",
    became: "depois",
    movedFrom: (title) => `estava em “${title}”`,
    movedWithin: "está em outro lugar",
    movedOnCanvas: "fica em outro lugar do quadro",
    leadsOn: (title) => `de lugar nenhum para “${title}”`,
    looksOnly: "A formatação mudou.",
    was: "era",
    wordsAdded: "novo:",
    wordsRemoved: "removido:",
    go: (name) => `Ir para ${name}`,
    more: (count) => many(count, "Mostrar mais 1", "Mostrar mais #"),
    moreBefore: (count) => many(count, "Mostrar 1 anterior", "Mostrar # anteriores"),
    unsentId: "algo que não tem nome aqui",
    thisBot: "Este bot",
    legend: "O que os sinais significam",
    counted: {
      added: (count) => many(count, "1 novo", "# novos"),
      removed: (count) => many(count, "1 removido", "# removidos"),
      changed: (count) => many(count, "1 alterado", "# alterados"),
      moved: (count) => many(count, "1 movido", "# movidos"),
    },
    step: (at, count) => `Mudança ${at} de ${count}`,
    steps: (count) => many(count, "1 mudança", "# mudanças"),
    next: "Próxima mudança",
    previous: "Mudança anterior",
    showOnCanvas: "Ver no quadro",
  },
});

export type DifferenceWords = (typeof differenceWords)["en"];
