/**
 * Holds a step to the quota of the place where it runs, beside the step's own budget. It never changes a step's outcome: a step
 * over its quota ends with `StepTooLong` and is run again elsewhere.
 */
export type Meter = {
  /** Throws `StepTooLong` beyond the quota. `markdownCharacters` are those of one value, spent before it is parsed. */
  spend(what: "blocks" | "comparisons" | "characters" | "markdownCharacters" | "scriptTicks", amount: number): void;
  /** The bound of the next script. */
  scriptTicksLeft(): number;
};

/** Is told where walks go, for whoever wants to know which part of a flow was met. */
export type WalkWatch = {
  block(blockId: string): void;
  edge(edgeId: string): void;
};
