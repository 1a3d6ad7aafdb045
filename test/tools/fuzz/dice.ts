import { randomOf } from "../../chaos/random.ts";

/** Pseudorandom choices that are determined by a seed. */
export type Dice = {
  /** Returns an integer from 0 to `end`, exclusive. */
  below(end: number): number;
  /** Returns true in one out of `cases` calls on average. */
  oneIn(cases: number): boolean;
  pick<Value>(list: readonly [Value, ...Value[]]): Value;
  pick<Value>(list: readonly Value[]): Value | undefined;
};

/** Returns the choices of one visit. They are independent of other visits, so that a single visit can be repeated. */
export function diceOf({ seed, visit }: { seed: number; visit: number }): Dice {
  const random = randomOf(Math.imul(seed, 0x9e3779b1) ^ Math.imul(visit + 1, 0x85ebca6b));
  const below = (end: number) => Math.floor(random() * end);
  function pick<Value>(list: readonly [Value, ...Value[]]): Value;
  function pick<Value>(list: readonly Value[]): Value | undefined;
  function pick<Value>(list: readonly Value[]): Value | undefined {
    return list[below(list.length)];
  }
  return { below, oneIn: (cases) => below(cases) === 0, pick };
}
