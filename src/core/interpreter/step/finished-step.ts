import { authorsDetails, type StepLog } from "../program/outcome.ts";
import type { SessionState } from "../program/state.ts";
import { createVariables, type FilledVariable, type Variables, type Write } from "../program/variables.ts";
import { progressOf } from "./progress.ts";
import type { ResultUpdate, WrittenInStep } from "./result-update.ts";
import { closeStep, type Frame, type Step } from "./step.ts";
import { viewOf } from "./step-view.ts";

/**
 * A step's response to its caller. As text it has only the keys with a value: choosing them here would cost a copy
 * each.
 */
export type StepResponse = {
  readonly messages: readonly unknown[];
  readonly input?: unknown;
  readonly clientSideActions: readonly unknown[];
  readonly logs: readonly unknown[];
  readonly dynamicTheme?: unknown;
  /** For a step whose answer the visitor's client drew while it was streamed: the answer's text, as it was drawn. */
  readonly streamedText?: string | undefined;
  /** How many of the step's messages and actions belong to earlier steps, which the client was not shown. */
  readonly repeated?: { readonly messages: number; readonly clientSideActions: number } | undefined;
  /** When the chat continues on its own. Absent: it waits forever. */
  readonly goesOnAt?: string | undefined;
  readonly progress: number;
  readonly lastMessageNewFormat?: string | undefined;
};

/** The step's response. Updates the step's progress. Logs that may hold secrets are left out. */
export function responseOf(step: Step, { isEnded }: { isEnded: boolean }): StepResponse {
  const { record, context } = step;
  const dynamicTheme = dynamicThemeOf(step);
  step.progress = progressOf(step, { isEnded });
  const { repeated } = record;
  return {
    messages: repeated ? [...repeated.messages, ...record.messages] : record.messages,
    input: record.input,
    clientSideActions: repeated ? [...repeated.actions, ...record.actions] : record.actions,
    logs: record.logs.length === 0 ? record.logs : shownLogs(record.logs, context),
    dynamicTheme,
    streamedText: record.streamedText,
    repeated: repeated && { messages: repeated.messages.length, clientSideActions: repeated.actions.length },
    goesOnAt: step.timer && new Date(step.timer.due).toISOString(),
    progress: step.progress,
    lastMessageNewFormat: record.lastMessageNewFormat,
  };
}

function shownLogs(logs: readonly StepLog[], context: Step["context"]): Omit<StepLog, "isPrivate">[] {
  return logs.filter((log) => !(log.isPrivate && context.isLive)).map((log) => shownLog(log, context));
}

function shownLog(
  { isPrivate: _, textInsteadAt: __, reason: ___, blockId: ____, forAuthors, ...log }: StepLog,
  { isLive }: Step["context"],
): Omit<StepLog, "isPrivate"> {
  if (isLive || forAuthors === undefined) return log;
  const details = authorsDetails({ ...log, forAuthors });
  return details === undefined ? log : { ...log, details };
}

/** The addresses of the theme that depend on variables. */
function dynamicThemeOf(step: Step): Record<string, string> | undefined {
  const found = step.frames.at(-1)?.program.dynamicTheme ?? [];
  if (found.length === 0) return undefined;
  const view = viewOf(step);
  return Object.fromEntries(found.map(([name, url]) => [name, view.text(url)]));
}

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
 * The results that a step changes: of the linked flows that ended in it, and of the running flows. A merging flow is
 * merged already here, so that a chat abandoned in it keeps its answers and variables.
 */
