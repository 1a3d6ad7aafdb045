import { area, say } from "./language.ts";

/** The words of the editor for code. */
export const codeWords = area("code", {
  variable: "variable",
  makeVariable: (name: string) => say("Make the variable “{name}”", { name }),
  error: (line: number) => say("Line {line}: this is not written as the language wants it.", { line }),
  keys: "Tab indents. Press Escape, then Tab, to go on. Press Control and Space for what fits here.",
  completions: "What fits here",
  calls: {
    setVariable: "setVariable(name, value): gives a variable of the bot a value.",
    fetch: "await fetch(address, { method, headers, body }): calls another service, and gives the text of its answer.",
    console: "console.log(…): says nothing to anybody.",
  },
  callsOfMapping: {
    data: "The answer: parsed where it is JSON, else its text.",
    statusCode: "The status of the answer, as a number.",
  },
});
