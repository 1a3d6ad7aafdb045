import { area } from "./language.ts";

/** The words of the editor for code. */
export const codeWords = area({
  en: {
    variable: "variable",
    makeVariable: (name: string) => `Make the variable “${name}”`,
    error: (line: number) => `Line ${line}: this is not written as the language wants it.`,
    keys: "Tab indents. Press Escape, then Tab, to go on. Press Control and Space for what fits here.",
    completions: "What fits here",
    calls: {
      setVariable: "setVariable(name, value): gives a variable of the bot a value.",
      fetch:
        "await fetch(address, { method, headers, body }): calls another service, and gives the text of its answer.",
      console: "console.log(…): says nothing to anybody.",
    },
    callsOfMapping: {
      data: "The answer: parsed where it is JSON, else its text.",
      statusCode: "The status of the answer, as a number.",
    },
  },
  de: {
    variable: "Variable",
    makeVariable: (name) => `Variable „${name}“ anlegen`,
    error: (line) => `Zeile ${line}: So steht das in dieser Sprache nicht.`,
    keys: "Tab rückt ein. Weiter geht es mit Escape, dann Tab. Strg und Leertaste zeigen, was hier passt.",
    completions: "Was hier passt",
    calls: {
      setVariable: "setVariable(Name, Wert): gibt einer Variable des Bots einen Wert.",
      fetch:
        "await fetch(Adresse, { method, headers, body }): ruft einen anderen Dienst und gibt den Text der Antwort.",
      console: "console.log(…): sagt niemandem etwas.",
    },
    callsOfMapping: {
      data: "Die Antwort: gelesen, wo sie JSON ist, sonst ihr Text.",
      statusCode: "Der Status der Antwort, als Zahl.",
    },
  },
  "pt-BR": {
    variable: "variável",
    makeVariable: (name) => `Criar a variável “${name}”`,
    error: (line) => `Linha ${line}: não está escrito como a linguagem quer.`,
    keys: "Tab recua. Para seguir, Escape e depois Tab. Control e Espaço mostram o que cabe aqui.",
    completions: "O que cabe aqui",
    calls: {
      setVariable: "setVariable(nome, valor): dá um valor a uma variável do bot.",
      fetch: "await fetch(endereço, { method, headers, body }): chama outro serviço e dá o texto da resposta.",
      console: "console.log(…): não diz nada a ninguém.",
    },
    callsOfMapping: {
      data: "A resposta: lida quando é JSON; senão, seu texto.",
      statusCode: "O status da resposta, como número.",
    },
  },
});
