import { folded } from "../ui/fits.ts";

/** The query of a search, prepared once: its words, without case and accents. */
export function termsOf(typed: string): readonly string[] {
  return folded(typed)
    .split(/\s+/)
    .filter((term) => term !== "");
}

/**
 * The score of a text for the typed text: every typed word must be found. Beginnings of the text come before beginnings
 * of words, these before matches in the middle, and last letters in their order ("pubd" finds "Publish the draft").
 * Undefined if a word is not found.
 */
export function scoreOf(terms: readonly string[], text: string): number | undefined {
  let score = 0;
  for (const term of terms) {
    const one = scoreOfTerm(term, text);
    if (one === undefined) return undefined;
    score += one;
  }
  // If two texts match equally, the shorter one is more likely meant.
  return score - Math.min(text.length, 200) / 1_000;
}

function scoreOfTerm(term: string, text: string): number | undefined {
  const at = text.indexOf(term);
  if (at === 0) return 100;
  if (at > 0) return isBeginning(text, at) || text.includes(` ${term}`) ? 80 : 50;
  return scoreOfLetters(term, text);
}

/**
 * Letters in their order; letters at the beginnings of words count most. With fewer than half of them at beginnings,
 * the match is chance.
 */
function scoreOfLetters(term: string, text: string): number | undefined {
  if (term.length < 2) return undefined;
  let [from, beginnings, runs, last] = [0, 0, 0, -2];
  for (const letter of term) {
    const wordAt = nextBeginning(text, letter, from);
    const next = text.indexOf(letter, from);
    if (next < 0) return undefined;
    // A letter follows the previous match directly, or begins a word, if possible.
    const at = next === last + 1 || wordAt < 0 ? next : wordAt;
    if (isBeginning(text, at)) beginnings++;
    if (at === last + 1) runs++;
    last = at;
    from = at + 1;
  }
  return beginnings + runs < term.length / 2 + 0.5 ? undefined : 10 + (20 * (beginnings + runs)) / term.length;
}

function nextBeginning(text: string, letter: string, from: number): number {
  for (let at = text.indexOf(letter, from); at >= 0; at = text.indexOf(letter, at + 1)) {
    if (isBeginning(text, at)) return at;
  }
  return -1;
}

function isBeginning(text: string, at: number): boolean {
  return at === 0 || !/[\p{L}\p{N}]/u.test(text.charAt(at - 1));
}
