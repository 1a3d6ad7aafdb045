import type { Section } from "../../page-parts/sections.tsx";
import type { Words } from "../../words/index.ts";

/** Returns the sections of the account, for its screen and the palette. */
export function accountSections(words: Words): readonly Section[] {
  return [
    { id: "profile", label: words.profile },
    { id: "sign-ins", label: words.signIns },
    { id: "tokens", label: words.tokens },
  ];
}
