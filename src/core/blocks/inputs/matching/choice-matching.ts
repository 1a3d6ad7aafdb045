/** An item that visitors can choose. `content` is displayed and `value` is stored. */
export type Choosable = {
  readonly id: string;
  readonly content?: string | undefined;
  readonly value?: string | undefined;
};

/** A reply to a choice: its text and the id of the clicked item. */
export type ChoiceReply = { readonly text: string; readonly replyId?: string | undefined };

/**
 * Returns an item whose id, value or content equals the reply, or undefined if no item matches. Values and contents are
 * compared without surrounding whitespace. Items with longer contents are tried first. If several items have the same
 * id, the id selects only the first of these items.
 */
export function matchOne<T extends Choosable>(items: readonly T[], { text, replyId }: ChoiceReply): T | undefined {
  const said = text.trim();
  const byId = firstById(items);
  const isMeant = (words: string | undefined): boolean => said !== "" && words?.trim() === said;
  return longestFirst(items).find(
    (item) =>
      ((replyId === item.id || text === item.id) && byId.get(item.id) === item) ||
      isMeant(item.value) ||
      isMeant(item.content),
  );
}

/**
 * Returns all items that the reply mentions by id, value, content or number, in display order. Text that matches an
 * item's exact spelling is removed before further items are searched.
 */
export function matchMany<T extends Choosable>(items: readonly T[], text: string): T[] {
  const words = wordsOf(text);
  const matched = new Set<T>();
  const byLength = longestFirst(items);
  const byId = firstById(items);
  for (const part of ["id", "value", "content"] as const) {
    for (const item of byLength) {
      const phrase = item[part]?.trim() ?? "";
      if (part === "id" && byId.get(item.id) !== item) continue;
      if (matched.has(item) || !words.mentions(phrase)) continue;
      matched.add(item);
      words.remove(phrase);
    }
  }
  for (const [index, item] of items.entries()) {
    if (!matched.has(item) && words.mentions(String(index + 1))) matched.add(item);
  }
  return items.filter((item) => matched.has(item));
}

function firstById<T extends Choosable>(items: readonly T[]): Map<string, T> {
  return new Map(items.toReversed().map((item) => [item.id, item]));
}

function longestFirst<T extends Choosable>(items: readonly T[]): T[] {
  return items.toSorted((a, b) => (b.content?.length ?? 0) - (a.content?.length ?? 0));
}

/** Letters, digits and combining marks. A phrase adjacent to one of these characters is part of a longer word. */
const wordCharacter = "[\\p{L}\\p{N}\\p{M}]";
const wholeRuns = new RegExp(`${wordCharacter}+`, "gu");
const runFromHere = new RegExp(`${wordCharacter}+`, "uy");
const runUpToHere = new RegExp(`(?<=(${wordCharacter}+))`, "uy");

/**
 * Prepares a text for phrase searches. A phrase can occur only if all of its runs of word characters occur. Checking a
 * set of runs first avoids a search for each of thousands of absent items.
 */
function wordsOf(text: string) {
  let rest = text.trim();
  const runs = new Set(runsOf(rest));

  return {
    /** Returns whether the phrase occurs as whole words. Ignores case, and allows any whitespace between the words. */
    mentions(phrase: string): boolean {
      if (phrase === "" || !runsOf(phrase).every((run) => runs.has(run))) return false;
      const words = phrase.split(/\s+/);
      return words.join("").length <= rest.length && patternOf(words).test(rest);
    },
    /** Removes the first occurrence with exactly this spelling. */
    remove(phrase: string): void {
      const from = rest.indexOf(phrase);
      if (from < 0) return;
      const to = from + phrase.length;
      // The characters around the removed text become adjacent and may form a new run.
      for (const run of runsOf(runBefore(rest, from) + runAfter(rest, to))) runs.add(run);
      rest = (rest.slice(0, from) + rest.slice(to)).trim();
    },
  };
}

/**
 * Returns a pattern for a phrase of these words. The pattern backtracks over one phrase at most, because only
 * whitespace is repeated and words contain no whitespace.
 */
function patternOf(words: readonly string[]): RegExp {
  return new RegExp(`(?<!${wordCharacter})${words.map(RegExp.escape).join("\\s+")}(?!${wordCharacter})`, "iu");
}

/**
 * Returns the runs of word characters for a comparison without case. Lower-casing and then upper-casing unifies letters
 * with several lower-case forms, such as `ς` and `σ`.
 */
function runsOf(text: string): string[] {
  return [...text.matchAll(wholeRuns)].map(([run]) => run.toLowerCase().toUpperCase());
}

function runBefore(text: string, at: number): string {
  runUpToHere.lastIndex = at;
  return runUpToHere.exec(text)?.[1] ?? "";
}

function runAfter(text: string, at: number): string {
  runFromHere.lastIndex = at;
  return runFromHere.exec(text)?.[0] ?? "";
}
