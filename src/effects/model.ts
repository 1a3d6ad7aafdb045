import type { Report } from "../interpreter/effect.ts";
import type { ModelEffect, ModelFailure, ModelMessage, ModelTokens } from "../interpreter/model.ts";
import { limits } from "../limits.ts";
import type { EffectContext } from "./effect-context.ts";
import { callModel } from "./model-call.ts";
import { type FailedTry, pauseAfter } from "./model-failures.ts";
import { addressesIn, loadFiles, takesFiles } from "./model-files.ts";
import type { RequestManner } from "./model-options.ts";
import { knownOutput, rememberOutput } from "./model-output.ts";
import { findServer, masked } from "./model-server.ts";
import { sumOf } from "./model-tokens.ts";
import { type CallWatch, withinBudgets } from "./model-use.ts";

type ModelContext = Pick<
  EffectContext,
  | "credentials"
  | "models"
  | "files"
  | "safeStream"
  | "hops"
  | "idempotencyKey"
  | "timeLeftMs"
  | "mayGoOn"
  | "extraModelCalls"
  | "onText"
  | "stopped"
>;

type ModelReport = Extract<Report, { kind: "model" }>;

/**
 * An answer of a language model: of the one that is asked for, with its further tries, else of the fall-backs in turn. A failed call is a
 * report without anything that looks like a key.
 */
export async function performModel(effect: ModelEffect, context: ModelContext): Promise<Report> {
  const deadline = performance.now() + Math.min(effect.timeoutMs, context.timeLeftMs);
  const notes: string[] = [];
  const asking = (one: ModelEffect) =>
    withinBudgets<ModelReport>(one, context, {
      make: (watch) => ask(one, { ...context, deadline, watch }),
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
      `${fallback.model} of ${fallback.credentialsType} was asked instead: ${reason}${details && `, ${details}`}`,
    );
    spent = sumOf(spent, report.tokens);
    const { baseUrl, apiVersion, ...asked } = { ...effect, ...fallback };
    report = await asking(asked);
  }
  const told = [...notes, ...(report.notes ?? [])];
  return { ...withSpent(report, spent), ...(told.length > 0 && { notes: told }) };
}

/** A report with what the calls before it have cost. */
function withSpent(report: ModelReport, spent: ModelTokens | undefined): ModelReport {
  if (!spent) return report;
  if ("failure" in report) return { ...report, tokens: sumOf(report.tokens, spent) ?? spent };
  const { answer } = report;
  return { ...report, answer: { ...answer, tokens: sumOf(answer.tokens, spent) ?? spent } };
}

/** A model elsewhere may do better, unless the request itself is wrong. */
function mayFallBack({ reason }: ModelFailure): boolean {
  return !["refused", "too long", "spent", "busy", "budget", "file"].includes(reason);
}

function spendCall({ extraModelCalls }: ModelContext): boolean {
  return extraModelCalls === undefined || extraModelCalls.left-- > 0;
}

