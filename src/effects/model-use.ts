import type { Report } from "../core/interpreter/program/effect.ts";
import type { ModelAnswer, ModelEffect, ModelFailure, ModelTokens } from "../core/interpreter/program/model.ts";
import { callWithoutEcho, withoutEcho } from "../core/interpreter/program/model-echo.ts";
import { billed, charactersIn, estimatedTokens, type ModelCallEffect, mostTokens } from "./model-tokens.ts";

/** Counts a step's model calls and checks them against budgets. */
export type ModelUse = {
  /** Reserves budget for the maximum use of a call. If a budget is insufficient, returns the name of that budget. */
  reserve(call: PlannedCall): Promise<ReservedCall | { readonly refusedBy: string }>;
};

export type PlannedCall = {
  /** The type of the call's credentials. */
  readonly type: string;
  readonly model: string;
  /** The maximum number of tokens that the call may use, as far as the number is known in advance. */
  readonly tokens: { readonly in: number; readonly out: number };
};

export type ReservedCall = {
  /** Whether a budget is insufficient for another call of this size. */
  readonly isLast?: boolean;
  /** Replaces the reservation with the actual use. */
  settle(call: FinishedCall): Promise<void>;
};

export type FinishedCall = {
  /** How the answer ended, or the reason why there is no answer. */
  readonly ended: ModelAnswer["ended"] | ModelFailure["reason"];
  /** Whether a request was sent. */
  readonly isMade: boolean;
  /**
   * The tokens of the call, which may be known even if there is no answer. Null if the tokens are unknown or the call
   * was not billed.
   */
  readonly tokens: ModelTokens | null;
  readonly tries: number;
  readonly firstTextMs: number | null;
  readonly durationMs: number;
  /** The request and the answer as data, without known keys and without the contents of files. */
  readonly request: unknown;
  readonly answer: unknown;
  /** Values that must never appear in a report about the call. */
  readonly keys: readonly string[];
};

/** Observes the stages of a call. */
export type CallWatch = {
  /**
   * Called before each attempt with the keys of the server. `asked` is the request, if it may differ from the effect.
   */
  tried(keys: readonly string[], asked?: ModelEffect): void;
  /** Called when a part of the answer's text has arrived. */
  said(): void;
};

type ModelCallReport = Extract<Report, { kind: ModelCallEffect["kind"] }>;

/** Makes a model, speech or transcription call if the budgets are sufficient, and records its use. */
export async function withinBudgets<Reported extends ModelCallReport>(
  effect: ModelCallEffect,
  { models }: { readonly models?: ModelUse },
  {
    make,
    refuse,
  }: { make(watch: CallWatch, isLast: boolean): Promise<Reported>; refuse(failure: ModelFailure): Reported },
): Promise<Reported> {
  const { credentialsType: type, model } = effect;
  const reserved = await models?.reserve({ type, model, tokens: mostTokens(effect) });
  if (reserved && "refusedBy" in reserved) return refuse({ reason: "budget", details: reserved.refusedBy });
  const watch = createWatch(effect);
  const report = await make(watch, reserved?.isLast === true);
  const seen = watch.seen();
  await reserved?.settle({ ...seen, ...outcomeOf(effect, report, seen) });
  return report;
}

function createWatch(effect: ModelCallEffect): CallWatch & { seen(): Seen } {
  const startedAt = performance.now();
  const since = (): number => Math.round(performance.now() - startedAt);
  let asked: ModelCallEffect = effect;
  let tries = 0;
  let firstTextMs: number | null = null;
  let keys: readonly string[] = [];
  return {
    tried(known, one) {
      asked = one ?? asked;
      keys = known;
      tries++;
    },
    said() {
      firstTextMs ??= since();
    },
    seen: () => ({ tries, firstTextMs, durationMs: since(), request: requestOf(asked), keys }),
  };
}

type Seen = Pick<FinishedCall, "tries" | "firstTextMs" | "durationMs" | "request" | "keys">;

/** Returns the part of a request that is recorded, without its address and credentials. */
function requestOf(effect: ModelCallEffect): unknown {
  switch (effect.kind) {
    case "model": {
      const { model, tools, mayCallTools, output, responses, app, temperature, maxTokens } = effect;
      const messages = effect.messages.map(withoutEcho);
      return { model, messages, tools, mayCallTools, output, responses, app, temperature, maxTokens };
    }
    case "speech": {
      const { model, input, voice, instructions } = effect;
      return { model, input, voice, instructions };
    }
    case "transcription": {
      const { model, address, prompt } = effect;
      return { model, address, prompt };
    }
    default:
      return effect satisfies never;
  }
}

function outcomeOf(
  effect: ModelCallEffect,
  report: ModelCallReport,
  { tries }: Pick<Seen, "tries">,
): Pick<FinishedCall, "ended" | "isMade" | "tokens" | "answer"> {
  if ("failure" in report) {
    const { reason } = report.failure;
    const isMade = !unmade.has(reason) && !(reason === "file" && report.kind === "transcription");
    return { ended: reason, isMade, tokens: failedTokens(effect, report, tries), answer: report.failure };
  }
  switch (report.kind) {
    case "model": {
      const { ended, tokens, text, calls } = report.answer;
      return { ended, isMade: true, tokens, answer: { text, ...(calls && { calls: calls.map(callWithoutEcho) }) } };
    }
    case "speech":
      return { ended: "stop", isMade: true, tokens: estimated(charactersIn(effect), 0), answer: { url: report.url } };
    case "transcription":
      return {
        ended: "stop",
        isMade: true,
        tokens: estimated(0, report.text.length),
        answer: { text: report.text },
      };
    default:
      return report satisfies never;
  }
}

/** Failure reasons for which no request was sent. */
const unmade: ReadonlySet<ModelFailure["reason"]> = new Set(["credentials", "address", "busy"]);

/**
 * Returns the tokens of a failed call, or null if they are unknown or the call was not billed. A failed model call
 * reports its tokens. For speech and transcription, the tokens are estimated because no provider reports them.
 */
function failedTokens(
  effect: ModelCallEffect,
  report: Extract<ModelCallReport, { failure: ModelFailure }>,
  tries: number,
): ModelTokens | null {
  if (report.kind === "model") return report.tokens ?? null;
  return billed.has(report.failure.reason) ? estimated(charactersIn(effect) * tries, 0) : null;
}

/** Estimates the tokens of a recording at four characters per token, as for texts. */
function estimated(read: number, written: number): ModelTokens {
  return { in: estimatedTokens(read), cached: 0, out: estimatedTokens(written), isEstimated: true };
}
