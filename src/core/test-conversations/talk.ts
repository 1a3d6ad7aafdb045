import { hash } from "node:crypto";
import { limits } from "../../limits/index.ts";
import { type FlowDocument, textAt } from "../interpreter/flow.ts";
import type { Effect, Report } from "../interpreter/program/effect.ts";
import { replyIn } from "../interpreter/program/message.ts";
import type { Sender, StepReply } from "../interpreter/program/state.ts";
import { isDue } from "../interpreter/step/reply.ts";
import type { AdvanceAnswer, AdvanceTask, FinishedStep, ProgramText } from "../tasks/messages.ts";
import { contains, isSame } from "./compare.ts";
import { durationOf } from "./durations.ts";
import { type WrittenReport, wholeReport } from "./reports.ts";
import { describeRefusal, describeStep, type Said } from "./said.ts";
import type { TestConversation, Turn } from "./schema.ts";
import { beginTurn, paymentReport } from "./turns.ts";

/** The default start time of a conversation: noon on a Friday. */
export const conversationNow = Date.parse("2026-11-20T12:00:00.000Z");
const resultId = "06ey3k2m5q8r1t4v7x0z9w2b5d";
const defaultSeed = "0".repeat(32);

/** The part of a test conversation that is run. */
export type Talk = Omit<TestConversation, "title" | "rules" | "flow">;

/** An error or an unexpected result in a conversation. */
export type Problem = {
  /** The number of the turn, counted from 1. */
  readonly turn: number;
  /** The part of the turn that the problem concerns, such as `shows` or `effects`, if known. */
  readonly part?: string;
  readonly message: string;
  readonly expected?: unknown;
  readonly actual?: unknown;
};

/** The outputs, finished steps and problems of a conversation. */
export type Talked = {
  readonly heard: readonly Said[];
  readonly steps: readonly FinishedStep[];
  readonly problems: Problem[];
};

/** Runs a step. The answer `tooLong` ends the conversation. */
export type Run = (task: AdvanceTask) => AdvanceAnswer;

/**
 * Runs a conversation with a flow. The function is pure if `run` is pure: time and random numbers come from the
 * conversation or have fixed defaults, and effects receive the conversation's reports. As in the service, the state is
 * passed between turns as JSON text.
 */
export function talkThrough(flow: FlowDocument, talk: Talk, run: Run): Talked {
  const program = programText(resultId, flow);
  const linked = Object.entries(talk.linkedFlows ?? {}).map(([botId, other]) => programText(botId, other));
  const heard: Said[] = [];
  const steps: FinishedStep[] = [];
  const problems: Problem[] = [];
  let state: string | undefined;
  let passed = 0;
  for (const [index, turn] of talk.turns.entries()) {
    if (state === "") {
      problems.push({ turn: index + 1, message: `The conversation continues after its end, at turn ${index + 1}` });
      break;
    }
    passed += durationOf(turn.passes ?? "0s");
    const now = clockOf(talk, turn, passed);
    const asks = heard.at(-1)?.asks ?? null;
    const begun = state === undefined ? { reply: replyIn(talk.start?.message) } : beginTurn(turn, { state, now, asks });
    if ("problem" in begun) {
      problems.push({ turn: index + 1, message: begun.problem });
      break;
    }
    const task = taskOf({ talk, turn, index, state, now, reply: begun.reply }, program, linked);
    const { answer, effects, problem } = answerTo({ turn, talk, linked, run }, task);
    if (problem !== undefined) problems.push({ turn: index + 1, ...problem });
    if (answer?.kind !== "stepped" && answer?.kind !== "refused") break;
    const said =
      answer.kind === "stepped"
        ? describeStep(answer.step, effects)
        : describeRefusal({ code: answer.code, data: answer.data }, effects);
    heard.push(said);
    problems.push(...differences(turn, said, index + 1));
    if (answer.kind === "stepped") {
      steps.push(answer.step);
      state = answer.step.state;
    }
  }
  return { heard, steps, problems };
}

type Place = {
  readonly talk: Talk;
  readonly turn: Turn;
  readonly index: number;
  readonly state: string | undefined;
  readonly now: number;
  readonly reply: StepReply | null;
};

/** Returns the turn's own time, or the start time of the conversation plus the elapsed time. */
function clockOf(talk: Talk, turn: Turn, passed: number): number {
  if (turn.now !== undefined) return Date.parse(turn.now);
  return (talk.now === undefined ? conversationNow : Date.parse(talk.now)) + passed;
}

function taskOf(
  { talk, turn, index, state, now, reply }: Place,
  program: ProgramText,
  linked: ProgramText[],
): AdvanceTask {
  const { message: _, isOnlyRegistering = false, ...options } = talk.start ?? {};
  const live = talk.isPreview ? null : resultId;
  const said = reply && isDue(reply) ? null : reply;
  return {
    program,
    programs: [program, ...linked],
    context: {
      now,
      seed: turn.seed ?? `${(talk.seed ?? defaultSeed).slice(0, 30)}${(index + 16).toString(16)}`,
      isLive: live !== null,
      contentFormat: talk.contentFormat ?? "richText",
      readsGfm: true,
    },
    input:
      state === undefined
        ? { kind: "start", resultId: live, isStreamEnabled: false, isOnlyRegistering, reply: said, options }
        : { kind: "reply", state, reply, ...senderOf(turn) },
  };
}

