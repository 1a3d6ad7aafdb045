import { area, say } from "./language.ts";

/** The words of what is pasted from elsewhere. */
export const pastingWords = area("pasting", {
  text: "Make a text of what you paste?",
  addText: "Add the text",
  noStorage: "This instance keeps no files. Paste the address of the picture instead.",
  notKept: (why: string) => say("The picture was not kept: {why}", { why }),
});
