/** An item as a contact sees it. */
export type Offered = { readonly id: string; readonly title: string };

export type Offer = {
  readonly items: readonly Offered[];
  readonly isSeveral: boolean;
  /** Whether words within a title find it, where they find one alone. */
  readonly isSearchable: boolean;
};

/**
 * The items that a typed text names, for a text that the block itself did not understand: by its title, in upper or
 * lower case; else by its number as it was shown, in figures of any script. A title that is a number wins over the
 * position. For several, each part counts; undefined if a part names none.
 */
export function namedItems(text: string, { items, isSeveral, isSearchable }: Offer): readonly Offered[] | undefined {
  const byTitle = titlesOf(items);
  const one = (words: string) => byTitle.get(folded(words)) ?? byNumber(items, words);
  const whole = one(text) ?? (isSearchable ? onlyHit(items, text) : undefined);
  if (whole || !isSeveral) return whole && [whole];
  const parts = [...new Set(text.split(/[,;\n&+，、；]+/u))];
  // Each item has a title and a number, in some spellings: a longer text names something else, too.
  if (parts.length > mostParts(items)) return undefined;
  const found = parts.filter((part) => folded(part) !== "").map(one);
  if (found.length === 0 || !found.every((item) => item !== undefined)) return undefined;
  const chosen = new Set(found);
  return items.filter((item) => chosen.has(item));
}

function mostParts(items: readonly Offered[]): number {
  return 100 + 10 * items.length;
}

/** The first item of each title, as it is compared. */
function titlesOf(items: readonly Offered[]): Map<string, Offered> {
  const found = new Map(items.toReversed().map((item) => [folded(item.title), item]));
  found.delete("");
  return found;
}

function byNumber(items: readonly Offered[], words: string): Offered | undefined {
  const figures = /^(\d{1,4})[.)]?$/.exec(inFigures(words.normalize("NFKC").trim()))?.[1];
  return figures === undefined ? undefined : items[Number(figures) - 1];
}

function onlyHit(items: readonly Offered[], words: string): Offered | undefined {
  const wanted = folded(words);
  const hits = wanted === "" ? [] : items.filter(({ title }) => folded(title).includes(wanted));
  return hits.length === 1 ? hits[0] : undefined;
}

function folded(words: string): string {
  return words.normalize("NFC").replace(/\s+/g, " ").trim().toLowerCase();
}

/** Scripts whose figures are ten characters in a row: the first of each. */
const zeros = [0x0660, 0x06f0, 0x0966, 0x09e6, 0x0e50];

/** Figures of other scripts, and keycaps, as ours. */
function inFigures(words: string): string {
  return words.replace(/[\u{fe0f}\u{20e3}]/gu, "").replace(/\p{Nd}/gu, (figure) => {
    const code = figure.codePointAt(0) ?? 0;
    const zero = zeros.find((first) => code >= first && code < first + 10);
    return zero === undefined ? figure : String(code - zero);
  });
}
