import { type Spread, spreadOf } from "./numbers.ts";

/**
 * A figure that is compared between runs: a ratio to the database's rate in the same round, processor time, or memory.
 * Rates and latencies are only printed, because on a shared machine they depend more on its load than on the code.
 */
export type Figure = { readonly unit: "" | "µs" | "MB"; readonly better: "more" | "less" } & Spread;

export type Figures = {
  /** Records the values of all rounds of a ratio. Higher values are better. */
  ratio(name: string, rounds: readonly number[]): void;
  /** Records the values of all rounds of a cost. Lower values are better. */
  cost(name: string, unit: Figure["unit"], rounds: readonly number[]): void;
  readonly all: ReadonlyMap<string, Figure>;
};

export function createFigures(): Figures {
  const all = new Map<string, Figure>();
  const note = (name: string, kind: Pick<Figure, "unit" | "better">, rounds: readonly number[]): void => {
    if (rounds.length > 0) all.set(name, { ...kind, ...spreadOf(rounds) });
  };
  return {
    all,
    ratio: (name, rounds) => note(name, { unit: "", better: "more" }, rounds),
    cost: (name, unit, rounds) => note(name, { unit, better: "less" }, rounds),
  };
}
