import type { FrameState } from "../program/state.ts";
import type { FilledVariable, VariableName } from "../program/variables.ts";

/** The state of a result after the step. `isCompleted` can only change to true. */
export type ResultUpdate = {
  readonly resultId: string;
  readonly botId: string;
  readonly variables: readonly FilledVariable[];
  /**
   * The changes to the chat's own result. Absent for other results, and if the step set all variables of the result and
   * no other variable must be removed.
   */
  readonly inStep?: WrittenInStep | undefined;
  /** Whether the result belongs to a linked flow that started in this step. Saving the step creates the result. */
  readonly isNew?: true;
  readonly hasStarted: boolean;
  readonly isCompleted: boolean;
};

/**
 * The variables that a step wrote to its result. Other chats with the same result may have written the other variables
 * in the meantime.
 */
export type WrittenInStep = {
  /** The ids of the variables that the step set. */
  readonly set: readonly string[];
  /** The variables that the step emptied or that became session variables. */
  readonly removed?: readonly VariableName[];
  /** The ids of other variables in the flow with the same name as a variable that the step set. */
  readonly namesakes?: readonly string[];
};

/** Returns the result of the running linked flow, unless it is the chat's own result. */
export function linkedPlace(frames: readonly Pick<FrameState, "resultId">[]): { readonly linkedResultId?: string } {
  const linkedResultId = frames[0]?.resultId ?? null;
  return linkedResultId === null || linkedResultId === frames.at(-1)?.resultId ? {} : { linkedResultId };
}

/** A bubble with a model's answer, and the result of the linked bot that showed the answer. */
export type LinkedAnswer = readonly [blockId: string, resultId: string];
