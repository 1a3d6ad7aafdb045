import findingEnglish from "./en/finding.json";
import outlineEnglish from "./en/outline.json";
import { area, type WordsOf } from "./language.ts";

/** How many findings there are. */
export const findingWords = area("finding", findingEnglish);

/** The words of the outline, its menu and its pickers. */
export const outlineWords = area("outline", outlineEnglish);

export type OutlineWords = WordsOf<typeof outlineWords>;

type Counts = { readonly errors: number; readonly warnings: number; readonly infos: number };

/** "1 error, 3 hints". */
export function findingsText({ errors, warnings, infos }: Counts): string {
  const words = findingWords.value;
  const parts = [
    errors && words.errors({ count: errors }),
    warnings && words.warnings({ count: warnings }),
    infos && words.infos({ count: infos }),
  ];
  return parts.filter(Boolean).join(", ");
}
