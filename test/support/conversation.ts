import { expect } from "bun:test";
import { blocks } from "../../src/blocks/index.ts";
import { type MessageBody, replyOf } from "../../src/chat/replies.ts";
import type { Effect, Report } from "../../src/interpreter/effect.ts";
import type { FlowDocument } from "../../src/interpreter/flow.ts";
import { isJsonObject, textAt, valueAt } from "../../src/interpreter/flow.ts";
import type { StartOptions } from "../../src/interpreter/start.ts";
import type { SessionState } from "../../src/interpreter/state.ts";
import { createSandbox } from "../../src/sandbox/index.ts";
import { inlineQuota } from "../../src/threads/inline-runner.ts";
import type { AdvanceAnswer, AdvanceTask, FinishedStep, ProgramText } from "../../src/threads/messages.ts";
import { createMeter } from "../../src/threads/meter.ts";
import { createProgramCache, programCacheBytes } from "../../src/threads/program-cache.ts";
import { runTask, type ThreadTools } from "../../src/threads/run-task.ts";

/** Noon on a Friday. */
export const conversationNow = Date.parse("2026-11-20T12:00:00.000Z");
const resultId = "06ey3k2m5q8r1t4v7x0z9w2b5d";

/** A conversation as a flow's author can read it. */
export type Conversation = {
  readonly title: string;
  /** The rules of the flow language that it shows. */
  readonly rules: readonly string[];
  /** A flow, or the name of one in test/flows. */
  readonly flow: unknown;
  readonly start?: StartOptions & { readonly message?: MessageBody; readonly isOnlyRegistering?: boolean };
  /** Flows of other bots of the workspace, by the bot's id. */
  readonly linkedFlows?: Readonly<Record<string, unknown>>;
  readonly isPreview?: boolean;
  readonly contentFormat?: "richText" | "markdown";
  readonly turns: readonly Turn[];
};

export type Turn = {
  /** What the visitor says; absent on the first turn, null for a reply without words. */
  readonly say?: MessageBody;
  /** What comes of this turn's effects, in order, except linked flows. */
  readonly reports?: readonly Report[];
  /** The same, with what is expected of each effect: a part of it is enough. */
  readonly effects?: readonly { readonly expects: Readonly<Record<string, unknown>>; readonly report: Report }[];
  readonly expect: Partial<Said>;
};

/** A step as an author would tell it. Only the named parts of it are compared. */
export type Said = {
  /** Texts as plain text, media by their address. */
  readonly shows: readonly unknown[];
  /** The type of the open input, or null. */
  readonly asks: string | null;
  /** What can be chosen. */
  readonly choices: readonly unknown[];
  readonly input: unknown;
  readonly actions: readonly unknown[];
  readonly logs: readonly unknown[];
  readonly progress: number;
  readonly ends: boolean;
  readonly answers: readonly (string | null)[];
  readonly variables: Readonly<Record<string, unknown>>;
  readonly isCompleted: boolean;
  readonly lastMessageNewFormat: string | null;
  readonly visitedEdges: readonly string[];
  readonly response: unknown;
  /** Every result that the step changes: whose it is, what it holds and how it stands. */
  readonly results: readonly unknown[];
  /** The subjects of the mails that go out with the step. */
  readonly mails: readonly unknown[];
  /** What was wanted of the world. */
  readonly effects: readonly Effect[];
  /** What is shown, in full. */
  readonly messages: readonly unknown[];
  /** The files stored with each answer. */
  readonly files: readonly (readonly string[] | null)[];
  /** The chat's answers with their keys, in the order that mails and calls list them; empty when the chat has ended. */
  readonly answerList: readonly (readonly [key: string, answer: string])[];
  /** Why the step was not taken; null where it was. The chat then stays where it was. */
  readonly refused: { readonly code: string; readonly data: unknown } | null;
};

const tools: ThreadTools = {
  blocks,
  cache: createProgramCache(programCacheBytes, blocks),
  runScript: await createSandbox(),
};

type Talk = Pick<Conversation, "start" | "turns" | "isPreview" | "contentFormat" | "linkedFlows">;

/** Talks a flow through, and tells what was said at each turn; `onAnswer` is told of every step. The state crosses as JSON text, as it does in the service. */
export function converse(
  flow: FlowDocument,
  conversation: Talk,
  onAnswer = (_: AdvanceTask, _answer: AdvanceAnswer) => {},
): Said[] {
  const program = programText(resultId, flow);
  const linked = Object.entries(conversation.linkedFlows ?? {}).map(([botId, other]) => programText(botId, other));
  const { message, isOnlyRegistering = false, ...options } = conversation.start ?? {};
  const live = conversation.isPreview ? null : resultId;
  const heard: Said[] = [];
  let state: string | undefined;
  for (const [index, turn] of conversation.turns.entries()) {
    if (state === "") throw new Error(`The conversation goes on after its end, at turn ${index + 1}`);
    const reply = replyOf(index === 0 ? message : turn.say);
    const { answer, effects } = answerTo(turn, linked, onAnswer, {
      program,
      programs: [program, ...linked],
      context: {
        now: conversationNow,
        seed: `${"0".repeat(30)}${(index + 16).toString(16)}`,
        isLive: live !== null,
        contentFormat: conversation.contentFormat ?? "richText",
      },
      input:
        state === undefined
          ? { kind: "start", resultId: live, isStreamEnabled: false, isOnlyRegistering, reply, options }
          : { kind: "reply", state, reply },
    });
    if (answer.kind === "refused")
      heard.push({ ...silence, effects, refused: { code: answer.code, data: answer.data } });
    else {
      const step = finished(answer);
      state = step.state;
      heard.push({ ...told(step), effects, refused: null });
    }
  }
  return heard;
}

