/** An item that a visitor may choose: `content` is shown, `value` is stored. */
export type Choosable = {
  readonly id: string;
  readonly content?: string | undefined;
  readonly value?: string | undefined;
};

/** A reply to a choice: the text, and the id of the item that was clicked. */
export type ChoiceReply = { readonly text: string; readonly replyId?: string | undefined };

/**
 * The item that a reply names by its id, value or content, ignoring blanks around it. Items with longer contents are
 * tried first. If several items share an id, the first one is chosen.
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
 * The items that a reply mentions anywhere, in the order of display: by id, value, content, and number. Words that
 * matched an item are removed before shorter items are searched, so that they match only one item.
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

/** Letters, digits and combining marks. A phrase next to one of these characters is part of a longer word. */
const wordCharacter = "[\\p{L}\\p{N}\\p{M}]";
const wholeRuns = new RegExp(`${wordCharacter}+`, "gu");
const runFromHere = new RegExp(`${wordCharacter}+`, "uy");
const runUpToHere = new RegExp(`(?<=(${wordCharacter}+))`, "uy");

/**
 * A text to search for phrases. A phrase can only occur if all of its runs of word characters do. A set of the runs
 * makes each of thousands of unmentioned items cost a look-up, not a search.
 */
function wordsOf(text: string) {
  let rest = text.trim();
  const runs = new Set(runsOf(rest));

  return {
    /** Whether the phrase occurs as whole words, ignoring case, with any blanks between the words. */
    mentions(phrase: string): boolean {
      if (phrase === "" || !runsOf(phrase).every((run) => runs.has(run))) return false;
      const words = phrase.split(/\s+/);
      return words.join("").length <= rest.length && patternOf(words).test(rest);
    },
    /** Removes the first occurrence in exactly this spelling. */
    remove(phrase: string): void {
      const from = rest.indexOf(phrase);
      if (from < 0) return;
      const to = from + phrase.length;
      // The characters before and after the removed words are now neighbours, and may form a new run.
      for (const run of runsOf(runBefore(rest, from) + runAfter(rest, to))) runs.add(run);
      rest = (rest.slice(0, from) + rest.slice(to)).trim();
    },
  };
}

/** Backtracks over one phrase at most: only blanks repeat in the pattern, and words have none. */
function patternOf(words: readonly string[]): RegExp {
  return new RegExp(`(?<!${wordCharacter})${words.map(RegExp.escape).join("\\s+")}(?!${wordCharacter})`, "iu");
}

/**
 * The runs of word characters, in upper case. Lower-cased first, since one upper-case letter may have two lower cases.
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
