import type { Report } from "../../core/interpreter/program/effect.ts";
import type { ModelEffect, ModelFailure, ModelTokens } from "../../core/interpreter/program/model.ts";
import { limits } from "../../limits/index.ts";
import type { EffectContext } from "../effect-context.ts";
import { sumOf } from "../model-tokens.ts";
import { type CallWatch, withinBudgets } from "../model-use.ts";
import type { MediaContext } from "./media-call.ts";
import { callModel } from "./model-call.ts";
import { echoSource } from "./model-echo.ts";
import { pauseAfter } from "./model-failures.ts";
import { addressesIn, loadFiles, mayTakeDocuments } from "./model-files.ts";
import { aboutTheFlow, joinedNeighbours, noTemperature, otherManner, withoutTemperature } from "./model-manners.ts";
import { mayAskReasoning, type RequestManner } from "./model-options.ts";
import { findServer, type ModelServer, noted } from "./model-server.ts";

/** Facts about a model that were learned from its answers. */
type KnownModel = {
  /**
   * The last way of requesting an answer's format that the model accepted. Most servers support schemas, some support
   * only JSON, and some support neither.
   */
  readonly output?: RequestManner["output"];
  /** Whether the model answered only after the temperature was removed from the request. */
  readonly refusesTemperature?: true;
};

const known = new Map<string, KnownModel>();

/**
 * The maximum number of remembered models. A flow may build model names from visitors' input, so the number of names is
 * unlimited.
 */
const mostKnown = 1_000;

function knownModel(effect: ModelEffect, server: ModelServer): KnownModel {
  return known.get(keyOf(effect, server)) ?? {};
}

/** Records how the successful request `asked` differs from the original request. */
function rememberModel(
  effect: ModelEffect,
  server: ModelServer,
  { asked, manner }: { asked: ModelEffect; manner: RequestManner },
): void {
  const before = knownModel(effect, server);
  const isCold = effect.temperature !== undefined && asked.temperature === undefined;
  const isNew = effect.output !== undefined && manner.output !== (before.output ?? "schema");
  if (!isNew && (!isCold || before.refusesTemperature)) return;
  if (known.size >= mostKnown) known.clear();
  const found = { ...(isNew && { output: manner.output }), ...(isCold && { refusesTemperature: true as const }) };
  known.set(keyOf(effect, server), { ...before, ...found });
}

function keyOf({ model }: ModelEffect, { baseUrl }: ModelServer): string {
  return `${baseUrl} ${model}`;
}

type ModelContext = MediaContext & Pick<EffectContext, "isNews" | "onText" | "stopped">;

type ModelReport = Extract<Report, { kind: "model" }>;

/**
 * Requests an answer from the specified model, with retries. After most failures, the fallback models are called in
 * turn. A failed call is returned as a report without anything that looks like a key.
 */
export async function performModel(effect: ModelEffect, context: ModelContext): Promise<Report> {
  const deadline = performance.now() + Math.min(effect.timeoutMs, context.timeLeftMs);
  const notes: string[] = [];
  const asking = (one: ModelEffect) =>
    withinBudgets<ModelReport>(one, context, {
      make: (watch, isLast) => ask(isLast ? withoutTools(one) : one, { ...context, deadline, watch }),
      refuse: (failure) => ({ kind: "model", failure }),
    });
  let report = await asking(effect);
  let spent: ModelTokens | undefined;
  for (const fallback of effect.fallbacks ?? []) {
    if (!("failure" in report) || !mayFallBack(report.failure) || performance.now() >= deadline) break;
    if (context.mayGoOn?.() === false || !spendCall(context)) break;
    const { reason, details = "" } = report.failure;
    notes.push(
      ...(report.notes ?? []),
      `${fallback.model} of ${fallback.credentialsType} was called instead: ${reason}${details && `, ${details}`}`,
    );
    spent = sumOf(spent, report.tokens);
    const { baseUrl, apiVersion, ...asked } = { ...effect, ...fallback };
    report = await asking(asked);
  }
  const allNotes = [...notes, ...(report.notes ?? [])];
  return { ...withSpent(report, spent), ...(allNotes.length > 0 && { notes: allNotes }) };
}

/** Adds the tokens of earlier calls to a report. */
function withSpent(report: ModelReport, spent: ModelTokens | undefined): ModelReport {
  if (!spent) return report;
  if ("failure" in report) return { ...report, tokens: sumOf(report.tokens, spent) ?? spent };
  const { answer } = report;
  return { ...report, answer: { ...answer, tokens: sumOf(answer.tokens, spent) ?? spent } };
}

