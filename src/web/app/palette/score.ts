import { folded } from "../ui/fits.ts";

/** Splits the typed text into search terms, without case and accents. */
export function termsOf(typed: string): readonly string[] {
  return folded(typed)
    .split(/\s+/)
    .filter((term) => term !== "");
}

/**
 * Returns the score of a text for the search terms, all of which must match. Matches at the start of the text rank
 * highest, followed by matches at the start of a word and matches within a word. Letters in the same order rank lowest
 * ("pubd" matches "Publish the draft"). Returns undefined if a term does not match.
 */
export function scoreOf(terms: readonly string[], text: string): number | undefined {
  let score = 0;
  for (const term of terms) {
    const one = scoreOfTerm(term, text);
    if (one === undefined) return undefined;
    score += one;
  }
  // Prefers the shorter of two texts with equal matches.
  return score - Math.min(text.length, 200) / 1_000;
}

function scoreOfTerm(term: string, text: string): number | undefined {
  const at = text.indexOf(term);
  if (at === 0) return 100;
  if (at > 0) return isBeginning(text, at) || text.includes(` ${term}`) ? 80 : 50;
  return scoreOfLetters(term, text);
}

/**
 * Matches the letters of a term in their order. Letters at the start of words score highest. Returns undefined if the
 * term does not match, or if its letters are so scattered that the match may be coincidence.
 */
function scoreOfLetters(term: string, text: string): number | undefined {
  if (term.length < 2) return undefined;
  let [from, beginnings, runs, last] = [0, 0, 0, -2];
  for (const letter of term) {
    const wordAt = nextBeginning(text, letter, from);
    const next = text.indexOf(letter, from);
    if (next < 0) return undefined;
    // Prefers a letter that directly follows the previous match or begins a word.
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
