import { isSessionVariable, mergedInto } from "./merge.ts";
import type { Frame, ResultUpdate, Step } from "./step.ts";

/** How a flow's result stands: its variables that hold something, except session variables. */
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
 * The results that a step changes: those of flows that ended in it, and one for each result of the flows under way. What a
 * merging flow holds counts at once, so that a chat that is broken off in it keeps its answers and variables.
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
