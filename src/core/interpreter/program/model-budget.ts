import { limits } from "../../../limits/index.ts";
import type { Effect, Report } from "./effect.ts";
import type { Outcome } from "./outcome.ts";
import type { Program } from "./program.ts";
import type { SessionState } from "./state.ts";

/** The session's use of models so far. */
export type ModelsUsed = {
  calls: number;
  tokens: number;
  /** Whether the log already reports that the budget is used up. */
  isTold: boolean;
};

type Using = {
  readonly models: ModelsUsed;
  /** The running flow, followed by its parent flows. The last flow is the flow with which the session started. */
  readonly frames: readonly { readonly program: Program }[];
};

/** Returns the use of models in a stored state. If no model was called, the use is zero. */
export function openModelsUsed({ models }: SessionState): ModelsUsed {
  return { calls: models?.calls ?? 0, tokens: models?.tokens ?? 0, isTold: models?.isTold ?? false };
}

export function closeModelsUsed({ calls, tokens, isTold }: ModelsUsed): SessionState["models"] {
  if (calls === 0 && !isTold) return undefined;
  return { calls, tokens, ...(isTold && { isTold }) };
}

/**
 * Returns an earlier state with the use of models from a later state. Calls that a visitor undoes by going back still
 * count against the budget.
 */
export function withModelsUsed({ awaitsReport, ...state }: SessionState, { models }: SessionState): SessionState {
  // `awaitsReport` must stay the last key: see the function `awaitsReport`.
  return { ...state, ...(models && { models }), ...(awaitsReport && { awaitsReport }) };
}

/** Returns a report that refuses the call if the session's budget is used up, or undefined if the call may be made. */
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

/** Forbids tool calls in the last model call that the session's budget allows, so that the model must answer. */
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

/** Counts a call of a model that is about to be made. Other effects are not counted. */
export function countCall(step: Using, effect: Effect): void {
  if (isModelCall(effect)) step.models.calls++;
}

/** Counts the tokens of a call, even if there is no answer. */
export function countTokens(step: Using, report: Report): void {
  if (report.kind !== "model") return;
  const tokens = "answer" in report ? report.answer.tokens : report.tokens;
  if (tokens) step.models.tokens += tokens.in + tokens.out;
}

/** Logs a used-up budget only once. For later refused calls, only log entries with the status `info` remain. */
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
