import type { Section } from "../../page-parts/sections.tsx";
import type { WordsOf } from "../../words/language.ts";

/** Returns the sections for administrators of the instance, for its screen and the palette. */
export function instanceSections(words: WordsOf<"instance">): readonly Section[] {
  return [
    { id: "users", label: words.users },
    { id: "workspaces", label: words.workspaces },
    { id: "health", label: words.health },
  ];
}
