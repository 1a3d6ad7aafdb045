/** Without case and accents: "sao" finds "São". */
export function folded(text: string): string {
  return text.normalize("NFKD").replaceAll(/\p{M}/gu, "").trim().toLowerCase();
}

/** The texts of a choice that are searched. */
export type Searched = {
  readonly label: string;
  readonly words?: readonly string[] | undefined;
  readonly detail?: string | undefined;
};

/**
 * What fits what is typed, the best first: what begins so, what has it in its name, what it is another word for, what another word begins so,
 * and what has it in its other words or its detail.
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
    if (name.startsWith(wanted)) return 0;
    if (name.includes(wanted)) return 1;
    const others = words.map(folded);
    if (others.includes(wanted)) return 2;
    if (others.some((word) => word.startsWith(wanted))) return 3;
    return [...others, folded(detail)].some((word) => word.includes(wanted)) ? 4 : 5;
  };
  return choices
    .map((choice) => ({ choice, rank: rank(read(choice)) }))
    .filter((one) => one.rank < 5)
    .sort((one, other) => one.rank - other.rank)
    .map(({ choice }) => choice);
}
