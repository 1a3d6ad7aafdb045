/**
 * A known fault that is being fixed. Broken promises that it causes do not count as counterexamples. Remove the entry
 * with the fix.
 */
export type KnownFault = {
  readonly name: string;
  readonly reason: string;
  /** The shortest acts that show the fault. */
  readonly acts: readonly string[];
  /** Whether the violation is an effect of this fault. */
  readonly isSeenIn: (violation: Violation) => boolean;
};

/** A promise that did not hold. */
export class Violation extends Error {
  /** The name of the promise. */
  readonly invariant: string;
  readonly facts: Readonly<Record<string, unknown>>;

  constructor(invariant: string, sentence: string, facts: Readonly<Record<string, unknown>>) {
    super(`${sentence}\n${JSON.stringify(facts, null, 2)}`);
    this.invariant = invariant;
    this.facts = facts;
  }
}

type Facts = Readonly<Record<string, unknown>>;

/** Returns functions that check a model against a list of promises, each with its sentence. */
export function holderOf<Promised extends string>(promises: Readonly<Record<Promised, string>>) {
  /** Throws if a promise does not hold. */
  const hold = (promised: Promised, isKept: boolean, facts: Facts): void => {
    if (!isKept) throw new Violation(promised, promises[promised], facts);
  };
  return {
    hold,
    /** Throws if the two values differ. */
    holdEqual(
      promised: Promised,
      { seen, expected, ...facts }: { readonly seen: unknown; readonly expected: unknown } & Facts,
    ): void {
      hold(promised, Bun.deepEquals(seen, expected), { ...facts, expected, seen });
    },
  };
}
