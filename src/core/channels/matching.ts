/** An item as displayed to a contact. */
export type Offered = { readonly id: string; readonly title: string };

export type Offer = {
  readonly items: readonly Offered[];
  readonly isSeveral: boolean;
  /** Whether a contact may name an item by a part of its title. The part must occur in a single title. */
  readonly isSearchable: boolean;
};

/**
 * Returns the items that a typed text names, or undefined if the text is anything else. Items match by title, ignoring
 * case, or by the displayed number, in digits of several scripts. A title that is a number takes precedence over a
 * position. If several items may be chosen, every non-empty part of the text must name an item.
 */
export function namedItems(text: string, { items, isSeveral, isSearchable }: Offer): readonly Offered[] | undefined {
  const byTitle = titlesOf(items);
  const one = (words: string) => byTitle.get(folded(words)) ?? byNumber(items, words);
  const whole = one(text) ?? (isSearchable ? onlyHit(items, text) : undefined);
  if (whole || !isSeveral) return whole && [whole];
  const parts = [...new Set(text.split(/[,;\n&+，、；]+/u))];
  // A text with far more parts than there are items is not a list of items.
  if (parts.length > mostParts(items)) return undefined;
  const found = parts.filter((part) => folded(part) !== "").map(one);
  if (found.length === 0 || !found.every((item) => item !== undefined)) return undefined;
  const chosen = new Set(found);
  return items.filter((item) => chosen.has(item));
}

function mostParts(items: readonly Offered[]): number {
  return 100 + 10 * items.length;
}

/** Maps each normalised title to the first item with that title. */
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

/** The zeros of other scripts, whose digits have consecutive code points. */
const zeros = [0x0660, 0x06f0, 0x0966, 0x09e6, 0x0e50];

/** Converts digits of the scripts in `zeros`, and keycap emoji, to ASCII digits. */
function inFigures(words: string): string {
  return words.replace(/[\u{fe0f}\u{20e3}]/gu, "").replace(/\p{Nd}/gu, (figure) => {
    const code = figure.codePointAt(0) ?? 0;
    const zero = zeros.find((first) => code >= first && code < first + 10);
    return zero === undefined ? figure : String(code - zero);
  });
}
