/** Something that a visitor may choose: `content` is what the visitor sees, `value` what it stands for. */
export type Choosable = {
  readonly id: string;
  readonly content?: string | undefined;
  readonly value?: string | undefined;
};

/** What a visitor said to a choice: the words, and the id of what was clicked. */
export type ChoiceReply = { readonly text: string; readonly replyId?: string | undefined };

/**
 * The item that a reply names by its id, value or content, exactly but for blanks around it. Longer contents are tried
 * first; the first item that matches in any way wins. An id that several items have means the first of them.
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
 * The items that a reply mentions anywhere, in the order of display: by id, by value, by content, and by their number.
 * The words that name an item are removed before shorter items are looked for, so that they cannot name one of those, too.
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

/** Letters, digits and combining marks: what a phrase may not touch. */
const wordCharacter = "[\\p{L}\\p{N}\\p{M}]";
const wholeRuns = new RegExp(`${wordCharacter}+`, "gu");
const runFromHere = new RegExp(`${wordCharacter}+`, "uy");
const runUpToHere = new RegExp(`(?<=(${wordCharacter}+))`, "uy");

/**
 * A text in which phrases are looked for. A phrase can only be there if each of its runs of word characters is, so those
 * are kept in a set: thousands of items that are not mentioned cost a look-up each, not a search.
 */
function wordsOf(text: string) {
  let rest = text.trim();
  const runs = new Set(runsOf(rest));

  return {
    /** Whether the phrase stands there as a whole, in upper or lower case, with any blanks between its words. */
    mentions(phrase: string): boolean {
      if (phrase === "" || !runsOf(phrase).every((run) => runs.has(run))) return false;
      const words = phrase.split(/\s+/);
      return words.join("").length <= rest.length && patternOf(words).test(rest);
    },
    /** Takes the first occurrence out, in exactly this spelling. */
    remove(phrase: string): void {
      const from = rest.indexOf(phrase);
      if (from < 0) return;
      const to = from + phrase.length;
      // What stood before and after the removed words is now side by side, and may form a new run.
      for (const run of runsOf(runBefore(rest, from) + runAfter(rest, to))) runs.add(run);
      rest = (rest.slice(0, from) + rest.slice(to)).trim();
    },
  };
}

/** Only blanks repeat in the pattern, and words hold none, so a failed attempt backtracks over one phrase at most. */
function patternOf(words: readonly string[]): RegExp {
  return new RegExp(`(?<!${wordCharacter})${words.map(RegExp.escape).join("\\s+")}(?!${wordCharacter})`, "iu");
}

/** The runs of word characters, in upper case. Lower-cased first: some letters have two lower cases for one upper case. */
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
