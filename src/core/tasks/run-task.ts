import { limits } from "../../limits/index.ts";
import type { RunScript } from "../interpreter/language/script.ts";
import type { Meter, WalkWatch } from "../interpreter/meter.ts";
import type { BlockDefinition } from "../interpreter/program/block.ts";
import type { Effect, Report } from "../interpreter/program/effect.ts";
import type { Program } from "../interpreter/program/program.ts";
import { type SessionState, stateFormat } from "../interpreter/program/state.ts";
import { traceOf } from "../interpreter/program/trace.ts";
import type { FilledVariable, VariableName } from "../interpreter/program/variables.ts";
import { type Advanced, type AdvanceInput, advance, type Continuation } from "../interpreter/step/advance.ts";
import { linkedAnswersOf, mayTryAgain } from "../interpreter/step/answer-marks.ts";
import { closeWithSet, responseOf, resultsOf } from "../interpreter/step/finished-step.ts";
import { linkedPlace, type ResultUpdate } from "../interpreter/step/result-update.ts";
import { botOf } from "../interpreter/step/shown-bot.ts";
import { closeStep, openStep, type Step } from "../interpreter/step/step.ts";
import { timerChangeOf } from "../interpreter/step/timers.ts";
import { StepRefused, StepTooLong } from "../interpreter/step-errors.ts";
import type {
  AdvanceAnswer,
  AdvanceTask,
  FinishedStep,
  ProgramName,
  ResultToSave,
  StartEnvelope,
  TaskInput,
} from "./messages.ts";
import type { ProgramCache } from "./program-cache.ts";

export type ThreadTools = {
  readonly cache: ProgramCache;
  readonly blocks: ReadonlyMap<string, BlockDefinition>;
  readonly runScript: RunScript;
  /** Called for the blocks and edges that steps reach, in tests and replays of a flow. */
  readonly watch?: WalkWatch;
};

/** Decodes a task, runs the step and encodes the answer. Without a meter, a step has its full budget. Never throws. */
export function runTask(tools: ThreadTools, task: AdvanceTask, meter?: Meter): AdvanceAnswer {
  try {
    // The task retains the flows that were sent with it, because the cache may be too small for all of them.
    const sent = task.programs.length === 0 ? undefined : addAll(tools.cache, task.programs);
    const known = (key: string): Program | undefined => sent?.get(key) ?? tools.cache.get(key);
    const input = decode(task.input);
    if (input === "newer") return { kind: "newer_state", format: "unknown" };
    const others = otherPrograms(task, input);
    const program = known(task.program.key);
    if (!program || others.some(({ key }) => !known(key)))
      return { kind: "unknown_programs", names: distinct([task.program, ...others]) };

    const { now, askedAt, seed, isLive, contentFormat, readsGfm, contact } = task.context;
    const { blocks, runScript, watch } = tools;
    const context = { now, askedAt, seed, isLive, contentFormat, readsGfm, contact, blocks, runScript, meter, watch };
    const programOf = (key: string): Program => known(key) ?? program;
    const advanced = advance(context, program, programOf, input);
    if (advanced.kind === "performing" && task.isOnlyShown) {
      const { state, ...before } = advanced.continuation;
      const step = openStep(context, state, { programOf, ...before });
      return { ...encodePerforming(advanced), saidSoFar: responseText(task, step, { isEnded: false }) };
    }
    return encode(task, program, advanced);
  } catch (error) {
    if (error instanceof StepTooLong) return { kind: "tooLong" };
    // A `StepRefused` may also be thrown while the response is created, because templates and scripts of a theme count
    // against the budget.
    if (error instanceof StepRefused) return { kind: "refused", code: error.code, data: error.data };
    if (!(error instanceof Error)) return { kind: "failed", name: "unknown", message: String(error), stack: "" };
    return { kind: "failed", name: error.name, message: error.message, stack: error.stack ?? "" };
  }
}

function decode(input: TaskInput): AdvanceInput | "newer" {
  switch (input.kind) {
    case "start":
      return input;
    case "reply": {
      const state: SessionState = JSON.parse(input.state);
      if (state.format > stateFormat) return "newer";
      return { kind: "reply", state, reply: input.reply, isStreamed: input.isStreamed, sender: input.sender };
    }
    case "report": {
      const continuation: Continuation = JSON.parse(input.continuation);
      return { kind: "report", continuation, report: input.report };
    }
    case "goBack": {
      const state: SessionState = JSON.parse(input.state);
      return state.format > stateFormat ? "newer" : { kind: "goBack", state, input: input.input };
    }
    case "setVariables": {
      const state: SessionState = JSON.parse(input.state);
      return state.format > stateFormat ? "newer" : { ...input, state };
    }
    default:
      return input satisfies never;
  }
}

