/**
 * Limits the work of steps, in addition to the budget of each step. A step that exceeds the quota throws `StepTooLong`,
 * and the service then runs the step again elsewhere.
 */
export type Meter = {
  /**
   * Counts an amount against the quota. Throws `StepTooLong` if the quota is exceeded. `markdownCharacters` is the
   * length of a single value and is charged before the value is parsed.
   */
  spend(what: "blocks" | "comparisons" | "characters" | "markdownCharacters" | "scriptTicks", amount: number): void;
  /** Returns the maximum number of ticks for the next script. */
  scriptTicksLeft(): number;
};

/** Called for each block and edge that a walk reaches, for coverage reports, replays and traces. */
export type WalkWatch = {
  block(blockId: string): void;
  edge(edgeId: string): void;
};
