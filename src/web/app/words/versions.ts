import comparedEnglish from "./en/compared.json";
import versionEnglish from "./en/version.json";
import { area, type WordsOf } from "./language.ts";

/** The two sides of a comparison. */
export type Named =
  | { readonly kind: "draft" }
  | { readonly kind: "version"; readonly number: number }
  | { readonly kind: "moment"; readonly revision: number };

function valuesOf(named: Named) {
  const { kind } = named;
  return { kind, number: kind === "draft" ? undefined : kind === "version" ? named.number : named.revision };
}

/** The names of the two sides, in the form that their place in the title of a comparison wants. */
export const comparedWords = area("compared", comparedEnglish);

/** The words of versions: what was published, what sets them apart, and going back. */
export const versionWords = area("version", versionEnglish);

export type VersionWords = WordsOf<typeof versionWords>;

/** The title of a comparison: "From version 3 to the draft". */
export function comparisonTitle(from: Named, to: Named): string {
  const { from: fromOf, to: toOf } = comparedWords.value;
  return versionWords.value.compareTitle({ from: fromOf(valuesOf(from)), to: toOf(valuesOf(to)) });
}

/** How many chats began, and what share of them was completed. */
export function resultsText({ views, completions }: { readonly views: number; readonly completions: number }): string {
  return versionWords.value.resultsText({ views, percent: Math.round((completions / views) * 100) });
}
