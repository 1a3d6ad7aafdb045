import fc from "fast-check";
import { blocks } from "../../src/core/blocks/index.ts";
import type { FlowDocument } from "../../src/core/interpreter/flow.ts";
import type { RunScript } from "../../src/core/interpreter/language/script.ts";
import type { Effect, Report } from "../../src/core/interpreter/program/effect.ts";
import type { InputMessage } from "../../src/core/interpreter/program/outcome.ts";
import { compile, type Program } from "../../src/core/interpreter/program/program.ts";
import type { Reply, SessionState } from "../../src/core/interpreter/program/state.ts";
import {
  type Advanced,
  type AdvanceInput,
  advance,
  type Continuation,
} from "../../src/core/interpreter/step/advance.ts";
import { responseOf, resultsOf } from "../../src/core/interpreter/step/finished-step.ts";
import { botOf } from "../../src/core/interpreter/step/shown-bot.ts";
import { closeStep, type Step, type StepContext, type StepRecord } from "../../src/core/interpreter/step/step.ts";
import { StepRefused } from "../../src/core/interpreter/step-errors.ts";
import { createMeter, type Quota } from "../../src/core/tasks/meter.ts";
import { limits } from "../../src/limits/index.ts";
import { createSandbox } from "../../src/platform/sandbox/index.ts";
import { storedFlows } from "./flows-arbitrary.ts";
import { fittingReply, visitorReplies } from "./replies-arbitrary.ts";

/** The inputs that determine a whole conversation: a flow, another flow to which it may link, and all messages. */
export type Talk = {
  readonly flow: FlowDocument;
  readonly other: FlowDocument;
  /** The message that is sent with the start. */
  readonly first: Reply | null;
  /** A number selects a reply that the current input most likely accepts. */
  readonly replies: readonly (Reply | number | null)[];
  readonly isLive: boolean;
  readonly contentFormat: "richText" | "markdown";
  readonly isOnlyRegistering: boolean;
  readonly prefilled: Readonly<Record<string, unknown>>;
  /** Selects the reports of effects. */
  readonly luck: number;
};

/** The outcome of one step of a conversation. */
export type ChatSnapshot = {
  readonly outcome: "stepped" | "refused" | "too many effects";
  /** All messages and other results of the step, as JSON. */
  readonly said: string;
  readonly state: string;
  readonly cost: Cost;
};

/** The work of the step, as counted by the interpreter. */
export type Cost = {
  readonly blocks: number;
  readonly ticks: number;
  readonly characters: number;
  readonly messages: number;
};

export function talks(): fc.Arbitrary<Talk> {
  return fc.record({
    flow: storedFlows(),
    other: storedFlows(),
    first: fc.option(visitorReplies(), { freq: 2 }),
    replies: fc.array(
      fc.oneof({ weight: 3, arbitrary: fc.nat({ max: 3 }) }, { weight: 2, arbitrary: visitorReplies() }),
      {
        maxLength: 6,
      },
    ),
    isLive: fc.boolean(),
    contentFormat: fc.constantFrom("richText", "markdown"),
    isOnlyRegistering: fc.nat({ max: 9 }).map((number) => number === 9),
    prefilled: fc.dictionary(fc.constantFrom("A", "B", "__proto__", "Nobody"), fc.jsonValue({ maxDepth: 1 }), {
      maxKeys: 2,
    }),
    luck: fc.nat({ max: 7 }),
  });
}

const sandbox = await createSandbox();
/** Endless scripts are stopped early, by the count of their ticks. */
export const runScript: RunScript = (request) =>
  sandbox({ ...request, maxTicks: Math.min(request.maxTicks, mostTicks) });
const mostTicks = 300_000;

/**
 * Runs a conversation with freshly compiled flows. `throughJson` serializes and parses every state and continuation, as
 * between two processes. Throws `StepTooLong` if a step exceeds the quota.
 */
export function hold(talk: Talk, options: { throughJson?: boolean; quota?: Quota } = {}): ChatSnapshot[] {
  const { throughJson = false, quota } = options;
  const programs = new Map(
    [compile("bot:1", "bot", talk.flow, blocks), compile("other:1", "other", talk.other, blocks)].map((program) => [
      program.key,
      program,
    ]),
  );
  const program = programs.get("bot:1");
  if (!program) throw new Error("The flow was not compiled");
  const programOf = (key: string): Program => programs.get(key) ?? program;
  const carry = <T>(value: T): T => (throughJson ? JSON.parse(JSON.stringify(value)) : value);
  const told: ChatSnapshot[] = [];
  let state: SessionState | undefined;
  let input: InputMessage | undefined;
  for (const [index, said] of [talk.first, ...talk.replies].entries()) {
    const reply = typeof said === "number" ? fittingReply(input, said) : said;
    const context = { ...contextOf(talk, index), ...(quota && { meter: createMeter(quota) }) };
    const move = state === undefined ? startOf(talk, reply) : ({ kind: "reply", state: carry(state), reply } as const);
    const { advanced, effects } = perform(context, program, programOf, move, { carry, luck: talk.luck });
    const heard = hear(advanced);
    if (heard.outcome !== "stepped") {
      told.push({ ...heard, said: JSON.stringify([heard.said, effects]), state: JSON.stringify(state ?? null) });
      if (state === undefined) return told;
      continue;
    }
    const { step, isEnded } = heard;
    state = closeStep(step);
    input = step.record.input;
    const cost = costOf(step.record);
    told.push({ outcome: "stepped", said: JSON.stringify([heard.said, effects]), state: JSON.stringify(state), cost });
    if (isEnded) return told;
  }
  return told;
}

