import { limits } from "../../limits/index.ts";
import type { RunScript } from "../interpreter/language/script.ts";
import type { Meter, WalkWatch } from "../interpreter/meter.ts";
import type { BlockDefinition } from "../interpreter/program/block.ts";
import type { Effect, Report } from "../interpreter/program/effect.ts";
import type { Program } from "../interpreter/program/program.ts";
import { type SessionState, stateFormat } from "../interpreter/program/state.ts";
import { traceOf } from "../interpreter/program/trace.ts";
import { type Advanced, type AdvanceInput, advance, type Continuation } from "../interpreter/step/advance.ts";
import { mayTryAgain } from "../interpreter/step/answer-marks.ts";
import { botOf, responseOf } from "../interpreter/step/response.ts";
import { resultsOf } from "../interpreter/step/result.ts";
import { closeStep, openStep, type Step } from "../interpreter/step/step.ts";
import { timerChangeOf } from "../interpreter/step/timers.ts";
import { StepRefused, StepTooLong } from "../interpreter/step-errors.ts";
import type { AdvanceAnswer, AdvanceTask, FinishedStep, ProgramName, StartEnvelope, TaskInput } from "./messages.ts";
import type { ProgramCache } from "./program-cache.ts";

export type ThreadTools = {
  readonly cache: ProgramCache;
  readonly blocks: ReadonlyMap<string, BlockDefinition>;
  readonly runScript: RunScript;
  /** Is called with the places that steps reach; for tests of a flow. */
  readonly watch?: WalkWatch;
};

/** Decodes a task, advances the session and encodes the answer. Without a meter a step has its whole budget. Never throws. */
export function runTask(tools: ThreadTools, task: AdvanceTask, meter?: Meter): AdvanceAnswer {
  try {
    // The task keeps the flows that were sent with it: the cache may be too small for all of them.
    const sent = new Map(task.programs.map((text) => [text.key, tools.cache.add(text)]));
    const known = (key: string): Program | undefined => sent.get(key) ?? tools.cache.get(key);
    const input = decode(task.input);
    if (input === "newer") return { kind: "newer_state", format: "unknown" };
    const names = programsOf(task, input);
    const program = known(task.program.key);
    if (!program || names.some(({ key }) => !known(key))) return { kind: "unknown_programs", names };

    const context = {
      ...task.context,
      blocks: tools.blocks,
      runScript: tools.runScript,
      ...(meter && { meter }),
      ...(tools.watch && { watch: tools.watch }),
    };
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
    // Thrown while the response is made: the templates and scripts of a theme count, too.
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
      return {
        kind: "reply",
        state,
        reply: input.reply,
        ...(input.isStreamed && { isStreamed: true }),
        ...(input.sender && { sender: input.sender }),
      };
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

/** Every program that a task needs: the session's, and those of linked flows under way. */
function programsOf(task: AdvanceTask, input: AdvanceInput): ProgramName[] {
  const state = stateOf(input);
  const frames = state?.queue.map((frame) => ({ key: frame.program, botId: frame.botId })) ?? [];
  const linked = input.kind === "report" ? linkedProgram(input.report) : [];
  const names = [...frames, ...linked].filter(({ key }) => key !== task.program.key);
  return names.length === 0
    ? [task.program]
    : [...new Map([task.program, ...names].map((name) => [name.key, name])).values()];
}

function stateOf(input: AdvanceInput): SessionState | undefined {
  if (input.kind === "start") return undefined;
  return input.kind === "report" ? input.continuation.state : input.state;
}

function linkedProgram(report: Report): ProgramName[] {
  if (report.kind !== "linkedFlow" || report.program === null) return [];
  return [{ key: report.program, botId: report.program.slice(0, report.program.indexOf(":")) }];
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
    continuation: JSON.stringify(continuation),
    ...(!quick.has(effect.kind) && { said: JSON.stringify(continuation.record.messages) }),
  };
}

/** Effects that read our own data, and end before a report about them could be sent. */
const quick = new Set<Effect["kind"]>(["transcript", "linkedFlow", "callbackAddress", "suggestion"]);

type Stepped = Extract<Advanced, { kind: "stepped" }>;

function finish(task: AdvanceTask, { settings }: Program, { step, isEnded }: Stepped): AdvanceAnswer {
  const canTryAgain = step.record.calls === "models" && !task.envelope && mayTryAgain(step, settings);
  const response = responseText(task, step, { isEnded, canTryAgain });
  const { answers, logs, jobs, visitedEdgeIds } = step.record;
  const hasTimer = step.timer !== undefined || step.record.endedVisit !== undefined;
  const timer = hasTimer && timerChangeOf(step, { isEnded });
  const state = isEnded ? "" : JSON.stringify(closeStep(step));
  const trace = traceOf(step, { isEnded });
  // Most of a state are its variables.
  if (Buffer.byteLength(state) > limits.session.variablesBytes) {
    return {
      kind: "refused",
      code: "step.over_budget",
      data: { limit: "variables", maxBytes: limits.session.variablesBytes },
    };
  }
  const finished: FinishedStep = {
    state,
    response,
    isEnded,
    answers,
    results: resultsOf(step, { isEnded }).map((result) => ({ ...result, variables: JSON.stringify(result.variables) })),
    logs,
    jobs,
    visitedEdgeIds,
    visitedBefore: step.visitedEdges - visitedEdgeIds.length,
    ...(settings.general?.isGoBackEnabled && answers.length > 0 && { keepsStateBefore: true }),
    ...(timer && { timer }),
    ...(trace && { trace }),
  };
  return { kind: "stepped", step: finished };
}

function responseText(
  task: AdvanceTask,
  step: Step,
  { isEnded, canTryAgain = false }: { isEnded: boolean; canTryAgain?: boolean },
): string {
  const envelope = task.envelope && startPart(task.envelope, step);
  const { lastMessageNewFormat, ...response } = responseOf(step, { isEnded });
  // Not on a start: no client has shown its message yet.
  return JSON.stringify({
    ...envelope,
    ...response,
    ...(!envelope && lastMessageNewFormat !== undefined && { lastMessageNewFormat }),
    ...(canTryAgain && { canTryAgain }),
    ...(task.input.kind === "goBack" && { takenBack: task.input.takenBack }),
  });
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
