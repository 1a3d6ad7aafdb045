/**
 * Counts what a step spends where it runs, beside the step's own budget. Whoever runs the step hands it in, and what the step
 * comes to never depends on it: a step that spends too much ends with `StepTooLong`, and is run again elsewhere.
 */
export type Meter = {
  /** Throws `StepTooLong` when that is too much. `markdownCharacters`: of one value, before it is read. */
  spend(what: "blocks" | "comparisons" | "characters" | "markdownCharacters" | "scriptTicks", amount: number): void;
  /** What the next script may use. */
  scriptTicksLeft(): number;
};
