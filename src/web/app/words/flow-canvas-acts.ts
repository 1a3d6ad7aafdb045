import { area } from "./language.ts";
import { many } from "./many.ts";

/** The words of what one does on the canvas: palette, menus, bars, keys. */
export const canvasActWords = area({
  en: {
    palette: {
      title: "Blocks",
      search: "Search blocks",
      none: "No block fits.",
      beside: "Beside the flow",
      note: "Note",
      frame: "Frame",
      open: "Add",
      close: "Close the palette",
      hint: "Drag a block onto the canvas, or press it.",
      placed: (name: string) => `${name}: drag it onto the canvas, or press it`,
    },
    ghost: { title: "What does your bot say first?", text: "Say hello", other: "Another block…" },
    chosenLabel: "What is chosen",
    note: {
      name: "Note",
      empty: "Write a note…",
      read: (text: string) => (text === "" ? "Empty note" : `Note: ${text}`),
    },
    frame: {
      name: "Frame",
      untitled: "Frame",
      read: (title: string) => (title === "" ? "Frame without a title" : `Frame: ${title}`),
      holds: (count: number) => many(count, "around 1 card", "around # cards"),
      rename: "Title of the frame",
    },
    follow: { on: "Where to?", back: "Back to where?", none: "No line leads there." },
    chosen: { after: (count: number) => `${many(count, "1 card", "# cards")} chosen` },
  },
  de: {
    palette: {
      title: "Blöcke",
      search: "Blöcke suchen",
      none: "Kein Block passt.",
      beside: "Neben dem Flow",
      note: "Notiz",
      frame: "Rahmen",
      open: "Hinzufügen",
      close: "Palette schließen",
      hint: "Ziehen Sie einen Block auf die Fläche, oder drücken Sie ihn.",
      placed: (name) => `${name}: auf die Fläche ziehen oder drücken`,
    },
    ghost: { title: "Was sagt Ihr Bot zuerst?", text: "Begrüßen", other: "Ein anderer Block…" },
    chosenLabel: "Was gewählt ist",
    note: {
      name: "Notiz",
      empty: "Notiz schreiben…",
      read: (text) => (text === "" ? "Leere Notiz" : `Notiz: ${text}`),
    },
    frame: {
      name: "Rahmen",
      untitled: "Rahmen",
      read: (title) => (title === "" ? "Rahmen ohne Titel" : `Rahmen: ${title}`),
      holds: (count) => many(count, "um 1 Karte", "um # Karten"),
      rename: "Titel des Rahmens",
    },
    follow: { on: "Wohin?", back: "Zurück wohin?", none: "Dorthin führt keine Linie." },
    chosen: { after: (count) => `${many(count, "1 Karte", "# Karten")} gewählt` },
  },
  "pt-BR": {
    palette: {
      title: "Blocos",
      search: "Buscar blocos",
      none: "Nenhum bloco encontrado.",
      beside: "Ao lado do fluxo",
      note: "Nota",
      frame: "Moldura",
      open: "Adicionar",
      close: "Fechar a paleta",
      hint: "Arraste um bloco para a tela, ou pressione-o.",
      placed: (name) => `${name}: arraste para a tela ou pressione`,
    },
    ghost: { title: "O que seu bot diz primeiro?", text: "Dizer olá", other: "Outro bloco…" },
    chosenLabel: "O que está escolhido",
    note: { name: "Nota", empty: "Escreva uma nota…", read: (text) => (text === "" ? "Nota vazia" : `Nota: ${text}`) },
    frame: {
      name: "Moldura",
      untitled: "Moldura",
      read: (title) => (title === "" ? "Moldura sem título" : `Moldura: ${title}`),
      holds: (count) => many(count, "em torno de 1 cartão", "em torno de # cartões"),
      rename: "Título da moldura",
    },
    follow: { on: "Para onde?", back: "De volta para onde?", none: "Nenhuma linha leva até lá." },
    chosen: { after: (count) => many(count, "1 cartão escolhido", "# cartões escolhidos") },
  },
});

export type CanvasActWords = (typeof canvasActWords)["en"];
