import { resultOf } from "./result.ts";
import { type Frame, head, type Step } from "./step.ts";

/** Ends the running flow and goes back to the one that linked to it: variables and answers are merged if the link says so. */
export function leaveLinkedFlow(step: Step): void {
  const child = step.frames.shift();
  if (!child) return;
  const parent = head(step);
  if (child.isMerging) merge(child, parent);
  else if (child.resultId !== null && child.resultId !== parent.resultId) {
    step.record.endedResults.push(resultOf(child, child.resultId, { isCompleted: true }));
  }
  step.totalAnswers += parent.answers.size;
}

function merge(child: Frame, parent: Frame): void {
  for (const { id, name, value } of child.variables.filled()) {
    const namesake = parent.variables.idOf(name);
    if (namesake === undefined) parent.variables.add({ id, name, value });
    else parent.variables.write([{ variableId: namesake, value }]);
  }
  const own = [...parent.answers].filter(([key]) => !child.answers.has(key));
  parent.answers = new Map([...own, ...child.answers]);
}
