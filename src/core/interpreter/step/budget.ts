import { limits } from "../../../limits/index.ts";
import type { FlowBlock } from "../flow.ts";
import type { Meter, WalkWatch } from "../meter.ts";
import { StepRefused } from "../step-errors.ts";

export type BudgetLeft = {
  blocksLeft: number;
  effectsLeft: number;
  ticksLeft: number;
  charactersLeft: number;
};

type Spending = {
  readonly context: { readonly meter?: Meter | undefined; readonly watch?: WalkWatch | undefined };
  readonly record: BudgetLeft;
  readonly frames: readonly { readonly variables: { characters(): number } }[];
  /** The ids of the most recently run blocks, used to report a loop. */
  readonly trail: string[];
};

export function spendBlock(step: Spending, block: FlowBlock): void {
  step.trail.push(block.id);
  step.context.watch?.block(block.id);
  if (--step.record.blocksLeft < 0) throw overBudget(step, "blocks");
  step.context.meter?.spend("blocks", 1);
  requireSmallVariables(step);
}

/**
 * Counts characters that a step produces. Throws `StepRefused` if the step's budget is exceeded, and `StepTooLong` if
 * the meter's quota is exceeded.
 */
export function spendCharacters(step: Spending, characters: number): void {
  step.record.charactersLeft -= characters;
  if (step.record.charactersLeft < 0) throw overBudget(step, "characters");
  step.context.meter?.spend("characters", characters);
}

/**
 * Throws `StepRefused` if the variables of a running step are too large, so that memory is limited before the variables
 * are stored.
 */
export function requireSmallVariables(step: Spending): void {
  let characters = 0;
  for (const { variables } of step.frames) characters += variables.characters();
  if (characters > limits.session.variablesBytes) throw overBudget(step, "variables");
}

export function spendEffect(step: Spending): void {
  if (--step.record.effectsLeft < 0) throw overBudget(step, "effects");
}

/** Returns the error for a step that exceeds a limit. The error lists the blocks of the step's loop. */
export function overBudget(step: Spending, limit: string): StepRefused {
  return new StepRefused("step.over_budget", { limit, blockIds: loopOf(step.trail) });
}

/**
 * Returns the distinct blocks since the previous run of the last block, at most 50. Without a previous run, returns the
 * distinct blocks among the last 50.
 */
function loopOf(trail: readonly string[]): string[] {
  const last = trail.at(-1);
  const before = trail.lastIndexOf(last ?? "", -2);
  const lap = before < 0 ? trail.slice(-50) : trail.slice(before);
  return [...new Set(lap)].slice(0, 50);
}
