import { Type } from "@sinclair/typebox";
import { limits } from "../../../limits/index.ts";
import type { RecordedFetch } from "../../interpreter/language/script.ts";
import type { Report } from "../../interpreter/program/effect.ts";
import type {
  ModelAnswer,
  ModelCall,
  ModelEffect,
  ModelFailure,
  ModelMessage,
} from "../../interpreter/program/model.ts";
import type { Outcome, StepLog } from "../../interpreter/program/outcome.ts";
import type { View } from "../../interpreter/program/view.ts";
import { readKnown } from "../../interpreter/schemas/schema.ts";
import { fetchedAnswer, fetchedSchema } from "../logic/script-fetches.ts";
import { refusalOf } from "./call.ts";
import { argumentsOf, runTool, type Tool, valueForModel } from "./tools.ts";

/**
 * One answer of a model, with the tool calls before it. All requests and answers are stored in the effect's memo, so
 * that the values that tools write to variables do not change them.
 *
 *     requested ─ the model calls tools ──────→ running
 *     running ─ all tools have run ───────────→ requested again
 *     running ─ a tool requests a fetch ──────→ running, after the answer to the fetch
 *     requested ─ the model answers or fails ─→ finished
 */
const memoSchema = Type.Object({
  request: Type.Unsafe<ModelEffect>(Type.Unknown()),
  /** The texts of earlier rounds. */
  texts: Type.Array(Type.String()),
  tokens: Type.Object({ in: Type.Number(), cached: Type.Number(), out: Type.Number(), isEstimated: Type.Boolean() }),
  round: Type.Number(),
  running: Type.Optional(
    Type.Object({
      calls: Type.Unsafe<readonly ModelCall[]>(Type.Unknown()),
      /** The results of earlier tool calls. */
      results: Type.Array(Type.String()),
      /** The responses to the fetches of the current tool call. */
      fetched: fetchedSchema,
    }),
  ),
});

type Memo = (typeof memoSchema)["static"];

/** The state after a round: a further request, an answer, or the reason why there is no answer. */
export type Round =
  | { readonly kind: "goes on"; readonly outcome: Outcome }
  /** `failure`: the failure of a call after the model had already returned text. */
  | {
      readonly kind: "answered";
      readonly answer: ModelAnswer;
      readonly failure?: ModelFailure;
      readonly logs: readonly StepLog[];
    }
  | { readonly kind: "failed"; readonly failure: ModelFailure; readonly logs: readonly StepLog[] }
  | { readonly kind: "refused"; readonly reason: string };

type Reported = {
  readonly report: Report;
  readonly memo: unknown;
  readonly tools: readonly Tool[];
  readonly context: string;
  /** The maximum number of requests to the model for one answer. */
  readonly rounds: number;
};

/** Sends the first request to a model that may call tools. */
export function firstRound(request: ModelEffect, logs: readonly StepLog[]): Outcome {
  const tokens = { in: 0, cached: 0, out: 0, isEstimated: false };
  return ask({ request, texts: [], tokens, round: 1 }, logs);
}

/** Continues after an answer of the model or after a fetch of one of its tools. */
export function nextRound(view: View, { report, memo, tools, context, rounds }: Reported): Round {
  const asked = readKnown(memoSchema, memo);
  if (asked?.running) {
    const { running } = asked;
    const fetched = [...running.fetched, fetchedAnswer(report)];
    return {
      kind: "goes on",
      outcome: runTools({ ...asked, running: { ...running, fetched } }, { view, tools, rounds, logs: [] }),
    };
  }
  if (!asked || report.kind !== "model") {
    return { kind: "refused", reason: refusalOf(report) };
  }
  const logs = (report.notes ?? []).map((description): StepLog => ({ status: "info", description, context }));
  if ("failure" in report) {
    if (asked.texts.length === 0) return { kind: "failed", failure: report.failure, logs };
    // Without a further answer, the text received so far becomes the answer.
    const answer = { text: joined(asked.texts), ended: "cut", tokens: asked.tokens } as const;
    return { kind: "answered", answer, failure: report.failure, logs };
  }
  const { answer } = report;
  const tokens = {
    in: asked.tokens.in + answer.tokens.in,
    cached: asked.tokens.cached + answer.tokens.cached,
    out: asked.tokens.out + answer.tokens.out,
    isEstimated: asked.tokens.isEstimated || answer.tokens.isEstimated,
  };
  const texts = answer.text === "" ? asked.texts : [...asked.texts, answer.text];
  const { calls = [] } = answer;
  if (answer.ended !== "tools" || calls.length === 0 || asked.request.mayCallTools === false) {
    const { failure } = answer;
    return { kind: "answered", answer: { ...answer, text: joined(texts), tokens }, ...(failure && { failure }), logs };
  }
  const { request } = asked;
  const { echo } = answer;
  const message: ModelMessage = { role: "assistant", content: answer.text, calls, ...(echo && { echo }) };
  const memoNow = { ...asked, request: { ...request, messages: [...request.messages, message] }, texts, tokens };
  const outcome = runTools({ ...memoNow, running: { calls, results: [], fetched: [] } }, { view, tools, rounds, logs });
  return { kind: "goes on", outcome };
}

