import { createVariables, type FilledVariable, type Variables } from "../program/variables.ts";
import type { Frame, ResultUpdate, Step } from "./step.ts";

/** The state of a flow's result. It has every variable with a value, except session variables. */
export function resultOf(frame: Frame, resultId: string, { isCompleted }: { isCompleted: boolean }): ResultUpdate {
  return {
    resultId,
    botId: frame.program.botId,
    variables: keptVariables(frame),
    hasStarted: frame.answers.size > 0,
    isCompleted,
  };
}

/**
 * The results that a step changes: of the linked flows that ended in it, and of the flows under way. A merging flow is merged
 * already here, so that a chat that is abandoned in it keeps its answers and variables.
 */
export function resultsOf(step: Step, { isEnded }: { isEnded: boolean }): ResultUpdate[] {
  const [only, parent] = step.frames;
  // The usual case, without a map of results.
  if (only && !parent && step.record.endedResults.length === 0) {
    const { resultId } = only;
    return resultId === null ? [] : [resultOf(only, resultId, { isCompleted: isEnded && only.answers.size > 0 })];
  }
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

/** A copy of the parent flow with the variables and answers of the linked one. */
export function mergedInto(parent: Frame, child: Frame): Frame {
  const variables = createVariables(parent.program, parent.variables.entries());
  const sessionVariableIds = new Set(parent.sessionVariableIds);
  if (child.program === parent.program) for (const id of child.sessionVariableIds) sessionVariableIds.add(id);

  takeNamesakes(variables, child.variables);
  const own = namesOf(variables);
  for (const { id, name, value } of child.variables.filled()) {
    if (own.has(name)) continue;
    const freeId = freeIdIn(variables, id);
    variables.add({ id: freeId, name, value });
    if (isSessionVariable(child, id)) sessionVariableIds.add(freeId);
  }
  const kept = [...parent.answers].filter(([key]) => !child.answers.has(key));
  return { ...parent, variables, sessionVariableIds, answers: new Map([...kept, ...child.answers]) };
}

function keptVariables(frame: Frame): FilledVariable[] {
  const filled = frame.variables.filled();
  if (!frame.program.variables.hasSessionVariables && frame.sessionVariableIds.size === 0) return filled;
  return filled.filter(({ id }) => !isSessionVariable(frame, id));
}

/** Whether results leave this variable out. */
function isSessionVariable({ program, sessionVariableIds }: Frame, id: string): boolean {
  return program.variables.byId.get(id)?.isSessionVariable === true || sessionVariableIds.has(id);
}

/** Takes over values by name, except those that the linked flow emptied. Equal values keep their place in the order of writing. */
function takeNamesakes(variables: Variables, linked: Variables): void {
  const writes = [];
  for (const [variableId, value] of variables.all()) {
    const found = linked.byName(variables.nameOf(variableId));
    if (found !== undefined && JSON.stringify(found) !== JSON.stringify(value))
      writes.push({ variableId, value: found, isExact: true as const });
  }
  variables.write(writes);
}

function namesOf(variables: Variables): Set<string> {
  return new Set([...variables.all()].map(([id]) => variables.nameOf(id)));
}

/** In copies of a bot one id may belong to variables of different names, which must not overwrite each other. */
function freeIdIn(variables: Variables, id: string): string {
  let freeId = id;
  while (variables.has(freeId)) freeId = `${freeId}_linked`;
  return freeId;
}
