/** Without case and accents: "sao" finds "São". */
export function folded(text: string): string {
  return text.normalize("NFKD").replaceAll(/\p{M}/gu, "").trim().toLowerCase();
}

/**
 * How well a name fits the typed text, the best is 0: it is that, begins so, one of its words begins so, or has it
 * within; undefined if it is not in it.
 */
export function fitOf(name: string, typed: string): 0 | 1 | 2 | 3 | undefined {
  const [all, wanted] = [folded(name), folded(typed)];
  if (all === wanted) return 0;
  if (all.startsWith(wanted)) return 1;
  if (!all.includes(wanted)) return undefined;
  const words = all.split(/(?<=[^\p{L}\p{N}])(?=[\p{L}\p{N}])/u);
  return words.some((_, index) => words.slice(index).join("").startsWith(wanted)) ? 2 : 3;
}

/** Entries whose names contain the typed text, best fits first. */
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
  /** Whether the typed text itself is the choice. */
  readonly keepsTyped: boolean | undefined;
};

/**
 * Fitting entries with the one that makes the typed text: before names that have it within by chance, so that Enter
 * makes "Price" where there is only "Unitprice"; and before all where the text itself is meant, as "gpt-4" beside
 * "gpt-4o".
 */
export function withMade<Named extends { readonly label: string }>(
  found: readonly Named[],
  { made, wish, keepsTyped = false }: Making<Named>,
): readonly Named[] {
  const known = keepsTyped ? [] : found.filter(({ label }) => (fitOf(label, wish) ?? 3) < 3);
  return [...known, made, ...found.filter((option) => !known.includes(option))];
}

/** The texts of a choice that are searched. */
export type Searched = {
  readonly label: string;
  readonly words?: readonly string[] | undefined;
  readonly detail?: string | undefined;
};

/**
 * What fits the typed text, the best first: what is called so, what begins so, what has it in its name, what it is
 * another word for, what another word begins so, and what has it in its other words or its detail.
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
