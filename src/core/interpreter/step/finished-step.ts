import { authorsDetails, type StepLog } from "../program/outcome.ts";
import type { SessionState } from "../program/state.ts";
import { createVariables, type FilledVariable, type Variables, type Write } from "../program/variables.ts";
import { progressOf } from "./progress.ts";
import type { ResultUpdate, WrittenInStep } from "./result-update.ts";
import { closeStep, type Frame, type Step } from "./step.ts";
import { viewOf } from "./step-view.ts";

/**
 * The response of a step to its caller. Keys without a value are undefined and are omitted during serialisation,
 * because removing the keys would require a copy.
 */
export type StepResponse = {
  readonly messages: readonly unknown[];
  readonly input?: unknown;
  readonly clientSideActions: readonly unknown[];
  readonly logs: readonly unknown[];
  readonly dynamicTheme?: unknown;
  /** The text of an answer as the visitor's client rendered it while streaming. Absent if no answer was streamed. */
  readonly streamedText?: string | undefined;
  /**
   * The number of messages and actions in the response that belong to earlier steps, which the client had not received.
   */
  readonly repeated?: { readonly messages: number; readonly clientSideActions: number } | undefined;
  /** The time at which the chat continues without a request. Absent if the chat waits indefinitely. */
  readonly goesOnAt?: string | undefined;
  readonly progress: number;
  readonly lastMessageNewFormat?: string | undefined;
};

/**
 * Returns the step's response and updates the step's progress. In live chats, log entries that may contain secrets are
 * omitted.
 */
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

/** Returns the theme addresses that depend on variables, if any. */
function dynamicThemeOf(step: Step): Record<string, string> | undefined {
  const found = step.frames.at(-1)?.program.dynamicTheme ?? [];
  if (found.length === 0) return undefined;
  const view = viewOf(step);
  return Object.fromEntries(found.map(([name, url]) => [name, view.text(url)]));
}

/** Returns the state of a flow's result, which contains every non-empty variable except session variables. */
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
 * Returns the results of the linked flows that ended in the step and of the running flows. A linked flow with
 * `isMerging` is merged immediately, so that an abandoned chat keeps its answers and variables.
 */
export function resultsOf(step: Step, { isEnded }: { isEnded: boolean }): ResultUpdate[] {
  const [only, parent] = step.frames;
  // The most common case needs no map of results.
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

/** Returns the state of the chat's own result. Other chats may also write to this result. */
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

/** Returns a copy of the parent flow with the variables and answers of the linked flow. */
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

/** Whether the variable is a session variable, which results do not store. */
function isSessionVariable({ program, sessionVariableIds }: Frame, id: string): boolean {
  return program.variables.byId.get(id)?.isSessionVariable === true || sessionVariableIds.has(id);
}

/**
 * Copies values by name, except for variables that the linked flow has emptied. Variables with equal values keep their
 * position in the order of writing. A copied variable counts as set by this step if the step set it in the linked flow.
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

/**
 * Returns the id, or an unused variant of the id. In copies of a bot, one id may belong to variables with different
 * names, which must not overwrite each other.
 */
function freeIdIn(variables: Variables, id: string): string {
  let freeId = id;
  while (variables.has(freeId)) freeId = `${freeId}_linked`;
  return freeId;
}

/**
 * Returns the state together with the variables that the step has set. Used while a step is running, or if the next
 * step must store these variables.
 */
export function closeWithSet(step: Step): SessionState {
  const state = closeStep(step);
  const queue = state.queue.map((frame, index) => {
    const set = step.frames[index]?.variables.setIds();
    return set ? { ...frame, set: [...set] } : frame;
  });
  return { ...state, queue };
}
