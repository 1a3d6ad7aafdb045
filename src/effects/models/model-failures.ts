import { valueAt } from "../../core/interpreter/flow.ts";
import { parseJsonOr } from "../../core/interpreter/language/json.ts";
import type { ModelFailure, ModelTokens } from "../../core/interpreter/program/model.ts";
import { limits } from "../../limits/index.ts";
import { sentenceIn, sentenceOf } from "../providers/sentences.ts";
import { isPassingStatus } from "../safe-fetch/retries.ts";
import { FailedCall, RefusedCall } from "../safe-fetch/safe-fetch.ts";
import { BusyCall } from "../safe-fetch/safe-fetch-exchange.ts";

/** An attempt without an answer. */
export type FailedTry = {
  readonly kind: "failed";
  readonly failure: ModelFailure;
  readonly isRetryable: boolean;
  readonly retryAfterMs?: number;
  /** The tokens that the attempt used despite the failure. */
  readonly tokens?: ModelTokens;
};

/** Converts an error of a library to a failed attempt. The error itself contains the prompt and is not stored. */
export function failedTry(error: unknown): FailedTry {
  const call = inCauses(error, (one) => one instanceof RefusedCall || one instanceof FailedCall);
  if (call instanceof RefusedCall) return failed("address", { details: call.message });
  if (call instanceof BusyCall) return failed("busy", {});
  if (call instanceof FailedCall) {
    if (call.kind === "timeout") return failed("time", { isRetryable: true });
    // An unusable response does not come from a model, so repeating the call would not help.
    const isAnswer = call.kind === "answer";
    return failed(isAnswer ? "unreadable" : "unreachable", { details: call.message, isRetryable: !isAnswer });
  }
  const answer = inCauses(error, (one) => one instanceof Error && "statusCode" in one);
  if (isApiError(answer)) return failedAnswer(answer);
  // The stream was unreadable or contained an error, which may be a string or an object with a message.
  const said =
    typeof error === "string" ? sentenceIn(error) : sentenceOf(error instanceof Error ? { ...error } : error);
  return failed("unreadable", { details: said, isRetryable: true });
}

type ApiError = { statusCode?: number; responseBody?: string; responseHeaders?: Record<string, string> };

function isApiError(error: unknown): error is ApiError {
  return typeof error === "object" && error !== null && "statusCode" in error;
}

export function failedAnswer(
  { statusCode: status = 0, responseBody = "", responseHeaders }: ApiError,
  now = Date.now(),
): FailedTry {
  if (status >= 200 && status < 300) return failed("unreadable", { isRetryable: true });
  const details = sentenceIn(responseBody);
  const named = reasonNamed(status, { details, codes: codesIn(parseJsonOr(responseBody, undefined)) });
  const isTooLong = status === 413 || (status === 400 && saysTooLong(details));
  const reason =
    named ?? (isTooLong ? "too long" : (reasons.get(status) ?? (status >= 500 ? "overloaded" : "refused")));
  // Model providers answer 409 while they are changing data, and 413 if the request is too long. A retry cannot fix a
  // request that is too long.
  const isPassing = status === 409 || (isPassingStatus(status) && status !== 413);
  const retryAfterMs = retryAfterIn(responseHeaders ?? {}, now);
  return failed(reason, {
    status,
    details,
    isRetryable: isPassing && named === undefined,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  });
}

/** Returns the codes and types of an error, which distinguish errors with the same status. */
function codesIn(body: unknown): readonly string[] {
  const error = valueAt(body, "error");
  return [error, body].flatMap((one) =>
    ["code", "type"].flatMap((name) => {
      const code = valueAt(one, name);
      return typeof code === "string" || typeof code === "number" ? [String(code)] : [];
    }),
  );
}

type SaidError = { readonly details: string; readonly codes: readonly string[] };

/** Returns the reason that the provider's error message indicates, if it differs from the meaning of the status. */
function reasonNamed(status: number, { details, codes }: SaidError): ModelFailure["reason"] | undefined {
  const has = (...wanted: readonly string[]): boolean => wanted.some((code) => codes.includes(code));
  // OpenAI reports exhausted credit as too many requests, and Anthropic reports it as a bad request.
  if (status === 429 && has("insufficient_quota")) return "credit";
  if (status !== 400) return undefined;
  if (/credit balance/i.test(details)) return "credit";
  // For an unknown model, Mistral sends a code, and DeepSeek and OpenRouter send a message.
  if (has("1500", "invalid_model", "model_not_found")) return "model";
  if (/model not exist|not a valid model/i.test(details)) return "model";
  return has("content_filter") ? "withheld" : undefined;
}

/**
 * Returns how many milliseconds a server asks callers to wait, or undefined if it does not ask. Servers send
 * milliseconds, seconds or a date.
 */
function retryAfterIn(headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const exact = countIn(headers["retry-after-ms"]);
  if (exact !== undefined) return exact;
  const given = headers["retry-after"];
  const seconds = countIn(given);
  if (seconds !== undefined) return seconds * 1_000;
  const date = Date.parse(given ?? "");
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function countIn(text: string | undefined): number | undefined {
  return text !== undefined && /^\s*\d+(?:\.\d+)?\s*$/.test(text) ? Number(text) : undefined;
}

/** Whether the conversation is too long, rather than the requested answer. */
function saysTooLong(details: string): boolean {
  if (/max_(?:completion_|output_)?tokens/i.test(details)) return false;
  return /context|too long|too large for model|reduce the length|maximum.{0,40}tokens/i.test(details);
}

const reasons = new Map<number, ModelFailure["reason"]>([
  [401, "key"],
  [402, "credit"],
  [403, "key"],
  [404, "model"],
  [408, "time"],
  [429, "requests"],
]);

export function failed(
  reason: ModelFailure["reason"],
  more: { status?: number; details?: string; isRetryable?: boolean; retryAfterMs?: number },
): FailedTry {
  const { status, details, isRetryable = false, retryAfterMs } = more;
  return {
    kind: "failed",
    failure: { reason, ...(status !== undefined && { status }), ...(details && { details }) },
    isRetryable,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}

/**
 * Returns the pause before the next attempt. Returns undefined if there is no next attempt, for example because the
 * server requests a longer pause than the maximum.
 */
export function pauseAfter({ isRetryable, retryAfterMs = 0 }: FailedTry, attempt: number): number | undefined {
  const pauseMs = limits.models.pausesMs[attempt];
  if (!isRetryable || pauseMs === undefined || retryAfterMs > limits.models.retryAfterMs) return undefined;
  return Math.max(pauseMs, retryAfterMs);
}

/** Returns the first error among an error and its causes for which `is` returns true. */
function inCauses(error: unknown, is: (error: unknown) => boolean): unknown {
  let here = error;
  for (let depth = 0; depth < 8 && here !== undefined && here !== null; depth++) {
    if (is(here)) return here;
    here = here instanceof Error ? here.cause : undefined;
  }
  return undefined;
}
