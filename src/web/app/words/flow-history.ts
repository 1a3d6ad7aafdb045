import { area } from "./language.ts";
import { many } from "./many.ts";

/** The words of a draft's history: how it was at a moment, and going back there; and of what publishing does. */
export const historyWords = area({
  en: {
    title: (when: string) => `The draft, ${when}`,
    since: "What has changed since",
    flow: "The flow then",
    restore: "Make the draft what it was then",
    restoreText: "It is one more change, which you can take back. Visitors notice nothing.",
    same: "The draft is like this now.",
    restored: "The draft is again what it was.",
    undo: "Undo",
    undone: "Taken back.",
    each: (count: number) => `Show each of ${count} changes`,
    older: "Show older changes",
    lookAt: (title: string, when: string) => `Look: ${title}, ${when}`,
    gone: "The log does not go back so far.",
    titles: {
      version: (number: string) => `Restored version ${number}`,
      revision: "Restored an earlier draft",
      program: "Changed by a program",
      import: "Import",
    },
    alsoBy: (names: string) => `With changes by ${names}.`,
    person: (name: string, count: number) => `${name} (${many(count, "1 change", "# changes")})`,
    notSaved: "Not everything is saved yet. Publish when it is.",
    held: "What is listed as not saved is no part of this.",
  },
  de: {
    title: (when) => `Der Entwurf, ${when}`,
    since: "Was sich seitdem geändert hat",
    flow: "Der Ablauf damals",
    restore: "Entwurf machen, wie er damals war",
    restoreText: "Das ist eine weitere Änderung, die Sie zurücknehmen können. Besucher merken nichts.",
    same: "Der Entwurf ist jetzt so.",
    restored: "Der Entwurf ist wieder, was er war.",
    undo: "Rückgängig",
    undone: "Zurückgenommen.",
    each: (count) => `Jede von ${count} Änderungen zeigen`,
    older: "Ältere Änderungen zeigen",
    lookAt: (title, when) => `Ansehen: ${title}, ${when}`,
    gone: "So weit reicht das Protokoll nicht zurück.",
    titles: {
      version: (number) => `Version ${number} wiederhergestellt`,
      revision: "Einen früheren Entwurf wiederhergestellt",
      program: "Von einem Programm geändert",
      import: "Import",
    },
    alsoBy: (names) => `Mit Änderungen von ${names}.`,
    person: (name, count) => `${name} (${many(count, "1 Änderung", "# Änderungen")})`,
    notSaved: "Noch ist nicht alles gespeichert. Veröffentlichen Sie, sobald es so weit ist.",
    held: "Was als nicht gespeichert aufgeführt ist, gehört nicht dazu.",
  },
  "pt-BR": {
    title: (when) => `O rascunho, ${when}`,
    since: "O que mudou desde então",
    flow: "O fluxo naquele momento",
    restore: "Fazer o rascunho voltar a ser como era",
    restoreText: "É mais uma alteração, que você pode desfazer. Os visitantes não notam nada.",
    same: "O rascunho está assim agora.",
    restored: "O rascunho voltou a ser o que era.",
    undo: "Desfazer",
    undone: "Desfeito.",
    each: (count) => `Mostrar cada uma das ${count} alterações`,
    older: "Mostrar alterações mais antigas",
    lookAt: (title, when) => `Ver: ${title}, ${when}`,
    gone: "O registro não vai tão longe.",
    titles: {
      version: (number) => `Versão ${number} restaurada`,
      revision: "Um rascunho anterior restaurado",
      program: "Alterado por um programa",
      import: "Importação",
    },
    alsoBy: (names) => `Com alterações de ${names}.`,
    person: (name, count) => `${name} (${many(count, "1 alteração", "# alterações")})`,
    notSaved: "Nem tudo está salvo ainda. Publique quando estiver.",
    held: "O que está listado como não salvo não faz parte disto.",
  },
});

type HistoryWords = (typeof historyWords)["en"];

/** The title of a set: those that the service gives are said in the language of the page. */
export function titleText(title: string, { titles }: HistoryWords): string {
  if (title === "Changed by a program") return titles.program;
  if (title === "Import") return titles.import;
  const [, what, number = ""] = /^Restored (version|revision) (\d+)$/.exec(title) ?? [];
  if (what === "version") return titles.version(number);
  return what === "revision" ? titles.revision : title;
}
