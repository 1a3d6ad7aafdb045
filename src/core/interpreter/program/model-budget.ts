import { limits } from "../../../limits/index.ts";
import type { Effect, Report } from "./effect.ts";
import type { Outcome } from "./outcome.ts";
import type { Program } from "./program.ts";
import type { SessionState } from "./state.ts";

/** A session's use of models so far. */
export type ModelsUsed = {
  calls: number;
  tokens: number;
  /** Whether the log already reports that a budget is used up. */
  isTold: boolean;
};

type Using = {
  readonly models: ModelsUsed;
  /** The last frame is the flow that the session began with. */
  readonly frames: readonly { readonly program: Program }[];
};

/** Read from a stored state, which has no use if no model was called. */
export function openModelsUsed({ models }: SessionState): ModelsUsed {
  return { calls: models?.calls ?? 0, tokens: models?.tokens ?? 0, isTold: models?.isTold ?? false };
}

export function closeModelsUsed({ calls, tokens, isTold }: ModelsUsed): SessionState["models"] {
  if (calls === 0 && !isTold) return undefined;
  return { calls, tokens, ...(isTold && { isTold }) };
}

/** The state with another state's use added: a visitor who goes back still pays for the later calls. */
export function withModelsUsed({ awaitsReport, ...state }: SessionState, { models }: SessionState): SessionState {
  // This key must stay the last: see its definition.
  return { ...state, ...(models && { models }), ...(awaitsReport && { awaitsReport }) };
}

/** The report for a call that the session has no budget for; undefined if the call may be made. */
export function refusedCall(step: Using, effect: Effect): Report | undefined {
  if (!isModelCall(effect)) return undefined;
  const { calls, tokens } = budgetOf(step);
  if (step.models.calls < calls && step.models.tokens < tokens) return undefined;
  const failure = { reason: "budget", details: "Of this chat" } as const;
  switch (effect.kind) {
    case "model":
      return { kind: "model", failure };
    case "speech":
      return { kind: "speech", failure };
    case "transcription":
      return { kind: "transcription", failure };
    default:
      return effect satisfies never;
  }
}

/** The call as the session can afford it: the last call has no tools, so that it gives an answer. */
export function affordable(step: Using, effect: Effect): Effect {
  if (effect.kind !== "model" || !effect.tools || effect.mayCallTools === false) return effect;
  const { calls, tokens } = budgetOf(step);
  const characters = effect.messages.reduce((sum, { content }) => sum + content.length, 0);
  const next =
    step.models.tokens + characters / limits.modelBudgets.charactersPerToken + limits.modelBudgets.roundTokens;
  const isLast = step.models.calls + 1 >= calls || next >= tokens;
  return isLast ? { ...effect, mayCallTools: false } : effect;
}

function budgetOf(step: Using): { readonly calls: number; readonly tokens: number } {
  const { sessionCalls, sessionTokens } = limits.modelBudgets;
  const { calls = sessionCalls, tokens = sessionTokens } = step.frames.at(-1)?.program.settings.models?.session ?? {};
  return { calls, tokens };
}

/** Counts a call that is about to be made. */
export function countCall(step: Using, effect: Effect): void {
  if (isModelCall(effect)) step.models.calls++;
}

/** Counts the tokens of a call, whether there is an answer or not. */
export function countTokens(step: Using, report: Report): void {
  if (report.kind !== "model") return;
  const tokens = "answer" in report ? report.answer.tokens : report.tokens;
  if (tokens) step.models.tokens += tokens.in + tokens.out;
}

/** The log reports a used-up budget once: later reports of calls that are not made are left out. */
export function toldOnce(step: Using, report: Report, outcome: Outcome): Outcome {
  if (!isRefusal(report)) return outcome;
  const isFirst = !step.models.isTold;
  step.models.isTold = true;
  return isFirst || !outcome.logs
    ? outcome
    : { ...outcome, logs: outcome.logs.filter(({ status }) => status === "info") };
}

function isModelCall(effect: Effect): effect is Extract<Effect, { kind: "model" | "speech" | "transcription" }> {
  return effect.kind === "model" || effect.kind === "speech" || effect.kind === "transcription";
}

function isRefusal(report: Report): boolean {
  return "failure" in report && report.failure.reason === "budget";
}
