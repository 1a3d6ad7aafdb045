import { type Frame, head, type ResultUpdate, type Step } from "./step.ts";

/** How a flow's result stands: its variables that hold something, except session variables. */
export function resultOf(frame: Frame, resultId: string, { isCompleted }: { isCompleted: boolean }): ResultUpdate {
  const known = frame.program.variables.byId;
  const isKept = (id: string): boolean =>
    known.get(id)?.isSessionVariable !== true && !frame.sessionVariableIds.has(id);
  return {
    resultId,
    botId: frame.program.botId,
    variables: frame.variables.filled().filter((variable) => isKept(variable.id)),
    hasStarted: frame.answers.size > 0,
    isCompleted,
  };
}

/** The results that a step changes: those of flows that ended in it, and one for each result of the flows under way. */
export function resultsOf(step: Step, { isEnded }: { isEnded: boolean }): ResultUpdate[] {
  const results = new Map(step.record.endedResults.map((result) => [result.resultId, result]));
  for (const frame of step.frames) {
    if (frame.resultId === null) continue;
    const isCompleted = isEnded && head(step).answers.size > 0;
    results.set(frame.resultId, resultOf(frame, frame.resultId, { isCompleted }));
  }
  return [...results.values()];
}
