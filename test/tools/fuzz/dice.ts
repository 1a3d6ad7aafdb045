import { randomOf } from "../../chaos/random.ts";

/** Choices that follow from a seed. */
export type Dice = {
  /** A whole number from 0 up to this one, exclusive. */
  below(end: number): number;
  /** True in one of this number of cases. */
  oneIn(cases: number): boolean;
  pick<Value>(list: readonly [Value, ...Value[]]): Value;
  pick<Value>(list: readonly Value[]): Value | undefined;
};

/** The choices of one visit: independent of other visits, so that a single visit can be repeated. */
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
