/**
 * Returns the most similar word of a list. Up to a third of the letters may differ, and in a short word one letter.
 * Returns undefined if no word is similar enough.
 */
export function nearestOf(given: string, words: Iterable<string>): string | undefined {
  // Longer names are not typing errors, and comparing them would be slow.
  if (given.length > mostCharacters) return undefined;
  let nearest: string | undefined;
  let least = Math.max(1, Math.floor(given.length / 3)) + 1;
  for (const word of words) {
    if (Math.abs(word.length - given.length) >= least) continue;
    const distance = slips(given.toLowerCase(), word.toLowerCase());
    if (distance >= least) continue;
    nearest = word;
    least = distance;
  }
  return nearest;
}

const mostCharacters = 60;

/**
 * Returns the number of typing errors between two words. Each omitted, added or wrong letter counts as one error, and
 * so do two swapped adjacent letters.
 */
function slips(given: string, word: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: word.length + 1 }, (_, index) => index);
  for (let row = 1; row <= given.length; row++) {
    const current = [row];
    for (let column = 1; column <= word.length; column++) {
      const isSame = given[row - 1] === word[column - 1];
      const isSwapped =
        row > 1 && column > 1 && given[row - 1] === word[column - 2] && given[row - 2] === word[column - 1];
      current[column] = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (beforeLast[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    beforeLast = last;
    last = current;
  }
  return last[word.length] ?? 0;
}
