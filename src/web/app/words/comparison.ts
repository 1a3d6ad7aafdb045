import comparedWords from "./en/compared.json";
import versionWords from "./en/version.json";
import { currentWords } from "./language.ts";

/** A side of a comparison. */
export type Named =
  | { readonly kind: "draft" }
  | { readonly kind: "version"; readonly number: number }
  | { readonly kind: "moment"; readonly revision: number };

function valuesOf(named: Named) {
  const { kind } = named;
  return { kind, number: kind === "draft" ? undefined : kind === "version" ? named.number : named.revision };
}

/** Returns the title of a comparison, for example "From version 3 to the draft". */
export function comparisonTitle(from: Named, to: Named): string {
  const { from: fromOf, to: toOf } = currentWords(comparedWords);
  return currentWords(versionWords).compareTitle({ from: fromOf(valuesOf(from)), to: toOf(valuesOf(to)) });
}

/** Returns a text with the number of chats and the share of completed chats. */
export function resultsText({ views, completions }: { readonly views: number; readonly completions: number }): string {
  return currentWords(versionWords).resultsText({ views, percent: Math.round((completions / views) * 100) });
}
