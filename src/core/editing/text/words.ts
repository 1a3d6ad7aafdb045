/** Splits a text into words and the spaces between them. */
export function wordsOf(text: string): string[] {
  return text.split(/(\s+)/).filter((word) => word !== "");
}

/**
 * Returns the longest common subsequence. For each matched word, the map contains its index in the first text and its
 * index in the second text. The map is empty if the texts are too long to compare.
 */
export function matchingWords(first: readonly string[], second: readonly string[]): Map<number, number> {
  const found = new Map<number, number>();
  // Long texts are treated as entirely changed because the table would need too much memory.
  if (first.length * second.length > 4_000_000) return found;
  const width = second.length + 1;
  const lengths = new Uint32Array((first.length + 1) * width);
  for (let i = first.length - 1; i >= 0; i--) {
    for (let j = second.length - 1; j >= 0; j--) {
      const [down, right, across] = [
        lengths[(i + 1) * width + j] ?? 0,
        lengths[i * width + j + 1] ?? 0,
        lengths[(i + 1) * width + j + 1] ?? 0,
      ];
      lengths[i * width + j] = first[i] === second[j] ? across + 1 : Math.max(down, right);
    }
  }
  for (let i = 0, j = 0; i < first.length && j < second.length; ) {
    if (first[i] === second[j]) found.set(i++, j++);
    else if ((lengths[(i + 1) * width + j] ?? 0) >= (lengths[i * width + j + 1] ?? 0)) i++;
    else j++;
  }
  return found;
}

/** A run of words that occurs in both texts or in only one of the texts. */
export type Run = { readonly is: "same" | "added" | "removed"; readonly text: string };

/** Returns the difference between two texts by words. Removed words precede the words that replace them. */
export function differenceByWord(before: string, after: string): readonly Run[] {
  const [from, to] = [wordsOf(before), wordsOf(after)];
  const matches = matchingWords(from, to);
  const runs: { is: Run["is"]; text: string }[] = [];
  const push = (is: Run["is"], words: readonly string[]): void => {
    const text = words.join("");
    if (text === "") return;
    const last = runs.at(-1);
    if (last?.is === is) last.text += text;
    else runs.push({ is, text });
  };
  let [i, j] = [0, 0];
  for (const [atFrom, atTo] of [...matches, [from.length, to.length] as const]) {
    push("removed", from.slice(i, atFrom));
    push("added", to.slice(j, atTo));
    push("same", from.slice(atFrom, atFrom + 1));
    [i, j] = [atFrom + 1, atTo + 1];
  }
  return joined(runs);
}

/** Merges changes that are separated only by spaces, so that a replaced phrase is one change. */
function joined(runs: readonly Run[]): readonly Run[] {
  const found: Run[] = [];
  let [removed, added] = ["", ""];
  const flush = (): void => {
    if (removed !== "") found.push({ is: "removed", text: removed });
    if (added !== "") found.push({ is: "added", text: added });
    [removed, added] = ["", ""];
  };
  for (const [index, { is, text }] of runs.entries()) {
    const isBetween =
      is === "same" && text.trim() === "" && (removed !== "" || added !== "") && index < runs.length - 1;
    if (is === "removed" || isBetween) removed += text;
    if (is === "added" || isBetween) added += text;
    if (is !== "same" || isBetween) continue;
    flush();
    found.push({ is, text });
  }
  flush();
  return found;
}