/** Disables tool calls. In the last call that a budget allows, the model must answer. */
function withoutTools(effect: ModelEffect): ModelEffect {
  return effect.tools ? { ...effect, mayCallTools: false } : effect;
}

/**
 * Whether a fallback model is called. No fallback helps if the request itself is wrong, or if the capacity or the
 * budget is insufficient.
 */
function mayFallBack({ reason }: ModelFailure): boolean {
  return !["refused", "too long", "spent", "busy", "budget", "file"].includes(reason);
}

function spendCall({ extraModelCalls }: ModelContext): boolean {
  return extraModelCalls === undefined || extraModelCalls.left-- > 0;
}

/**
 * Calls a model, with retries until a part of the answer arrives. If the model rejects the request, other forms of the
 * request are tried.
 */
async function ask(
  effect: ModelEffect,
  context: ModelContext & { readonly deadline: number; readonly watch: CallWatch },
): Promise<ModelReport> {
  const { deadline } = context;
  const server = await findServer(effect, context);
  if ("failure" in server) return { kind: "model", failure: server.failure };
  const notes: string[] = [];
  const files = await filesFor(effect, { ...context, server, notes });
  const { output = "schema", refusesTemperature } = knownModel(effect, server);
  const isCold = refusesTemperature && effect.temperature !== undefined;
  let asked = isCold ? withoutTemperature(effect) : effect;
  // Perplexity rejects two consecutive messages with the same role.
  if (effect.credentialsType === "perplexity") asked = { ...asked, messages: joinedNeighbours(asked.messages) };
  let manner: RequestManner = {
    files,
    output,
    echoTo: echoSource(effect, server),
    asksReasoning: mayAskReasoning(effect),
  };
  let isStreamed = true;
  let spent: ModelTokens | undefined;
  let renewals = 0;
  const note = (text: string | undefined): void => {
    if (text === undefined || (aboutTheFlow.has(text) && context.isNews?.(text) === false)) return;
    notes.push(text);
  };
  if (isCold) note(noTemperature);
  const withNotes = (report: ModelReport): ModelReport => ({
    ...withSpent(report, spent),
    ...(notes.length > 0 && { notes }),
  });
  for (let attempt = 0; ; ) {
    const timeoutMs = deadline - performance.now();
    context.watch.tried(server.keys, asked);
    // Providers return the same answer for the same key, so the call after an empty answer or with a changed request
    // needs a new key.
    const idempotencyKey = renewals === 0 ? context.idempotencyKey : `${context.idempotencyKey} ${renewals}`;
    const tried = await callModel(asked, server, { ...context, idempotencyKey, isStreamed, manner, timeoutMs });
    if (tried.kind === "answered") {
      rememberModel(effect, server, { asked, manner });
      for (const one of tried.notes) note(one);
      return withNotes({ kind: "model", answer: tried.answer });
    }
    spent = sumOf(spent, tried.tokens);
    const mayGoOn = (): boolean => context.mayGoOn?.() !== false && spendCall(context);
    const otherwise = performance.now() < deadline ? otherManner({ asked, manner, tried, notes }) : undefined;
    if (otherwise && mayGoOn()) {
      ({ asked = asked, manner = manner } = otherwise);
      note(otherwise.note);
      renewals++;
      continue;
    }
    if (tried.failure.reason === "unreadable") isStreamed = false;
    if (tried.failure.reason === "empty") renewals++;
    const pauseMs = pauseAfter(tried, attempt++);
    const isLast = pauseMs === undefined || performance.now() + pauseMs >= deadline;
    if (!isLast) await pauseUnlessStopped(pauseMs, context.stopped);
    if (isLast || !mayGoOn()) {
      const { credentialsId } = effect;
      return withNotes({ kind: "model", failure: await noted(tried.failure, { ...context, credentialsId, server }) });
    }
  }
}

function pauseUnlessStopped(ms: number, stopped: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      stopped?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    if (stopped?.aborted) end();
    stopped?.addEventListener("abort", end, { once: true });
  });
}

async function filesFor(
  effect: ModelEffect,
  { server, notes, ...context }: ModelContext & { server: ModelServer; notes: string[]; deadline: number },
): Promise<RequestManner["files"]> {
  if (addressesIn(effect.messages).length === 0) return new Map();
  const timeoutMs = Math.min(limits.models.fileMs, context.deadline - performance.now());
  const loaded = await loadFiles(
    effect,
    { takesDocuments: mayTakeDocuments(effect, server) },
    { ...context, timeoutMs },
  );
  notes.push(...loaded.notes);
  return loaded.files;
}
