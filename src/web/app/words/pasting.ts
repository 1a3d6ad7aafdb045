import { area } from "./language.ts";

/** The words of what is pasted from elsewhere. */
export const pastingWords = area({
  en: {
    text: "Make a text of what you paste?",
    addText: "Add the text",
    noStorage: "This instance keeps no files. Paste the address of the picture instead.",
    notKept: (why: string) => `The picture was not kept: ${why}`,
  },
  de: {
    text: "Aus dem Eingefügten einen Text machen?",
    addText: "Text hinzufügen",
    noStorage: "Diese Instanz bewahrt keine Dateien auf. Fügen Sie stattdessen die Adresse des Bildes ein.",
    notKept: (why) => `Das Bild wurde nicht aufbewahrt: ${why}`,
  },
  "pt-BR": {
    text: "Fazer um texto do que você cola?",
    addText: "Adicionar o texto",
    noStorage: "Esta instância não guarda arquivos. Cole o endereço da imagem em vez disso.",
    notKept: (why) => `A imagem não foi guardada: ${why}`,
  },
});
