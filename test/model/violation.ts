/** A fault of the product that is known and being mended: a promise that it breaks is no counterexample. Remove the entry when you mend it. */
export type KnownFault = {
  readonly name: string;
  readonly reason: string;
  /** The shortest acts that show it. */
  readonly acts: readonly string[];
  /** Whether this is what is seen of it. */
  readonly isSeenIn: (violation: Violation) => boolean;
};

/** A promise that did not hold. */
export class Violation extends Error {
  /** The promise's name in the list of invariants. */
  readonly invariant: string;
  readonly facts: Readonly<Record<string, unknown>>;

  constructor(invariant: string, sentence: string, facts: Readonly<Record<string, unknown>>) {
    super(`${sentence}\n${JSON.stringify(facts, null, 2)}`);
    this.invariant = invariant;
    this.facts = facts;
  }
}
