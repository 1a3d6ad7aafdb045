import findingWords from "./en/finding.json";
import { currentWords } from "./language.ts";

type Counts = { readonly errors: number; readonly warnings: number; readonly infos: number };

/** Returns a text such as "1 error, 3 hints". */
export function findingsText({ errors, warnings, infos }: Counts): string {
  const words = currentWords(findingWords);
  const parts = [
    errors && words.errors({ count: errors }),
    warnings && words.warnings({ count: warnings }),
    infos && words.infos({ count: infos }),
  ];
  return parts.filter(Boolean).join(", ");
}
