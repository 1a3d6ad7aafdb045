import { notAsking, type SeedOfQuestion } from "../program/state.ts";

/**
 * Returns the seed with which the next reply repeats the random numbers of an undone reply. `asks`: the waiting input,
 * if any.
 */
export function nextSeedOf(
  seeds: readonly SeedOfQuestion[],
  asks: { readonly id: string } | undefined,
): string | undefined {
  const open = asks?.id ?? notAsking;
  return seeds.find(([id]) => id === open)?.[1];
}

/**
 * Removes the seed of a block from which the chat continues, so that further visits draw new numbers. A rejected reply
 * keeps the seed.
 */
export function dropSeed(step: { seeds: readonly SeedOfQuestion[] | undefined }, id: string): void {
  const { seeds } = step;
  if (!seeds) return;
  const used = seeds.findIndex(([blockId]) => blockId === id);
  const left = seeds.filter((_, index) => index !== used);
  step.seeds = left.length > 0 ? left : undefined;
}