function ask(memo: Memo, logs: readonly StepLog[]): Outcome {
  return { kind: "perform", effect: memo.request, memo, ...(logs.length > 0 && { logs }) };
}

type Running = Memo & { readonly running: NonNullable<Memo["running"]> };

/**
 * Runs the remaining tool calls in order, then calls the model again. If a tool calls `fetch`, the fetch is performed
 * first.
 */
function runTools(
  { running, ...memo }: Running,
  {
    view,
    tools,
    rounds,
    logs: before,
  }: { view: View; tools: readonly Tool[]; rounds: number; logs: readonly StepLog[] },
): Outcome {
  const { calls } = running;
  const logs = [...before];
  const results = [...running.results];
  let { fetched } = running;
  for (const call of calls.slice(results.length)) {
    if (results.length >= limits.models.callsAtOnce) {
      results.push("Too many calls at once");
      continue;
    }
    const ran = runCall(call, { view, tools, fetched });
    if (ran.kind === "fetch") {
      const { url, init } = ran;
      const effect = { kind: "fetch", url, init } as const;
      return { kind: "perform", effect, memo: { ...memo, running: { calls, results, fetched } }, logs };
    }
    fetched = [];
    results.push(ran.text);
    if (ran.log) logs.push(ran.log);
  }
  const { request, round } = memo;
  const resultMessages = calls.map(({ id, name }, index): ModelMessage => {
    return { role: "tool", callId: id, name, content: results[index] ?? "" };
  });
  const isLast = round + 1 >= rounds;
  const messages = [...request.messages, ...resultMessages];
  return ask(
    { ...memo, request: { ...request, messages, ...(isLast && { mayCallTools: false }) }, round: round + 1 },
    logs,
  );
}

type Ran =
  | { readonly kind: "ran"; readonly text: string; readonly log?: StepLog }
  | Extract<ReturnType<typeof runTool>, { kind: "fetch" }>;

function runCall(
  call: ModelCall,
  { view, tools, fetched }: { view: View; tools: readonly Tool[]; fetched: readonly RecordedFetch[] },
): Ran {
  const tool = tools.find(({ offered }) => offered.name === call.name);
  if (!tool) return wrong(call.name, "There is no such tool");
  const given = argumentsOf(tool.offered, call);
  if ("problem" in given) return wrong(tool.name, given.problem);
  const result = runTool(tool, view, { values: given.values, fetched });
  switch (result.kind) {
    case "finished":
      view.variables.write(result.writes);
      return { kind: "ran", text: valueForModel(result.value) };
    case "failed": {
      const { description } = result.error;
      const log = { ...result.error, context: `While running the tool ${tool.name}` };
      return { kind: "ran", text: valueForModel(`Error: ${description}`), log };
    }
    case "fetch":
      return result;
    default:
      return result satisfies never;
  }
}

/** Reports the problem to the model, which may retry the tool call. */
function wrong(name: string, problem: string): Ran {
  const log = {
    status: "info",
    description: `The model used the tool incorrectly: ${problem}`,
    context: `While running the tool ${name}`,
  };
  return { kind: "ran", text: `Error: ${problem}`, log };
}

function joined(texts: readonly string[]): string {
  return texts.join("\n\n");
}
