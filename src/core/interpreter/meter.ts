/**
 * Limits a step to the quota of the thread that runs it, in addition to the step's own budget. A meter does not change
 * the final outcome of a step: a step that exceeds the quota throws `StepTooLong` and runs again elsewhere.
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

/** Called for each block and edge that a walk reaches, for coverage reports and traces. */
export type WalkWatch = {
  block(blockId: string): void;
  edge(edgeId: string): void;
};
