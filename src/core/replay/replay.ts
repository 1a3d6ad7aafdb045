import { textAt, valueAt } from "../interpreter/flow.ts";
import { isInputMessage } from "../interpreter/program/outcome.ts";
import type { SessionState, StepReply } from "../interpreter/program/state.ts";
import { moved } from "../interpreter/step/moving.ts";
import { isDue } from "../interpreter/step/reply.ts";
import type { AdvanceAnswer, AdvanceTask, FinishedStep, ProgramName, StartEnvelope } from "../tasks/messages.ts";
import type { HeldChat, HeldStep, Unknown } from "./chat.ts";
import { effectHash, type RecordedReport, withSecret } from "./inputs.ts";

/** Runs a step. `walked` lists the ids of the blocks that ran, in order. */
export type Run = (task: AdvanceTask) => { readonly answer: AdvanceAnswer; readonly walked: readonly string[] };

/** The outcome of a replayed step. */
export type Retaken =
  | {
      readonly kind: "stepped";
      readonly step: FinishedStep;
      /** The blocks that ran, in order. */
      readonly walked: readonly string[];
      /** Blocks whose calls differed from the original calls. These blocks received the original reports. */
      readonly otherCalls: readonly string[];
    }
  /** The step requests a call that was not made in the chat, so the rest is unknown. */
  | { readonly kind: "uncalled"; readonly blockId: string; readonly walked: readonly string[] }
  | { readonly kind: "refused"; readonly code: string; readonly walked: readonly string[] }
  | { readonly kind: "unknown"; readonly reason: Unknown };

/**
 * Replays the consecutive steps of a chat with the flows that `programAt` returns, and ends with the first step that
 * cannot be replayed. The function is pure if `run` is pure: time and random numbers are those of the chat, and effects
 * receive the recorded reports.
 */
export function* replay(
  run: Run,
  chat: HeldChat,
  { steps, programAt }: { steps: readonly HeldStep[]; programAt(index: number): ProgramName },
): Generator<Retaken, void> {
  let standing: Standing[] = [];
  let state = "";
  for (const [index, held] of steps.entries()) {
    const program = programAt(index);
    const before = index > 0 && programAt(index - 1).key !== program.key ? inProgram(state, program) : state;
    const answered = held.wentBackTo === null ? undefined : standing.findLast((one) => one.isAnswer);
    const asked = held.wentBackTo === null ? undefined : standing.find((one) => one.revision === held.wentBackTo);
    const goesBackTo = answered && asked && { answered: inVersion(answered, program), asked };
    const input = inputOf(chat, held, { index, state: before, goesBackTo });
    const retaken = takeAgain(run, taskOf(chat, held, { program, input, isStart: index === 0 }), held);
    yield retaken;
    if (retaken.kind !== "stepped") return;
    const { step } = retaken;
    if (held.wentBackTo === null) {
      const isAnswer = index > 0 && step.answers.length > 0;
      standing.push({ revision: held.revision, isAnswer, stateBefore: before, response: step.response });
    } else {
      standing = standing.filter(({ revision }) => revision <= (held.wentBackTo ?? 0));
    }
    state = step.state;
  }
}

/** A step that the visitor has not undone. */
type Standing = {
  readonly revision: number;
  readonly isAnswer: boolean;
  readonly stateBefore: string;
  readonly response: string;
};

type Place = {
  readonly index: number;
  readonly state: string;
  readonly goesBackTo: { readonly answered: Standing; readonly asked: Standing } | undefined;
};

function inputOf(chat: HeldChat, held: HeldStep, { index, state, goesBackTo }: Place): AdvanceTask["input"] {
  const { inputs } = held;
  const reply = withStrange(held);
  if (index === 0) {
    const { isStreamEnabled = false, isOnlyRegistering = false, options = {} } = inputs;
    const said = reply && isDue(reply) ? null : reply;
    return { kind: "start", resultId: chat.resultId, isStreamEnabled, isOnlyRegistering, reply: said, options };
  }
  if (!goesBackTo)
    return {
      kind: "reply",
      state,
      reply,
      ...(inputs.isStreamed && { isStreamed: true }),
      ...(inputs.sender && { sender: inputs.sender }),
    };
  const input = valueAt(JSON.parse(goesBackTo.asked.response), "input");
  const takenBack = valueAt(JSON.parse(held.response), "takenBack");
  const steps = valueAt(takenBack, "steps");
  return {
    kind: "goBack",
    state: goesBackTo.answered.stateBefore,
    input: isInputMessage(input) ? input : null,
    takenBack: { steps: typeof steps === "number" ? steps : 0, reply: valueAt(takenBack, "reply") },
  };
}

