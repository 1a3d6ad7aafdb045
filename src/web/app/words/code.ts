import { area, say } from "./language.ts";

/** The words of the editor for code. */
export const codeWords = area("code", {
  variable: "variable",
  makeVariable: (name: string) => say("Create variable “{name}”", { name }),
  error: (line: number) => say("Line {line}: syntax error.", { line }),
  keys: "Tab indents. Press Escape, then Tab, to leave the field. Press Control and Space for suggestions.",
  completions: "Suggestions",
  calls: {
    setVariable: "setVariable(name, value): sets a variable of the bot.",
    fetch:
      "await fetch(address, { method, headers, body }): calls another service and returns the text of its response.",
    console: "console.log(…): has no effect.",
  },
  callsOfMapping: {
    data: "The response: parsed if it is JSON, else its text.",
    statusCode: "The status of the response, as a number.",
  },
});
