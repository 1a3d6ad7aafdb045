import { area, say } from "./language.ts";

/** The words of what is pasted from elsewhere. */
export const pastingWords = area("pasting", {
  text: "Paste as a text?",
  addText: "Add the text",
  noStorage: "This instance does not store files. Paste the address of the image instead.",
  notKept: (why: string) => say("The image was not stored: {why}", { why }),
});
