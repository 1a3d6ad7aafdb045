import type { Meter } from "../interpreter/meter.ts";
import { StepTooLong } from "../interpreter/step-errors.ts";

/** The work that a meter allows. A step that exceeds the quota of its thread runs again elsewhere: see `threads.ts`. */
export type Quota = {
  readonly blocks: number;
  readonly scriptTicks: number;
  readonly characters: number;
  /** The maximum length of a value that is parsed as Markdown. */
  readonly markdownCharacters: number;
};

/**
 * The quota on a shared thread, which is far more than an ordinary step needs. A step that uses the whole quota takes
 * about 0.2 s.
 */
export const sharedQuota: Quota = {
  blocks: 2_000,
  scriptTicks: 50_000_000,
  characters: 4 * 1024 * 1024,
  markdownCharacters: Number.POSITIVE_INFINITY,
};

/**
 * Creates a meter that throws `StepTooLong` if a step exceeds its quota or `isTimeUp` returns true. `isTimeUp` is not
 * called for inserted characters, because reading the clock for each inserted value costs more than counting.
 */
export function createMeter(quota: Quota, isTimeUp: () => boolean = () => false): Meter {
  const left = { ...quota, comparisons: Number.POSITIVE_INFINITY };
  return {
    spend(what, amount) {
      if (what === "markdownCharacters") left[what] = quota.markdownCharacters;
      left[what] -= amount;
      if (left[what] < 0 || (what !== "characters" && isTimeUp())) throw new StepTooLong();
    },
    scriptTicksLeft: () => left.scriptTicks,
  };
}
