import type { Meter } from "../interpreter/meter.ts";
import { StepTooLong } from "../interpreter/step-errors.ts";

/** The quota of a step in one place. Beyond the quota, the step runs again in another place: see `threads.ts`. */
export type Quota = {
  readonly blocks: number;
  readonly scriptTicks: number;
  readonly characters: number;
  /** The longest value that is read as markdown. */
  readonly markdownCharacters: number;
};

/** On a shared thread: far more than an ordinary step needs, and about 0.2 s. */
export const sharedQuota: Quota = {
  blocks: 2_000,
  scriptTicks: 50_000_000,
  characters: 4 * 1024 * 1024,
  markdownCharacters: Number.POSITIVE_INFINITY,
};

/**
 * Counts a step against its quota; `isTimeUp` also ends it. The clock is not read at each inserted value, since reading
 * it costs more than counting.
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
