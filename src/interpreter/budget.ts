import { limits } from "../limits.ts";
import { StepRefused } from "../step-errors.ts";
import type { FlowBlock } from "./flow.ts";
import type { Meter } from "./meter.ts";

/** What is left of a step's budget. */
export type BudgetLeft = {
  blocksLeft: number;
  effectsLeft: number;
  ticksLeft: number;
  charactersLeft: number;
};

/** What the budget needs of a step. */
type Spending = {
  readonly context: { readonly meter?: Meter };
  readonly record: BudgetLeft;
  readonly frames: readonly { readonly variables: { characters(): number } }[];
  /** The last blocks walked, to name a loop. */
  readonly trail: string[];
};

/** Counts a block against the step's budget. */
export function spendBlock(step: Spending, block: FlowBlock): void {
  step.trail.push(block.id);
  if (--step.record.blocksLeft < 0) throw overBudget(step, "blocks");
  step.context.meter?.spend("blocks", 1);
  requireSmallVariables(step);
}

/** Counts what a step makes, in characters, against its budget. */
export function spendCharacters(step: Spending, characters: number): void {
  step.record.charactersLeft -= characters;
  if (step.record.charactersLeft < 0) throw overBudget(step, "characters");
  step.context.meter?.spend("characters", characters);
}

/** Holds variables to their bound while the step runs, so that none grows without end before it is saved. */
export function requireSmallVariables(step: Spending): void {
  let characters = 0;
  for (const { variables } of step.frames) characters += variables.characters();
  if (characters > limits.session.variablesBytes) throw overBudget(step, "variables");
}

/** Counts an effect against the step's budget. */
export function spendEffect(step: Spending): void {
  if (--step.record.effectsLeft < 0) throw overBudget(step, "effects");
}

/** What a step is refused with that goes round and round: names the blocks of the last lap. */
export function overBudget(step: Spending, limit: string): StepRefused {
  return new StepRefused("step.over_budget", { limit, blockIds: loopOf(step.trail) });
}

/** The distinct blocks of the last lap, at most 50. */
function loopOf(trail: readonly string[]): string[] {
  const last = trail.at(-1);
  const before = trail.lastIndexOf(last ?? "", -2);
  const lap = before < 0 ? trail.slice(-50) : trail.slice(before);
  return [...new Set(lap)].slice(0, 50);
}