/**
 * Returns the `sender` of a turn: `other` for a call, `unaware` if the visitor's page has not received all steps, and
 * nothing otherwise.
 */
function senderOf({ calls, isUnaware }: Turn): { readonly sender?: Sender } {
  if (calls !== undefined) return { sender: "other" };
  return isUnaware ? { sender: "unaware" } : {};
}

type Answered = {
  readonly answer: AdvanceAnswer | undefined;
  readonly effects: readonly Effect[];
  readonly problem?: Omit<Problem, "turn"> | undefined;
};

/** Runs a step until it is finished. The report of each effect comes from the conversation. */
function answerTo(
  { turn, talk, linked, run }: { turn: Turn; talk: Talk; linked: readonly ProgramText[]; run: Run },
  task: AdvanceTask,
): Answered {
  const reports = [...(turn.reports ?? [])];
  const foreseen = [...(turn.effects ?? [])];
  const effects: Effect[] = [];
  let problem: Answered["problem"];
  let answer = run(task);
  while (answer.kind === "performing") {
    const { effect, continuation } = answer;
    effects.push(effect);
    const isLink = effect.kind === "linkedFlow";
    const next = isLink ? undefined : foreseen.shift();
    if (next && !contains(effect, next.expects)) {
      problem ??= { part: "effects", message: "Another effect was requested", expected: next.expects, actual: effect };
    }
    const report = isLink
      ? linkedFlow(effect.botId, linked, effects.length)
      : wholeReport(next?.report ?? reportFor({ effect, turn, talk, reports, continuation }));
    if (!report) {
      const message = `The conversation has no result for ${JSON.stringify(effect)}`;
      return { answer: undefined, effects, problem: { part: "effects", message, actual: effect } };
    }
    answer = run({ ...task, input: { kind: "report", continuation, report } });
  }
  if (foreseen[0]) {
    const message = `The flow did not request ${JSON.stringify(foreseen[0])}`;
    problem ??= { part: "effects", message, expected: foreseen[0].expects };
  }
  return { answer, effects, problem: failureOf(answer) ?? problem };
}

function failureOf(answer: AdvanceAnswer): Omit<Problem, "turn"> | undefined {
  if (answer.kind === "tooLong") return { message: neverEnds };
  if (answer.kind === "failed") return { message: `The step failed: ${answer.message}` };
  if (answer.kind === "stepped" || answer.kind === "refused") return undefined;
  return { message: `The step did not finish: ${JSON.stringify(answer)}` };
}

const neverEnds = `The conversation does not end: all its turns together can run ${limits.testConversations.blocks} blocks and ${limits.testConversations.scriptTicks} units of work in scripts`;

type Wanted = {
  readonly effect: Effect;
  readonly turn: Turn;
  readonly talk: Talk;
  /** The reports that have not been used. A report is removed when it is used. */
  readonly reports: WrittenReport[];
  readonly continuation: string;
};

/**
 * Returns the report for an effect: the turn's next report, the block's mock, or the default report of a payment, in
 * this order. Returns undefined if there is none.
 *
 * If the effect has a default report and the turn's next report is for another kind of effect, that next report is left
 * for a later effect.
 */
function reportFor({ effect, turn, talk, reports, continuation }: Wanted): WrittenReport | undefined {
  const own = paymentReport(effect, turn);
  const [next] = reports;
  const isNext = !own || next?.kind === effect.kind || next?.kind === "refused";
  return (isNext ? reports.shift() : undefined) ?? mockOf(talk, continuation) ?? own;
}

function mockOf({ mocks }: Talk, continuation: string): WrittenReport | undefined {
  if (!mocks || mocks.length === 0) return undefined;
  const blockId = textAt(JSON.parse(continuation), "blockId");
  return mocks.find((mock) => mock.blockId === blockId)?.report;
}

function linkedFlow(botId: string, linked: readonly ProgramText[], number: number): Report {
  const program = linked.find((other) => other.botId === botId)?.key ?? null;
  return { kind: "linkedFlow", program, resultId: `linked-result-${number}` };
}

/** Returns the parts of a step that differ from `expect`. Other parts are not compared. */
function differences({ expect }: Turn, said: Said, turn: number): Problem[] {
  const actual: Readonly<Record<string, unknown>> = JSON.parse(JSON.stringify(said));
  return Object.entries(expect)
    .filter(([part, expected]) => !isSame(actual[part], expected))
    .map(([part, expected]) => {
      const message = `At turn ${turn}, "${part}" differs from the expectation`;
      return { turn, part, message, expected, actual: actual[part] };
    });
}

function programText(botId: string, flow: unknown): ProgramText {
  const text = JSON.stringify(flow);
  return { key: `${botId}:${hash("sha256", text)}`, botId, flow: text };
}
