import { randomOf } from "../../chaos/random.ts";

/** Choices that follow from a seed. */
export type Dice = {
  /** A whole number from 0 up to but without this one. */
  below(end: number): number;
  /** True in one of so many cases. */
  oneIn(cases: number): boolean;
  pick<Value>(list: readonly [Value, ...Value[]]): Value;
  pick<Value>(list: readonly Value[]): Value | undefined;
};

/** The choices of one visit: they depend on no other visit, so that one can be repeated alone. */
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
