import { limits } from "../../../limits/index.ts";
import { loadStartProps } from "../evaluation/start-props.ts";
import { estimateCharacters } from "../language/estimate-characters.ts";
import type { PreparedBlock } from "../program/block.ts";
import type { Effect, Report } from "../program/effect.ts";
import { countCall, countTokens, toldOnce } from "../program/model-budget.ts";
import type { InputMessage } from "../program/outcome.ts";
import type { Program } from "../program/program.ts";
import type { Reply, Sender, SessionState, StepReply } from "../program/state.ts";
import { type RefusalCode, StepRefused } from "../step-errors.ts";
import { markAnswers, noteCall } from "./answer-marks.ts";
import { overBudget, requireSmallVariables, spendCharacters, spendEffect } from "./budget.ts";
import { fireCommandEvent } from "./events.ts";
import { closeWithSet } from "./finished-step.ts";
import { isDue, isUnasked, type Replied, takeReply, takeReplyReport } from "./reply.ts";
import { begin, initialState, type StartOptions } from "./start.ts";
import { currentFrame, openStep, prepare, produce, type Step, type StepContext, type StepRecord } from "./step.ts";
import { viewOf } from "./step-view.ts";
import { askedAt, postponeTimer, startTimer } from "./timers.ts";
import { catchUp, keepUnseen } from "./unseen.ts";
import { type Answering, type Performing, type Start, walk, walkOn } from "./walk.ts";
import { uncoverReturnMark } from "./ways-back.ts";

/** The number of recent blocks that are stored while a step waits for an effect. This is enough to report a loop. */
const trailBlocks = 100;

export type AdvanceInput =
  | {
      readonly kind: "start";
      readonly resultId: string | null;
      readonly isStreamEnabled: boolean;
      /** Registers the chat without running a block. The first reply starts the flow. */
      readonly isOnlyRegistering: boolean;
      readonly reply: Reply | null;
      readonly options: StartOptions;
    }
  /** `isStreamed`: whether the visitor's client renders the waiting block's answer while it is streamed. */
  | {
      readonly kind: "reply";
      readonly state: SessionState;
      readonly reply: StepReply | null;
      readonly isStreamed?: true | undefined;
      readonly sender?: Sender | undefined;
    }
  | { readonly kind: "report"; readonly continuation: Continuation; readonly report: Report }
  /** Restores `state` and the input that was waiting, without running a block. */
  | { readonly kind: "goBack"; readonly state: SessionState; readonly input: InputMessage | null }
  /** Sets variables of the running flow by name while the chat waits, without running a block. */
  | {
      readonly kind: "setVariables";
      readonly state: SessionState;
      readonly input: InputMessage | null;
      readonly variables: Readonly<Record<string, unknown>>;
    };

/** A step that waits for an effect, as plain JSON. */
export type Continuation = {
  readonly state: SessionState;
  readonly record: StepRecord;
  readonly drawn: number;
  /** The time at which the step's input would have been shown without this effect. */
  readonly askedAt: number;
  /** The ids of the most recently run blocks, used to report a loop. */
  readonly trail: readonly string[];
  readonly reply: StepReply | null;
  readonly blockId: string;
  readonly memo?: unknown;
  /** The reply whose outcome depends on the effect. Absent if a block requested the effect. */
  readonly answering?: Answering;
};

export type Advanced =
  | { readonly kind: "stepped"; readonly step: Step; readonly isEnded: boolean }
  | { readonly kind: "performing"; readonly effect: Effect; readonly continuation: Continuation }
  | { readonly kind: "refused"; readonly code: RefusalCode; readonly data: Readonly<Record<string, unknown>> };

/**
 * Runs a step, for example a start, a reply or the report of an effect. The step ends when the flow waits for the
 * visitor, needs an effect, or ends. Equal arguments result in equal steps. `program` is the flow with which a chat
 * starts, and `programOf` returns any program of a state by its key. Throws `StepTooLong` if the meter's quota is
 * exceeded.
 */
