import { isSessionVariable, mergedInto } from "./merge.ts";
import type { Frame, ResultUpdate, Step } from "./step.ts";

/** The state of a flow's result. It has all variables with a value but session variables. */
export function resultOf(frame: Frame, resultId: string, { isCompleted }: { isCompleted: boolean }): ResultUpdate {
  return {
    resultId,
    botId: frame.program.botId,
    variables: frame.variables.filled().filter((variable) => !isSessionVariable(frame, variable.id)),
    hasStarted: frame.answers.size > 0,
    isCompleted,
  };
}

/**
 * The results that a step changes: of the linked flows that ended in it, and of the flows under way. A merging flow is merged
 * already here, so that a chat that is abandoned in it keeps its answers and variables.
 */
export function resultsOf(step: Step, { isEnded }: { isEnded: boolean }): ResultUpdate[] {
  const results = new Map(step.record.endedResults.map((result) => [result.resultId, result]));
  let linked: Frame | undefined;
  for (const frame of step.frames) {
    const whole: Frame = linked?.isMerging ? mergedInto(frame, linked) : frame;
    if (frame.resultId !== null) {
      results.set(frame.resultId, resultOf(whole, frame.resultId, { isCompleted: isEnded && whole.answers.size > 0 }));
    }
    linked = whole;
  }
  return [...results.values()];
}
