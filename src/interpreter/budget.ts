import { limits } from "../limits.ts";
import { StepRefused, StepTooLong } from "../step-errors.ts";
import type { FlowBlock } from "./flow.ts";

/** What one visit may spend of a step's budget. */
export type Allowance = {
  readonly blocks: number;
  readonly ticks: number;
  readonly characters: number;
  /** The longest text that may be read as markdown, in characters. */
  readonly parsed: number;
};

/** What must be left of each after a visit. */
export type Floor = Omit<Allowance, "parsed">;

/** What is left of a step's budget. */
export type BudgetLeft = {
  blocksLeft: number;
  effectsLeft: number;
  ticksLeft: number;
  charactersLeft: number;
};

/** What the budget needs of a step. */
type Spending = {
  readonly context: { readonly allowance?: Allowance; isTimeUp?(): boolean };
  readonly record: BudgetLeft;
  readonly floor: Floor;
  readonly frames: readonly { readonly variables: { characters(): number } }[];
  /** The last blocks walked, to name a loop. */
  readonly trail: string[];
};

/** What must be left of the budget after a visit that may spend this much; without an allowance nothing must. */
export function floorOf(
  { blocksLeft, ticksLeft, charactersLeft }: BudgetLeft,
  allowance: Allowance | undefined,
): Floor {
  if (!allowance) return { blocks: 0, ticks: 0, characters: 0 };
  return {
    blocks: Math.max(0, blocksLeft - allowance.blocks),
    ticks: Math.max(0, ticksLeft - allowance.ticks),
    characters: Math.max(0, charactersLeft - allowance.characters),
  };
}

/** Counts a block against the step's budget. */
export function spendBlock(step: Spending, block: FlowBlock): void {
  step.trail.push(block.id);
  const left = --step.record.blocksLeft;
  if (left < 0) throw overBudget(step, "blocks");
  if (left < step.floor.blocks) throw new StepTooLong();
  requireTime(step);
  requireSmallVariables(step);
}

/** Ends a visit whose time is up, or that may not read so long a text as markdown. */
export function requireTime(step: Spending, parsed = 0): void {
  const { allowance, isTimeUp } = step.context;
  if (parsed > (allowance?.parsed ?? parsed) || isTimeUp?.()) throw new StepTooLong();
}

/** Counts what a step makes, in characters, against its budget. */
export function spendCharacters(step: Spending, characters: number): void {
  step.record.charactersLeft -= characters;
  if (step.record.charactersLeft < 0) throw overBudget(step, "characters");
  if (step.record.charactersLeft < step.floor.characters) throw new StepTooLong();
  requireTime(step);
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