function contextOf({ isLive, contentFormat }: Talk, index: number): StepContext {
  const now = Date.parse("2026-11-20T12:00:00.000Z") + index;
  return { now, seed: `${"5a".repeat(15)}${(index + 16).toString(16)}`, isLive, contentFormat, blocks, runScript };
}

function startOf({ isLive, isOnlyRegistering, prefilled }: Talk, reply: Reply | null): AdvanceInput {
  const options = { prefilledVariables: prefilled };
  const resultId = isLive ? "result" : null;
  return { kind: "start", resultId, isStreamEnabled: false, isOnlyRegistering, reply, options };
}

type Heard =
  | { readonly outcome: "stepped"; readonly said: unknown; readonly step: Step; readonly isEnded: boolean }
  | { readonly outcome: "refused" | "too many effects"; readonly said: unknown; readonly cost: Cost };

/** Returns the outcome of a step, with everything that its caller receives. */
function hear(advanced: Advanced): Heard {
  if (advanced.kind === "performing") return { outcome: "too many effects", said: null, cost: free };
  if (advanced.kind === "refused") return { outcome: "refused", said: [advanced.code, advanced.data], cost: free };
  const { step, isEnded } = advanced;
  const { answers, visitedEdgeIds, endedResults } = step.record;
  try {
    const said = [responseOf(step, { isEnded }), botOf(step, "tagManagerId"), resultsOf(step, { isEnded })];
    return { outcome: "stepped", said: [...said, answers, visitedEdgeIds, endedResults], step, isEnded };
  } catch (error) {
    if (error instanceof StepRefused) return { outcome: "refused", said: [error.code, error.data], cost: free };
    throw error;
  }
}

const free: Cost = { blocks: 0, ticks: 0, characters: 0, messages: 0 };

function costOf({ blocksLeft, ticksLeft, charactersLeft, messages }: StepRecord): Cost {
  return {
    blocks: limits.step.blocks - blocksLeft,
    ticks: limits.step.allScriptsTicks - ticksLeft,
    characters: limits.step.characters - charactersLeft,
    messages: messages.length,
  };
}

function perform(
  context: StepContext,
  program: Program,
  programOf: (key: string) => Program,
  input: AdvanceInput,
  { carry, luck }: { carry<T>(value: T): T; luck: number },
): { advanced: Advanced; effects: Effect[] } {
  const effects: Effect[] = [];
  let advanced = advance(context, program, programOf, input);
  while (advanced.kind === "performing" && effects.length < limits.step.effects) {
    effects.push(advanced.effect);
    const continuation: Continuation = carry(advanced.continuation);
    const report = carry(reportOf(advanced.effect, luck + effects.length));
    advanced = advance(context, program, programOf, { kind: "report", continuation, report });
  }
  return { advanced, effects };
}

/** Returns a report of an effect. `luck` selects one of its outcomes, which include a refusal. */
export function reportOf(effect: Effect, luck: number): Report {
  if (luck % 4 === 0) return { kind: "refused", reason: "not today" };
  const isGood = luck % 4 !== 1;
  switch (effect.kind) {
    case "callbackAddress":
      return { kind: "callbackAddress", address: `https://chat.example/api/v1/callbacks/${effect.blockId}` };
    case "userToken":
      return { kind: "userToken", token: isGood ? "header.claims.signature" : null };
    case "transcript":
      return { kind: "transcript", text: 'Assistant: "Hello"' };
    case "fetch":
      return { kind: "fetch", answer: isGood ? { body: '{"a":[1,{}]}' } : { error: "no answer" } };
    case "http":
      return isGood
        ? { kind: "http", statusCode: 200, text: luck % 4 === 2 ? '{"a":[1,{"b":"__proto__"}]}' : "not JSON" }
        : { kind: "http", statusCode: 500, error: { message: "no answer" } };
    case "linkedFlow":
      return { kind: "linkedFlow", program: isGood ? "other:1" : null, resultId: `linked ${luck}` };
    case "model":
      return { kind: "model", failure: { reason: "unreachable" } };
    case "speech":
      return isGood
        ? { kind: "speech", url: "https://x.example/a.mp3" }
        : { kind: "speech", failure: { reason: "time" } };
    case "transcription":
      return { kind: "transcription", failure: { reason: "unreachable" } };
    case "qrCode":
      return isGood
        ? { kind: "qrCode", url: "https://x.example/a.png" }
        : { kind: "qrCode", failure: { reason: "file" } };
    case "call":
      return isGood
        ? { kind: "call", status: 200, text: '{"list":[{"a":"__proto__"}],"a":1}' }
        : { kind: "call", failure: { reason: "time" } };
    case "suggestion":
      return { kind: "suggestion", parts: isGood ? { City: "Springfield", ["__proto__"]: "x" } : null };
    case "gmail":
      return isGood ? { kind: "gmail", threadId: "thread" } : { kind: "gmail", failure: { reason: "time" } };
    case "sheet":
      return isGood
        ? { kind: "sheet", rows: [[luck % 4 === 2 ? "a" : null], ["__proto__"]] }
        : { kind: "sheet", failure: { reason: "status", status: 429 } };
    case "payment":
      return { kind: "payment", paymentIntentSecret: "secret", publicKey: "key", paymentId: "payment" };
    case "paymentCheck":
      return { kind: "paymentCheck", status: "succeeded" };
    case "paymentCancel":
      return { kind: "paymentCancel", status: "canceled" };
    default:
      return effect satisfies never;
  }
}