export function advance(
  context: StepContext,
  program: Program,
  programOf: (key: string) => Program,
  input: AdvanceInput,
): Advanced {
  try {
    const step = open(context, program, programOf, input);
    const performing = run(step, input);
    requireSmallVariables(step);
    step.trace?.settle();
    if (performing) return perform(step, performing);
    if (step.record.modelAnswers) markAnswers(step.record, currentFrame(step).program.settings);
    if (step.record.unseenAt !== undefined) keepUnseen(step);
    return { kind: "stepped", step, isEnded: mayEnd(input) && isEnded(step) };
  } catch (error) {
    if (error instanceof StepRefused) return { kind: "refused", code: error.code, data: error.data };
    throw error;
  }
}

function open(context: StepContext, program: Program, programOf: (key: string) => Program, input: AdvanceInput): Step {
  switch (input.kind) {
    case "start":
      return openStep(context, initialState(program, input), { programOf, reply: input.reply });
    case "reply":
      return openStep(context, input.state, { programOf, reply: input.reply });
    case "report": {
      const { state, ...before } = input.continuation;
      const step = openStep(context, state, { programOf, ...before });
      if (step.timer) postponeTimer(step, before);
      return step;
    }
    case "goBack":
    case "setVariables":
      return openStep(context, input.state, { programOf, reply: null });
    default:
      return input satisfies never;
  }
}

function run(step: Step, input: AdvanceInput): Performing | undefined {
  switch (input.kind) {
    case "start": {
      produce(step, loadStartProps(currentFrame(step).program, step.context));
      const start = begin(step, input.options);
      if (start && !input.isOnlyRegistering) return walkFromStart(step, start, input.reply);
      if (input.reply)
        noteUnused(step, start ? "The start ran no block, because it only registered the chat." : flowRanNothing);
      return undefined;
    }
    case "reply":
      if (input.isStreamed) step.record.isStreamed = true;
      if (step.unseen || (input.reply && isUnasked(input.reply))) return replyUnseen(step, input);
      return reply(step, input.reply);
    case "report":
      return report(step, input.continuation, input.report);
    case "goBack":
      if (input.input) step.record.input = input.input;
      askAnew(step);
      return undefined;
    case "setVariables":
      if (input.input) step.record.input = input.input;
      setVariables(step, input.variables);
      return undefined;
    default:
      return input satisfies never;
  }
}

function waitingBlock(step: Step): PreparedBlock | undefined {
  const { program } = currentFrame(step);
  const place = step.blockId === undefined ? undefined : program.places.get(step.blockId);
  return place && prepare(step, program, place.block);
}

/**
 * Restarts the time limit of the input to which the visitor goes back, and discards the output that the client has not
 * received.
 */
function askAnew(step: Step): void {
  const block = waitingBlock(step);
  step.timer = undefined;
  step.unseen = undefined;
  if (block) startTimer(step, block);
}

function setVariables(step: Step, given: Readonly<Record<string, unknown>>): void {
  const { variables } = currentFrame(step);
  const writes = Object.entries(given).map(([name, value]) => {
    const variableId = variables.idOf(name);
    if (variableId === undefined) throw new StepRefused("session.variable_not_found", { name });
    return { variableId, value };
  });
  variables.write(writes);
}

function replyUnseen(step: Step, { reply: message, sender }: Extract<AdvanceInput, { kind: "reply" }>) {
  const isOwn = message !== null && isUnasked(message);
  const isAlone = isOwn && !waitingBlock(step)?.isLookedFor;
  const isTaken = catchUp(step, { sender: isOwn ? "other" : sender, isAlone });
  return isTaken ? reply(step, message) : undefined;
}

function reply(step: Step, message: StepReply | null): Performing | undefined {
  if (step.blockId !== undefined) step.trace?.replied(step.blockId);
  if (step.blockId !== undefined) return take(step, message);
  const start = begin(step, {});
  if (message && isDue(message)) return undefined;
  if (start) return walkFromStart(step, start, message);
  if (message) noteUnused(step, flowRanNothing);
  return undefined;
}

function take(step: Step, message: StepReply | null): Performing | undefined {
  if (message?.type === "command") return finishWalk(step, walk(step, fireCommandEvent(step, message.command)));
  return answer(step, message, { isReplay: false });
}

