import type { FrameState } from "../program/state.ts";
import type { FilledVariable, VariableName } from "../program/variables.ts";

/** The state of a result after the step. `isCompleted` only ever turns true. */
export type ResultUpdate = {
  readonly resultId: string;
  readonly botId: string;
  readonly variables: readonly FilledVariable[];
  /** The changes to the chat's own result. Absent: the step set all of these variables, and emptied no other. */
  readonly inStep?: WrittenInStep | undefined;
  /** The result of a linked flow that began in this step: its save makes it. */
  readonly isNew?: true;
  readonly hasStarted: boolean;
  readonly isCompleted: boolean;
};

/** Which of the variables of its result a step wrote: other chats of the result may have written the others since. */
export type WrittenInStep = {
  /** Ids of those that it set. */
  readonly set: readonly string[];
  /** Variables that the step emptied. */
  readonly removed?: readonly VariableName[];
  /** Ids of the flow's further variables that have the name of one that it set. */
  readonly namesakes?: readonly string[];
};

/** The result of the linked flow under way, where that is not the chat's own. */
export function linkedPlace(frames: readonly Pick<FrameState, "resultId">[]): { readonly linkedResultId?: string } {
  const linkedResultId = frames[0]?.resultId ?? null;
  return linkedResultId === null || linkedResultId === frames.at(-1)?.resultId ? {} : { linkedResultId };
}

/** A bubble with a model's answer, and the linked bot's result that it belongs to. */
export type LinkedAnswer = readonly [blockId: string, resultId: string];
