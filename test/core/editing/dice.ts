/** Random numbers that are determined by a seed. */
export type Dice = {
  below(count: number): number;
  oneIn(count: number): boolean;
  pick<Value>(values: readonly Value[]): Value | undefined;
};

export function createDice(seed: number): Dice {
  let state = seed >>> 0;
  const next = () => {
    // The mulberry32 algorithm.
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (count: number) => Math.floor(next() * count);
  return { below, oneIn: (count) => below(count) === 0, pick: (values) => values[below(values.length)] };
}
