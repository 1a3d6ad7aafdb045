import { area, say } from "./language.ts";

/** The words of what comes over a card: its title and texts in their places, and the whole of a folded row. */
export const onCardWords = area("onCard", {
  title: "Title of the group",
  text: "Text",
  thisBot: "This bot",
  savedTo: (name: string) => say("Saved to {name}", { name }),
  findingsOf: (title: string) => say("Findings of “{title}”", { title }),
  allFindings: "Show all",
});
