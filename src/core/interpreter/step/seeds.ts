import { notAsking, type SeedOfQuestion } from "../program/state.ts";

/**
 * The seed with which the next reply repeats the random numbers of the undone reply. `asks`: the open input, if there
 * is one.
 */
export function nextSeedOf(
  seeds: readonly SeedOfQuestion[],
  asks: { readonly id: string } | undefined,
): string | undefined {
  const open = asks?.id ?? notAsking;
  return seeds.find(([id]) => id === open)?.[1];
}

/**
 * The chat continues from an input, or from a block that asks nothing: each further visit draws new numbers. A refused
 * reply keeps the seed.
 */
export function dropSeed(step: { seeds: readonly SeedOfQuestion[] | undefined }, id: string): void {
  const { seeds } = step;
  if (!seeds) return;
  const used = seeds.findIndex(([blockId]) => blockId === id);
  const left = seeds.filter((_, index) => index !== used);
  step.seeds = left.length > 0 ? left : undefined;
}