function addAll(cache: ProgramCache, programs: AdvanceTask["programs"]): ReadonlyMap<string, Program> {
  return new Map(programs.map((text) => [text.key, cache.add(text)]));
}

/**
 * Returns the programs that a task needs in addition to the session's program: those of running linked flows, of the
 * report about a linked flow, and of the state that a visitor leaves by going back.
 */
function otherPrograms(task: AdvanceTask, input: AdvanceInput): readonly ProgramName[] {
  const linked = input.kind === "report" ? linkedProgram(input.report) : programsLeft(task.input);
  const frames = stateOf(input)?.queue;
  if (linked.length === 0 && frames?.length === 1 && frames[0]?.program === task.program.key) return none;
  const names = [...(frames ?? []).map((frame) => ({ key: frame.program, botId: frame.botId })), ...linked];
  return names.filter(({ key }) => key !== task.program.key);
}

const none: readonly ProgramName[] = [];

function distinct(names: readonly ProgramName[]): ProgramName[] {
  return [...new Map(names.map((name) => [name.key, name])).values()];
}

function stateOf(input: AdvanceInput): SessionState | undefined {
  if (input.kind === "start") return undefined;
  return input.kind === "report" ? input.continuation.state : input.state;
}

function linkedProgram(report: Report): readonly ProgramName[] {
  if (report.kind !== "linkedFlow" || report.program === null) return none;
  return [{ key: report.program, botId: report.program.slice(0, report.program.indexOf(":")) }];
}

/** Returns the programs in the state that a visitor leaves by going back. */
function programsLeft(input: TaskInput): readonly ProgramName[] {
  if (input.kind !== "goBack" || input.left === undefined) return none;
  const { queue }: SessionState = JSON.parse(input.left);
  return queue.map((frame) => ({ key: frame.program, botId: frame.botId }));
}

function encode(task: AdvanceTask, program: Program, advanced: Advanced): AdvanceAnswer {
  switch (advanced.kind) {
    case "refused":
      return advanced;
    case "performing":
      return encodePerforming(advanced);
    case "stepped":
      return finish(task, program, advanced);
    default:
      return advanced satisfies never;
  }
}

type Performing = Extract<Advanced, { kind: "performing" }>;

function encodePerforming({ effect, continuation }: Performing): Extract<AdvanceAnswer, { kind: "performing" }> {
  return {
    kind: "performing",
    effect,
    blockId: continuation.blockId,
    ...linkedPlace(continuation.state.queue),
    continuation: JSON.stringify(continuation),
    ...(!quick.has(effect.kind) && { said: JSON.stringify(continuation.record.messages) }),
  };
}

/**
 * Effects that call no other service and finish quickly. The messages before such an effect are therefore not sent
 * separately.
 */
const quick = new Set<Effect["kind"]>(["transcript", "linkedFlow", "callbackAddress", "suggestion"]);

type Stepped = Extract<Advanced, { kind: "stepped" }>;

function finish(task: AdvanceTask, { settings }: Program, { step, isEnded }: Stepped): AdvanceAnswer {
  const canTryAgain = step.record.calls === "models" && !task.envelope && mayTryAgain(step, settings);
  const response = responseText(task, step, { isEnded, canTryAgain });
  const { answers, logs, jobs, visitedEdgeIds } = step.record;
  const timer = timerChangeOf(step, { isEnded });
  // If the bot allows going back, the final state is kept too, because a visitor may go back from the end.
  const isKept = !isEnded || settings.general?.isGoBackEnabled === true;
  const state = isKept ? JSON.stringify(step.record.isReturning ? closeWithSet(step) : closeStep(step)) : "";
  const trace = traceOf(step, { isEnded });
  // A state consists mainly of variables. A UTF-16 unit takes at most three bytes.
  const { variablesBytes } = limits.session;
  const isTooLarge = state.length * 3 > variablesBytes && Buffer.byteLength(state) > variablesBytes;
  if (isTooLarge && !isEnded) {
    return { kind: "refused", code: "step.over_budget", data: { limit: "variables", maxBytes: variablesBytes } };
  }
  const results = resultsOf(step, { isEnded });
  const finished: FinishedStep = {
    state: isTooLarge ? "" : state,
    response,
    isEnded,
    answers,
    results: task.input.kind === "goBack" ? goneBack(step, results, task.input) : results.map(toSave),
    logs,
    jobs,
    visitedEdgeIds,
    visitedBefore: step.visitedEdges - visitedEdgeIds.length,
    keepsStateBefore: settings.general?.isGoBackEnabled && answers.length > 0 ? true : undefined,
    timer,
    wakesKeptCalls: step.hasKeptCalls && listens(step) ? true : undefined,
    trace,
    linkedAnswers: step.record.modelAnswers && linkedAnswersOf(step.record),
  };
  return { kind: "stepped", step: finished };
}

