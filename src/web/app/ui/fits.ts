/** Removes case, accents and surrounding spaces, so that "sao" finds "São". */
export function folded(text: string): string {
  return text.normalize("NFKD").replaceAll(/\p{M}/gu, "").trim().toLowerCase();
}

/**
 * Returns how well a name matches the typed text: 0 if they are equal, 1 if the name begins with the text, 2 if a word
 * of the name does, 3 if the name contains the text. Undefined if there is no match.
 */
export function fitOf(name: string, typed: string): 0 | 1 | 2 | 3 | undefined {
  const [all, wanted] = [folded(name), folded(typed)];
  if (all === wanted) return 0;
  if (all.startsWith(wanted)) return 1;
  if (!all.includes(wanted)) return undefined;
  const words = all.split(/(?<=[^\p{L}\p{N}])(?=[\p{L}\p{N}])/u);
  return words.some((_, index) => words.slice(index).join("").startsWith(wanted)) ? 2 : 3;
}

/** Returns the entries whose names contain the typed text, best matches first. */
export function fittingNames<Named>(
  all: readonly Named[],
  typed: string,
  nameOf: (one: Named) => string,
): readonly Named[] {
  return all
    .flatMap((one) => {
      const fit = fitOf(nameOf(one), typed);
      return fit === undefined ? [] : [{ one, fit }];
    })
    .sort((left, right) => left.fit - right.fit)
    .map(({ one }) => one);
}

type Making<Named> = {
  readonly made: Named;
  readonly wish: string;
  /** Whether the typed text itself is a valid value. */
  readonly keepsTyped: boolean | undefined;
};

/**
 * Adds the entry that creates an option from the typed text. The entry comes before names that only contain the text,
 * so that Enter creates "Price" if there is only "Unitprice". If the typed text itself is a valid value, the entry
 * comes first, for example "gpt-4" before "gpt-4o".
 */
export function withMade<Named extends { readonly label: string }>(
  found: readonly Named[],
  { made, wish, keepsTyped = false }: Making<Named>,
): readonly Named[] {
  const known = keepsTyped ? [] : found.filter(({ label }) => (fitOf(label, wish) ?? 3) < 3);
  return [...known, made, ...found.filter((option) => !known.includes(option))];
}

/** The texts of an option that are searched. */
export type Searched = {
  readonly label: string;
  readonly words?: readonly string[] | undefined;
  readonly detail?: string | undefined;
};

/**
 * Returns the matches of the typed text, best first; all choices if nothing is typed. Matches in the name precede
 * matches in search terms and details. Within each kind, equal texts come first, then texts that begin with the typed
 * text, then texts that contain it.
 */
export function bestFits<Choice>(
  choices: readonly Choice[],
  typed: string,
  read: (choice: Choice) => Searched,
): readonly Choice[] {
  const wanted = folded(typed.trim());
  if (wanted === "") return choices;
  const rank = ({ label, words = [], detail = "" }: Searched): number => {
    const name = folded(label);
    if (name === wanted) return 0;
    if (name.startsWith(wanted)) return 1;
    if (name.includes(wanted)) return 2;
    const others = words.map(folded);
    if (others.includes(wanted)) return 3;
    if (others.some((word) => word.startsWith(wanted))) return 4;
    return [...others, folded(detail)].some((word) => word.includes(wanted)) ? 5 : 6;
  };
  return choices
    .map((choice) => ({ choice, rank: rank(read(choice)) }))
    .filter((one) => one.rank < 6)
    .sort((one, other) => one.rank - other.rank)
    .map(({ choice }) => choice);
}
