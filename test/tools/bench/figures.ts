import { type Spread, spreadOf } from "./numbers.ts";

/**
 * A figure that is compared from run to run: a ratio to the database's rate in the same round, processor time, or
 * memory. Rates and latencies are only printed: on a shared machine they depend more on its load than on the code.
 */
export type Figure = { readonly unit: "" | "µs" | "MB"; readonly better: "more" | "less" } & Spread;

/** The figures of one run, by their names. */
export type Figures = {
  /** Notes the values of every round: a ratio of which more is better. */
  ratio(name: string, rounds: readonly number[]): void;
  /** The values of every round of a figure of which less is better. */
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
