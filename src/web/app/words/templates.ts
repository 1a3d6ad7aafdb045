import { area, say } from "./language.ts";

type Told = { readonly name: string; readonly about: string };

/** The templates' own names and sentences. */
const own: Readonly<Record<string, Told>> = {};

/** The gallery's description of each template, by its id. The words of their bots are English: authors make them their own. */
export const templateWords = area("template", {
  told: own,
  try: "Try it",
  tryOne: (name: string) => say("Try it: {name}", { name }),
  back: "Back to the templates",
  frame: "The template as visitors would see it",
  /** Where the interface speaks another language than the templates. */
  inEnglish: "",
});