export function resultsOf(step: Step, { isEnded }: { isEnded: boolean }): ResultUpdate[] {
  const [only, parent] = step.frames;
  // The usual case, without a map of results.
  if (only && !parent && step.record.endedResults.length === 0) {
    const { resultId } = only;
    return resultId === null ? [] : [ownResultOf(only, resultId, { isCompleted: isEnded && only.answers.size > 0 })];
  }
  const results = new Map(step.record.endedResults.map((result) => [result.resultId, result]));
  let linked: Frame | undefined;
  for (const frame of step.frames) {
    const whole: Frame = linked?.isMerging ? mergedInto(frame, linked) : frame;
    if (frame.resultId !== null) {
      const update = frame === step.frames.at(-1) ? ownResultOf : resultOf;
      results.set(frame.resultId, update(whole, frame.resultId, { isCompleted: isEnded && whole.answers.size > 0 }));
    }
    linked = whole;
  }
  const { begunResults } = step.record;
  if (!begunResults) return [...results.values()];
  return [...results.values()].map((result) =>
    begunResults.includes(result.resultId) ? { ...result, isNew: true } : result,
  );
}

/** The state of the chat's own result, which other chats may also write. */
function ownResultOf(frame: Frame, resultId: string, options: { isCompleted: boolean }): ResultUpdate {
  const result = resultOf(frame, resultId, options);
  const inStep = writtenInStep(frame, result.variables);
  return inStep ? { ...result, inStep } : result;
}

function writtenInStep(
  { program, variables, sessionVariableIds }: Frame,
  kept: ResultUpdate["variables"],
): WrittenInStep | undefined {
  const ids = variables.setIds() ?? noIds;
  const set = kept.filter(({ id }) => ids.has(id));
  const emptied = [...ids].filter((id) => variables.get(id) === null);
  const hidden = sessionVariableIds.size > 0 ? [...sessionVariableIds] : [];
  const removed = [...emptied, ...hidden].map((id) => ({ id, name: variables.nameOf(id) }));
  const { byName, hasNamesakes } = program.variables;
  const namesakes = hasNamesakes
    ? set.flatMap(({ id, name }) => byName.get(name)?.filter((one) => one.id !== id) ?? [])
    : [];
  if (set.length === kept.length && removed.length + namesakes.length === 0) return undefined;
  return {
    set: set.map(({ id }) => id),
    ...(removed.length > 0 && { removed }),
    ...(namesakes.length > 0 && { namesakes: namesakes.map(({ id }) => id) }),
  };
}

const noIds: ReadonlySet<string> = new Set();

/** A copy of the parent flow with the variables and answers of the linked one. */
export function mergedInto(parent: Frame, child: Frame): Frame {
  const variables = createVariables(parent.program, parent.variables.entries(), parent.variables.setIds());
  const sessionVariableIds = new Set(parent.sessionVariableIds);
  if (child.program === parent.program) for (const id of child.sessionVariableIds) sessionVariableIds.add(id);

  takeNamesakes(variables, child.variables);
  const own = namesOf(variables);
  for (const { id, name, value } of child.variables.filled()) {
    if (own.has(name)) continue;
    const freeId = freeIdIn(variables, id);
    variables.add({ id: freeId, name, value, isSet: child.variables.setIds()?.has(id) === true });
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

/**
 * Copies values by name, except for variables that the linked flow emptied. Equal values keep their place in the order
 * of writing. They count as set by this step if it set them in the linked flow.
 */
function takeNamesakes(variables: Variables, linked: Variables): void {
  const setNames = new Set([...(linked.setIds() ?? noIds)].map((id) => linked.nameOf(id)));
  const [writes, others]: [Write[], Write[]] = [[], []];
  const again: string[] = [];
  for (const [variableId, value] of variables.all()) {
    const name = variables.nameOf(variableId);
    const found = linked.byName(name);
    if (found === undefined) continue;
    const isSet = setNames.has(name);
    if (JSON.stringify(found) !== JSON.stringify(value))
      (isSet ? writes : others).push({ variableId, value: found, isExact: true });
    else if (isSet) again.push(variableId);
  }
  variables.setAgain(again);
  variables.restore(others);
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

/**
 * The state with the variables that the step has set: of a running step, or of a step whose next step has to save them.
 */
export function closeWithSet(step: Step): SessionState {
  const state = closeStep(step);
  const queue = state.queue.map((frame, index) => {
    const set = step.frames[index]?.variables.setIds();
    return set ? { ...frame, set: [...set] } : frame;
  });
  return { ...state, queue };
}