/** A step that may spend little comes to the same, or to nothing. */
function runEitherWay(task: AdvanceTask): AdvanceAnswer {
  const answer = runTask(tools, task);
  const brief = runTask(tools, task, createMeter(inlineQuota));
  if (brief.kind !== "tooLong") expect<AdvanceAnswer>(brief).toEqual(answer);
  return answer;
}

/** Thinks, and gives an effect the report that the conversation has for it, until the step is through. */
function answerTo(
  turn: Turn,
  linked: readonly ProgramText[],
  onAnswer: (task: AdvanceTask, answer: AdvanceAnswer) => void,
  task: AdvanceTask,
) {
  const run = (asked: AdvanceTask): AdvanceAnswer => {
    const answer = runEitherWay(asked);
    onAnswer(asked, answer);
    return answer;
  };
  const reports = [...(turn.reports ?? [])];
  const foreseen = [...(turn.effects ?? [])];
  const effects: Effect[] = [];
  let answer = run(task);
  while (answer.kind === "performing") {
    const { effect, continuation } = answer;
    effects.push(effect);
    const report =
      effect.kind === "linkedFlow"
        ? linkedFlow(effect.botId, linked, effects.length)
        : (reportOn(effect, foreseen.shift()) ?? reports.shift());
    if (!report) throw new Error(`The conversation has no report for ${JSON.stringify(effect)}`);
    answer = run({ ...task, input: { kind: "report", continuation, report } });
  }
  if (foreseen.length > 0) throw new Error(`The flow did not want ${JSON.stringify(foreseen[0])}`);
  return { answer, effects };
}

function reportOn(effect: Effect, foreseen: NonNullable<Turn["effects"]>[number] | undefined): Report | undefined {
  if (foreseen) expect(effect).toMatchObject(foreseen.expects);
  return foreseen?.report;
}

function linkedFlow(botId: string, linked: readonly ProgramText[], number: number): Report {
  const program = linked.find((other) => other.botId === botId)?.key ?? null;
  return { kind: "linkedFlow", program, resultId: `linked-result-${number}` };
}

function programText(botId: string, flow: unknown): ProgramText {
  const text = JSON.stringify(flow);
  return { key: `${botId}:${Bun.hash(text)}`, botId, flow: text };
}

function finished(answer: AdvanceAnswer): FinishedStep {
  if (answer.kind !== "stepped") throw new Error(`The step did not finish: ${JSON.stringify(answer)}`);
  return answer.step;
}

const silence = {
  shows: [],
  asks: null,
  choices: [],
  input: null,
  actions: [],
  logs: [],
  progress: -1,
  ends: false,
  answers: [],
  variables: {},
  isCompleted: false,
  lastMessageNewFormat: null,
  visitedEdges: [],
  response: null,
  results: [],
  mails: [],
  messages: [],
  files: [],
  answerList: [],
};

function told(step: FinishedStep): Omit<Said, "effects" | "refused"> {
  const response: unknown = JSON.parse(step.response);
  const list = (name: string): readonly unknown[] => {
    const value = valueAt(response, name);
    return Array.isArray(value) ? value : [];
  };
  const items = valueAt(response, "input", "items");
  const result = step.results.at(-1);
  const progress = valueAt(response, "progress");
  return {
    shows: list("messages").map(shown),
    asks: textAt(response, "input", "type") ?? null,
    choices: Array.isArray(items)
      ? items.map((item) => valueAt(item, "content") ?? valueAt(item, "title") ?? null)
      : [],
    input: valueAt(response, "input") ?? null,
    actions: list("clientSideActions"),
    logs: step.logs,
    progress: typeof progress === "number" ? Math.round(progress * 100) / 100 : -1,
    ends: step.isEnded,
    answers: step.answers.map((answer) => answer.content),
    variables: Object.fromEntries(variablesOf(result).map(({ name, value }) => [name, value])),
    isCompleted: result?.isCompleted ?? false,
    lastMessageNewFormat: textAt(response, "lastMessageNewFormat") ?? null,
    visitedEdges: step.visitedEdgeIds,
    response,
    results: step.results.map((each) => ({ ...each, variables: variablesOf(each) })),
    mails: step.jobs.map((job) => valueAt(job.data, "subject")),
    messages: list("messages"),
    files: step.answers.map((answer) => answer.attachedFileUrls),
    answerList: answersOf(step.state),
  };
}

function variablesOf(result: FinishedStep["results"][number] | undefined): { name: string; value: unknown }[] {
  return JSON.parse(result?.variables ?? "[]");
}

function answersOf(stored: string): readonly (readonly [string, string])[] {
  if (stored === "") return [];
  const state: SessionState = JSON.parse(stored);
  return state.queue[0]?.answers ?? [];
}

function shown(message: unknown): unknown {
  const content = valueAt(message, "content");
  if (!isJsonObject(content)) return content;
  return content["plainText"] ?? content["markdown"] ?? content["url"] ?? content;
}
