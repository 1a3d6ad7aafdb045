/**
 * Limits a step to the quota of the place where it runs, beside the step's own budget. A meter never changes a step's
 * outcome: a step over its quota ends with `StepTooLong` and runs again elsewhere.
 */
export type Meter = {
  /**
   * Throws `StepTooLong` beyond the quota. `markdownCharacters` is the length of one value, charged before the value is
   * parsed.
   */
  spend(what: "blocks" | "comparisons" | "characters" | "markdownCharacters" | "scriptTicks", amount: number): void;
  /** The bound of the next script. */
  scriptTicksLeft(): number;
};

/** Is called with each place that a walk reaches: for reports of the parts of a flow that were covered. */
export type WalkWatch = {
  block(blockId: string): void;
  edge(edgeId: string): void;
};