function report(step: Step, { blockId, memo, answering }: Continuation, found: Report): Performing | undefined {
  countTokens(step, found);
  if (answering) return goOn(step, takeReplyReport(step, { blockId, report: found, memo }, answering));
  const { program } = currentFrame(step);
  const place = program.places.get(blockId);
  const block = place && prepare(step, program, place.block);
  if (!place || !block) return finishWalk(step, walk(step, { hop: undefined }));
  const outcome = toldOnce(step, found, block.report(viewOf(step), found, memo));
  return finishWalk(step, walkOn(step, place, block, outcome));
}

function walkFromStart(step: Step, start: Start, message: Reply | null): Performing | undefined {
  if (message) step.record.startReply = message;
  return finishWalk(step, walk(step, start));
}

function answer(step: Step, message: StepReply | null, { isReplay }: { isReplay: boolean }): Performing | undefined {
  return goOn(step, takeReply(step, message, { isReplay }));
}

function goOn(step: Step, replied: Replied): Performing | undefined {
  switch (replied.kind) {
    case "performing":
      return replied.performing;
    case "asked":
      return undefined;
    case "walk":
      return finishWalk(step, walk(step, replied.start));
    case "outcome":
      return finishWalk(step, walkOn(step, replied.place, replied.block, replied.outcome));
    default:
      return replied satisfies never;
  }
}

/**
 * When the walk stops, passes a deferred reply to the waiting input. The deferred reply is either the message of a
 * start, or a reply whose reply event has returned. Returns the effect to perform, if any.
 */
function finishWalk(step: Step, performing: Performing | undefined): Performing | undefined {
  if (performing) return performing;
  const { record, returnMark } = step;
  const { startReply } = record;
  if (startReply) {
    delete record.startReply;
    const reason = whyNotForFirstInput(step);
    if (reason === undefined) return take(step, startReply);
    noteUnused(step, reason);
    return undefined;
  }
  if (returnMark?.status === "called" && returnMark.reply && record.input && step.blockId === returnMark.blockId) {
    uncoverReturnMark(step);
    return answer(step, returnMark.reply, { isReplay: true });
  }
  return undefined;
}

/** Returns the reason why the start's message does not answer the first input, or undefined if it does. */
function whyNotForFirstInput({ context, record: { input, messages, actions } }: Step): string | undefined {
  if (messages.length > 0) return "A message was shown before the first input.";
  if (actions.some((action) => action.expectsDedicatedReply)) return "The chat first waits for the client.";
  if (!input) return "The flow did not ask a question.";
  if (context.blocks.get(input.type)?.input?.takesStartMessage) return undefined;
  return `The first input has a type that does not accept the first message: ${input.type}.`;
}

const flowRanNothing = "The flow does not start with a block.";

/**
 * Logs that the start's message answered no input. The message's content is not logged, because visitors' texts do not
 * belong in a log.
 */
function noteUnused(step: Step, details: string): void {
  produce(step, { logs: [{ status: "info", description: "The first message of the chat was not used", details }] });
}

function perform(step: Step, { blockId, effect, memo, answering }: Performing): Advanced {
  spendEffect(step);
  countCall(step, effect);
  noteCall(step, effect);
  spendCharacters(step, estimateCharacters(effect));
  step.trace?.wants(blockId);
  if (estimateCharacters(memo) > limits.step.memoCharacters) throw overBudget(step, "characters");
  const continuation: Continuation = {
    state: closeWithSet(step),
    record: step.record,
    drawn: step.random.drawn(),
    askedAt: askedAt(step.context),
    trail: step.trail.slice(-trailBlocks),
    reply: step.reply,
    blockId,
    ...(memo !== undefined && { memo }),
    ...(answering && { answering }),
  };
  return { kind: "performing", effect, continuation };
}

/** Whether the step can end the chat. A step that runs no block cannot end the chat. */
function mayEnd(input: AdvanceInput): boolean {
  return (
    input.kind !== "goBack" && input.kind !== "setVariables" && !(input.kind === "start" && input.isOnlyRegistering)
  );
}

/** Whether the chat has ended: no input and no paused block is waiting. */
function isEnded(step: Step): boolean {
  return step.record.input === undefined && step.record.isPaused === undefined;
}