/** One model, tried again while nothing of its answer was there, and asked in another manner where it refuses the first. */
async function ask(
  effect: ModelEffect,
  context: ModelContext & { readonly deadline: number; readonly watch: CallWatch },
): Promise<ModelReport> {
  const { deadline } = context;
  const server = await findServer(effect, context);
  if ("failure" in server) return { kind: "model", failure: server.failure };
  const notes: string[] = [];
  const takes = takesFiles(effect, server);
  const files = await filesFor(effect, { ...context, takes, notes });
  let asked = effect;
  let manner: RequestManner = { files, output: knownOutput(effect, server) };
  let isStreamed = true;
  let spent: ModelTokens | undefined;
  let renewals = 0;
  const told = (report: ModelReport): ModelReport => ({
    ...withSpent(report, spent),
    ...(notes.length > 0 && { notes }),
  });
  for (let attempt = 0; ; ) {
    const timeoutMs = deadline - performance.now();
    context.watch.tried(server.keys, asked);
    // A provider that knows a key gives the same answer again: an empty one is of no use, and another request has another answer.
    const idempotencyKey = renewals === 0 ? context.idempotencyKey : `${context.idempotencyKey} ${renewals}`;
    const tried = await callModel(asked, server, { ...context, idempotencyKey, isStreamed, manner, timeoutMs });
    if (tried.kind === "answered") {
      rememberOutput(effect, server, manner.output);
      return told({ kind: "model", answer: tried.answer });
    }
    spent = sumOf(spent, tried.tokens);
    const mayGoOn = (): boolean => context.mayGoOn?.() !== false && spendCall(context);
    const otherwise = performance.now() < deadline ? askOtherwise(asked, { tried, manner, takes, notes }) : undefined;
    if (otherwise && mayGoOn()) {
      ({ asked = asked, manner = manner } = otherwise);
      if (otherwise.note !== undefined) notes.push(otherwise.note);
      renewals++;
      continue;
    }
    if (tried.failure.reason === "unreadable") isStreamed = false;
    if (tried.failure.reason === "empty") renewals++;
    const pauseMs = pauseAfter(tried, attempt++);
    const isLast = pauseMs === undefined || performance.now() + pauseMs >= deadline;
    if (!isLast) await pauseUnlessStopped(pauseMs, context.stopped);
    if (isLast || !mayGoOn()) return told({ kind: "model", failure: masked(tried.failure, server) });
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
  { takes, notes, ...context }: ModelContext & { takes: Takes; notes: string[]; deadline: number },
): Promise<RequestManner["files"]> {
  if (addressesIn(effect.messages).length === 0) return new Map();
  if (takes === "nothing") {
    notes.push("The model takes no pictures: their addresses stay text");
    return new Map();
  }
  const timeoutMs = Math.min(limits.models.fileMs, context.deadline - performance.now());
  const loaded = await loadFiles(
    effect,
    { takesDocuments: takes === "pictures and documents" },
    { ...context, timeoutMs },
  );
  notes.push(...loaded.notes);
  return loaded.files;
}

type Takes = ReturnType<typeof takesFiles>;

type Otherwise = { readonly asked?: ModelEffect; readonly manner?: RequestManner; readonly note?: string };

/** How a request that was refused can be made in another manner; undefined where it cannot. */
function askOtherwise(
  asked: ModelEffect,
  { tried, manner, takes, notes }: { tried: FailedTry; manner: RequestManner; takes: Takes; notes: readonly string[] },
): Otherwise | undefined {
  const { reason, status, details = "" } = tried.failure;
  const { responses } = asked;
  if (
    responses?.previousResponseId !== undefined &&
    (status === 400 || status === 404) &&
    /previous.?response/i.test(details)
  ) {
    const { previousResponseId: _, ...rest } = responses;
    return {
      asked: { ...asked, responses: rest },
      note: "The provider has forgotten the previous response: the model was asked without it",
    };
  }
  const isRefused = status === 400 || status === 422;
  if (isRefused && takes === "anything" && manner.files.size > 0) {
    return { manner: { ...manner, files: new Map() }, note: "The model takes no pictures: their addresses stay text" };
  }
  if (isRefused && asked.output && manner.output !== "words") {
    return { manner: { ...manner, output: manner.output === "schema" ? "json" : "words" } };
  }
  const isTooMuch = reason === "too long" || (asked.isTrimmedWhenRefused === true && status === 400);
  const mayTrim = isTooMuch && notes.filter((note) => note === trimmed).length < limits.models.trims;
  const shorter = mayTrim ? withoutOldest(asked.messages) : undefined;
  return shorter && { asked: { ...asked, messages: shorter }, note: trimmed };
}

const trimmed = "Max tokens limit reached, automatically trimming first message.";

/** Without the oldest message that is not the author's, and what came of its calls; undefined where none would be left to answer. */
function withoutOldest(messages: readonly ModelMessage[]): ModelMessage[] | undefined {
  const first = messages.findIndex(({ role }) => role !== "system");
  const next = messages.findIndex(({ role }, index) => index > first && role !== "tool");
  const rest = messages.slice(next);
  if (first < 0 || next < 0 || !rest.some(({ role }) => role === "user")) return undefined;
  return [...messages.slice(0, first), ...rest];
}
