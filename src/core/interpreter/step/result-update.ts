import type { FrameState } from "../program/state.ts";
import type { FilledVariable, VariableName } from "../program/variables.ts";

/** The state of a result after the step. `isCompleted` changes only to true. */
export type ResultUpdate = {
  readonly resultId: string;
  readonly botId: string;
  readonly variables: readonly FilledVariable[];
  /**
   * The changes to the chat's own result. Absent: the step set all of these variables, and emptied no other variable.
   */
  readonly inStep?: WrittenInStep | undefined;
  /** The result of a linked flow that began in this step: its save creates the result. */
  readonly isNew?: true;
  readonly hasStarted: boolean;
  readonly isCompleted: boolean;
};

/** The variables of its result that a step wrote: other chats of the result may have written the others since. */
export type WrittenInStep = {
  /** Ids of the variables that the step set. */
  readonly set: readonly string[];
  /** Variables that the step emptied. */
  readonly removed?: readonly VariableName[];
  /** Ids of the flow's further variables with the name of a variable that the step set. */
  readonly namesakes?: readonly string[];
};

/** The result of the running linked flow, if it is not the chat's own. */
export function linkedPlace(frames: readonly Pick<FrameState, "resultId">[]): { readonly linkedResultId?: string } {
  const linkedResultId = frames[0]?.resultId ?? null;
  return linkedResultId === null || linkedResultId === frames.at(-1)?.resultId ? {} : { linkedResultId };
}

/** A bubble with a model's answer, and the linked bot's result that it belongs to. */
export type LinkedAnswer = readonly [blockId: string, resultId: string];