function withStrange({ reply, inputs: { strangeFileUrls } }: HeldStep): StepReply | null {
  if (reply === null || isDue(reply) || reply.type === "command" || reply.type === "payment" || !strangeFileUrls)
    return reply;
  return { ...reply, strangeFileUrls };
}

function taskOf(
  chat: HeldChat,
  { response, inputs: { now, askedAt, seed, contentFormat = "richText", contact } }: HeldStep,
  { program, input, isStart }: { program: ProgramName; input: AdvanceTask["input"]; isStart: boolean },
): AdvanceTask {
  return {
    program,
    programs: [],
    // Every run of the step uses the `askedAt` of the original step's last run, because only that time is stored.
    context: { now, askedAt, seed, isLive: true, contentFormat, readsGfm: chat.dialect === "bot", contact },
    input,
    ...(isStart && { envelope: envelopeOf(chat, JSON.parse(response)) }),
  };
}

/**
 * Reads the envelope of a start from the stored response, because the bot's name and publication may have changed
 * since.
 */
function envelopeOf({ sessionId, resultId, botId, dialect }: HeldChat, response: unknown): StartEnvelope {
  const bot = valueAt(response, dialect);
  const name = textAt(bot, "name");
  const language = textAt(valueAt(bot, "settings", "general"), "language");
  return {
    ...{ sessionId, resultId, botId, dialect },
    publishedAt: textAt(bot, "publishedAt") ?? null,
    ...(name !== undefined && { name }),
    ...(language !== undefined && { language }),
  };
}

/**
 * Moves the state before an answer to the step's version of the flow, unless a linked flow is running. Normally, a
 * visitor who goes back to a step before a move stays in the version after the move.
 */
function inVersion(answered: Standing, program: ProgramName): Standing {
  const { queue }: SessionState = JSON.parse(answered.stateBefore);
  const isOther = queue.length === 1 && queue[0]?.program !== program.key;
  return isOther ? { ...answered, stateBefore: inProgram(answered.stateBefore, program) } : answered;
}

function inProgram(state: string, { key }: ProgramName): string {
  return state === "" ? state : JSON.stringify(moved(JSON.parse(state), key));
}

/**
 * Replays a step until it is finished. Each effect receives its recorded report. The replay ends early if a report is
 * missing.
 */
function takeAgain(run: Run, task: AdvanceTask, { inputs, response }: HeldStep): Retaken {
  let left = inputs.reports ?? [];
  const otherCalls: string[] = [];
  const walked: string[] = [];
  const goOn = (next: AdvanceTask): AdvanceAnswer => {
    const ran = run(next);
    walked.push(...ran.walked);
    return ran.answer;
  };
  let answer = goOn(task);
  while (answer.kind === "performing") {
    const { effect, blockId, continuation } = answer;
    const name = effectHash(effect);
    const found =
      left.find((recorded) => recorded.effect === name) ??
      left.find((recorded) => recorded.blockId === blockId && isFor(recorded, effect.kind));
    if (!found) return { kind: "uncalled", blockId, walked };
    if (!("report" in found)) return { kind: "unknown", reason: "report_cut" };
    left = left.filter((recorded) => recorded !== found);
    if (found.effect !== name) otherCalls.push(blockId);
    answer = goOn({ ...task, input: { kind: "report", continuation, report: withSecret(found.report, response) } });
  }
  switch (answer.kind) {
    case "stepped":
      return { kind: "stepped", step: answer.step, walked, otherCalls };
    case "refused":
      return { kind: "refused", code: answer.code, walked };
    case "failed":
      return { kind: "refused", code: "server.internal", walked };
    case "unknown_programs":
      return { kind: "unknown", reason: "version_gone" };
    case "newer_state":
    case "tooLong":
      return { kind: "unknown", reason: "too_large" };
    default:
      return answer satisfies never;
  }
}

/**
 * Whether a report may belong to an effect of this kind. The kind is unknown for a refusal, and for a report that is
 * stored as a hash.
 */
function isFor(recorded: RecordedReport, kind: string): boolean {
  return !("report" in recorded) || recorded.report.kind === kind || recorded.report.kind === "refused";
}