function listens({ record }: Step): boolean {
  return record.actions.some(({ type }) => type === "listenForWebhook");
}

/**
 * Returns the results of a step that goes back. If the state that the visitor leaves is known, the chat's own result
 * includes the changes of its variables.
 */
function goneBack(
  { context, programOf, frames }: Step,
  results: readonly ResultUpdate[],
  { left }: Extract<TaskInput, { kind: "goBack" }>,
): ResultToSave[] {
  const ownId = frames.at(-1)?.resultId ?? null;
  if (left === undefined || ownId === null) return results.map(toSave);
  const before = resultsOf(openStep(context, JSON.parse(left), { programOf, reply: null }), { isEnded: false });
  const had = before.find(({ resultId }) => resultId === ownId)?.variables ?? [];
  return results.map((result) => {
    const saved = toSave(result);
    return result.resultId === ownId ? { ...saved, changes: JSON.stringify(changesOf(had, result.variables)) } : saved;
  });
}

function toSave({ variables, inStep, ...result }: ResultUpdate): ResultToSave {
  const saved = { ...result, variables: JSON.stringify(variables) };
  return inStep ? { ...saved, inStep: JSON.stringify(inStep) } : saved;
}

function responseText(
  task: AdvanceTask,
  step: Step,
  { isEnded, canTryAgain = false }: { isEnded: boolean; canTryAgain?: boolean },
): string {
  const { input, envelope } = task;
  const start = envelope && startPart(envelope, step);
  const response = responseOf(step, { isEnded });
  // `lastMessageNewFormat` is omitted for a start, because no client has displayed the start's message yet.
  if (start) return JSON.stringify({ ...start, ...response, lastMessageNewFormat: undefined });
  const takenBack = input.kind === "goBack" ? input.takenBack : undefined;
  return JSON.stringify(
    canTryAgain || takenBack ? { ...response, canTryAgain: canTryAgain || undefined, takenBack } : response,
  );
}

function startPart(envelope: StartEnvelope, step: Step): Record<string, unknown> {
  const { sessionId, resultId, botId, publishedAt, dialect, name, language } = envelope;
  const bot =
    dialect === "bot"
      ? { ...(name !== undefined && { name }), ...botOf(step, "tagManagerId", { language }) }
      : botOf(step, "googleTagManagerId", { hidesBranding: true });
  return {
    sessionId,
    ...(resultId !== null && { resultId }),
    [dialect]: { id: botId, ...bot, ...(publishedAt !== null && { publishedAt }) },
  };
}

/** A variable whose value has changed. Null means that the variable has no value. */
type VariableChange = VariableName & {
  readonly had: FilledVariable["value"] | null;
  readonly has: FilledVariable["value"] | null;
};

/** Returns the variables that differ between two lists. A renamed variable counts as a different variable. */
function changesOf(before: readonly FilledVariable[], after: readonly FilledVariable[]): VariableChange[] {
  const had = new Map(before.map((variable) => [keyOf(variable), variable]));
  const has = new Map(after.map((variable) => [keyOf(variable), variable]));
  const changes = [...new Map([...had, ...has])].map(([key, { id, name }]) => ({
    ...{ id, name },
    had: had.get(key)?.value ?? null,
    has: has.get(key)?.value ?? null,
  }));
  return changes.filter((change) => JSON.stringify(change.had) !== JSON.stringify(change.has));
}

function keyOf({ id, name }: FilledVariable): string {
  return JSON.stringify([id, name]);
}
